// Package suite runs the Ginkgo suite and the podburst command as processes, and
// starts clusters, for the tests of the whole system.
package suite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

// Root is the repository's folder, as seen from the packages of test/.
const Root = "../.."

var (
	// suiteBinary is compiled as hack/e2e.sh compiles it.
	suiteBinary   = sync.OnceValues(func() (string, error) { return build("e2e.test", "./e2e", "test", "-c", "-tags", "e2e") })
	commandBinary = sync.OnceValues(func() (string, error) { return build("podburst", "./cmd/podburst", "build") })
)

// build builds bin/name, relative to Root, from the package with these arguments to
// go. The file stays, since Go relinks only what has changed. Tests of several
// packages may run at once; a lock keeps one from running what another has half
// written.
func build(name, what string, arguments ...string) (string, error) {
	if err := os.MkdirAll(filepath.Join(Root, "bin"), 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(filepath.Join(Root, "bin", ".lock"))
	if err != nil {
		return "", err
	}
	defer lock.Close() // releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("lock %s: %w", lock.Name(), err)
	}
	path := filepath.Join("bin", name)
	cmd := exec.Command("go", append(arguments, "-o", path, what)...)
	cmd.Dir = Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return path, nil
}
