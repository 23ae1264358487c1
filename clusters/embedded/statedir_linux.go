package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/podburst/podburst/clusters"
)

// stateDirPrefix begins the name of every cluster's folder, and the cluster's
// name.
const stateDirPrefix = "podburst-embedded-"

// newStateDir makes a cluster's folder, readable by this user only, with the
// owner's record and, for each component, a link by which the binary is called.
func newStateDir(base, binary string, profile clusters.Profile, now time.Time) (l layout, err error) {
	base, err = filepath.Abs(base)
	if err != nil {
		return layout{}, fmt.Errorf("make the cluster's folder: %w", err)
	}
	dir, err := os.MkdirTemp(base, stateDirPrefix+profile.Metadata.Name+"-")
	if err != nil {
		return layout{}, fmt.Errorf("make the cluster's folder: %w", err)
	}
	l = layout{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("make the cluster's folder: %w", err), os.RemoveAll(dir))
		}
	}()
	owner := clusters.Owner{Cluster: filepath.Base(dir), Profile: profile.Metadata.Name, Created: now}
	if err := clusters.WriteOwner(l.owner(), owner, 0o600); err != nil {
		return l, err
	}
	for _, folder := range l.folders() {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return l, err
		}
	}
	for _, component := range clusters.Components() {
		if err := os.Symlink(binary, l.program(programOf(component))); err != nil {
			return l, err
		}
	}
	return l, nil
}

// checkBinary returns the binary's absolute path, or an error that says what is
// wrong with it.
func checkBinary(binary string) (string, error) {
	const advice = "build it with `podburst controlplane build`"
	if binary == "" {
		return "", errors.New("no control-plane binary is named: " + advice)
	}
	path, err := filepath.Abs(binary)
	if err != nil {
		return "", fmt.Errorf("find the control-plane binary: %w", err)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("find the control-plane binary: %w; %s", err, advice)
	case !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0:
		return "", fmt.Errorf("find the control-plane binary: %s is no executable file; %s", path, advice)
	}
	return path, nil
}
