package builder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/podburst/podburst/internal/checkout"
	"github.com/podburst/podburst/internal/command"
)

const testGoMod = `module example.test/controlplane

go 1.26.0

require k8s.io/kubernetes v1.37.2
`

// fakeGo plays the go command. build decides how `go build` ends.
type fakeGo struct {
	builds  atomic.Int32
	version string
	list    func(c command.Command) error
	build   func(ctx context.Context, c command.Command, target string) error
}

func (g *fakeGo) run(ctx context.Context, c command.Command) error {
	switch c.Args[1] {
	case "env":
		fmt.Fprintf(c.Stdout, `{"GOVERSION":%q,"GOOS":"linux","GOARCH":"amd64"}`, g.version)
		return nil
	case "list":
		if g.list != nil {
			return g.list(c)
		}
		fmt.Fprint(c.Stdout, "fmt false\nexample.test/a true\nexample.test/controlplane true\n")
		return nil
	case "build":
		g.builds.Add(1)
		target := ""
		for i, arg := range c.Args {
			if arg == "-o" {
				target = c.Args[i+1]
			}
		}
		if g.build != nil {
			return g.build(ctx, c, target)
		}
		fmt.Fprint(c.Stderr, "example.test/a\nexample.test/controlplane\n")
		return os.WriteFile(target, []byte("binary"), 0o755)
	}
	return fmt.Errorf("unexpected command %q", c.Args)
}

// testOptions makes a module to build and an empty cache.
func testOptions(t *testing.T, tool *fakeGo) Options {
	t.Helper()
	source := filepath.Join(t.TempDir(), "clusters", "controlplane")
	write(t, filepath.Join(source, "go.mod"), testGoMod)
	write(t, filepath.Join(source, "main.go"), "package main\n\nfunc main() {}\n")
	return Options{SourceDir: source, CacheDir: t.TempDir(), Environ: []string{}, Run: tool.run}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBinaryBuildsOnceAndThenComesFromTheCache(t *testing.T) {
	tool := &fakeGo{version: "go1.26.8"}
	options := testOptions(t, tool)
	status, err := Cached(t.Context(), options)
	if err != nil || status.Ready || !strings.Contains(status.String(), "must be compiled first") {
		t.Fatalf("Cached before the build = %+v, %v; want not ready", status, err)
	}
	first, err := Binary(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Binary(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if first != second || first != status.Path {
		t.Errorf("paths differ: announced %s, built %s, cached %s", status.Path, first, second)
	}
	if got := tool.builds.Load(); got != 1 {
		t.Errorf("built %d times, want once", got)
	}
	if content, err := os.ReadFile(first); err != nil || string(content) != "binary" {
		t.Errorf("the binary holds %q, %v", content, err)
	}
	if status, err = Cached(t.Context(), options); err != nil || !status.Ready {
		t.Errorf("Cached after the build = %+v, %v; want ready", status, err)
	}
}

func TestKeyFollowsWhatDecidesTheBinary(t *testing.T) {
	tool := &fakeGo{version: "go1.26.8"}
	options := testOptions(t, tool)
	key := func() string {
		t.Helper()
		status, err := Cached(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		return status.Path
	}
	before := key()

	for _, row := range []struct {
		name    string
		change  func()
		changes bool
	}{
		{"a test file", func() { write(t, filepath.Join(options.SourceDir, "main_test.go"), "package main\n") }, false},
		{"a note", func() { write(t, filepath.Join(options.SourceDir, "README.md"), "x") }, false},
		{"the user's GOFLAGS", func() { options.Environ = []string{"GOFLAGS=-mod=mod -race"} }, false},
		{"test data", func() { write(t, filepath.Join(options.SourceDir, "testdata", "x.go"), "package x\n") }, false},
		{"a source file", func() { write(t, filepath.Join(options.SourceDir, "hollow", "node.go"), "package hollow\n") }, true},
		{"go.sum", func() { write(t, filepath.Join(options.SourceDir, "go.sum"), "x") }, true},
		{"the Kubernetes version", func() {
			write(t, filepath.Join(options.SourceDir, "go.mod"), strings.Replace(testGoMod, "1.37.2", "1.37.3", 1))
		}, true},
		{"the go version", func() { tool.version = "go1.27.0" }, true},
	} {
		row.change()
		after := key()
		if changed := after != before; changed != row.changes {
			t.Errorf("%s: key changed = %v, want %v", row.name, changed, row.changes)
		}
		before = after
	}
}

func TestConcurrentBuildersBuildOnce(t *testing.T) {
	started, proceed := make(chan struct{}), make(chan struct{})
	tool := &fakeGo{version: "go1.26.8"}
	tool.build = func(_ context.Context, _ command.Command, target string) error {
		close(started) // A second build would panic here.
		<-proceed
		return os.WriteFile(target, []byte("binary"), 0o755)
	}
	options := testOptions(t, tool)
	waiting := &signalWriter{match: "waiting", seen: make(chan struct{})}

	var group sync.WaitGroup
	group.Go(func() {
		if _, err := Binary(t.Context(), options); err != nil {
			t.Errorf("first builder: %v", err)
		}
	})
	<-started
	group.Go(func() {
		second := options
		second.Output = waiting
		if _, err := Binary(t.Context(), second); err != nil {
			t.Errorf("second builder: %v", err)
		}
	})
	<-waiting.seen
	close(proceed)
	group.Wait()
	if want := fmt.Sprintf("process %d is compiling it", os.Getpid()); !strings.Contains(waiting.String(), want) {
		t.Errorf("the second builder said %q, want %q in it", waiting.String(), want)
	}
}

func TestWaitingBuilderEndsWithItsContext(t *testing.T) {
	tool := &fakeGo{version: "go1.26.8"}
	options := testOptions(t, tool)
	root := filepath.Join(options.CacheDir, "controlplane")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	release, err := acquire(t.Context(), realClock{}, filepath.Join(root, "lock"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	options.Output = &signalWriter{match: "waiting", call: cancel}
	if _, err := Binary(ctx, options); !errors.Is(err, context.Canceled) {
		t.Errorf("Binary = %v, want context.Canceled", err)
	}
}

func TestFailuresSayWhatToDo(t *testing.T) {
	exit := errors.New("exit status 1")
	fail := func(text string) func(context.Context, command.Command, string) error {
		return func(_ context.Context, c command.Command, target string) error {
			_ = os.WriteFile(target, []byte("half"), 0o755)
			fmt.Fprint(c.Stderr, text)
			return exit
		}
	}
	for _, row := range []struct {
		name string
		tool *fakeGo
		is   error
		says []string
	}{
		{
			name: "compile failure",
			tool: &fakeGo{build: fail("example.test/a\n# example.test/a\n./a.go:3:1: undefined: x\n")},
			is:   ErrCompile, says: []string{"undefined: x", "compile control plane v1.37.2"},
		},
		{
			name: "disk full",
			tool: &fakeGo{build: fail("# example.test/a\ncompile: writing output: write $WORK/b001/_pkg_.a: no space left on device\n")},
			is:   syscall.ENOSPC, says: []string{"6 GB", "GOCACHE", CacheEnv},
		},
		{
			name: "disk full without output",
			tool: &fakeGo{build: func(context.Context, command.Command, string) error { return syscall.ENOSPC }},
			is:   syscall.ENOSPC, says: []string{"6 GB"},
		},
		{
			name: "module download",
			tool: &fakeGo{list: func(c command.Command) error {
				fmt.Fprint(c.Stderr, "go: downloading k8s.io/api v0.37.2\ngo: k8s.io/api@v0.37.2: Get \"https://proxy.test/x\": dial tcp: lookup proxy.test: no such host\n")
				return exit
			}},
			is: ErrModules, says: []string{"GOPROXY", "no such host"},
		},
		{
			name: "no binary though go build succeeded",
			tool: &fakeGo{build: func(context.Context, command.Command, string) error { return nil }},
			is:   os.ErrNotExist, says: []string{"left no binary"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			options := testOptions(t, row.tool)
			_, err := Binary(t.Context(), options)
			if !errors.Is(err, row.is) {
				t.Fatalf("Binary = %v, want %v", err, row.is)
			}
			for _, want := range row.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(options.CacheDir, "controlplane", ".building-*")); len(left) != 0 {
				t.Errorf("half-built folders left: %v", left)
			}
			if status, err := Cached(t.Context(), options); err != nil || status.Ready {
				t.Errorf("after a failure Cached = %+v, %v; want not ready", status, err)
			}
		})
	}
}

func TestNoGoCommand(t *testing.T) {
	options := testOptions(t, &fakeGo{})
	options.Run = nil
	options.GoTool = "no-such-go-command"
	if _, err := Binary(t.Context(), options); !errors.Is(err, ErrNoGo) || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("Binary = %v, want ErrNoGo with advice", err)
	}
}

func TestOutsideACheckout(t *testing.T) {
	if _, err := Binary(t.Context(), Options{WorkDir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "inside a checkout") {
		t.Errorf("Binary = %v, want advice to run inside a checkout", err)
	}
}

func TestSourceIsFoundFromAnyFolderOfTheCheckout(t *testing.T) {
	options := testOptions(t, &fakeGo{})
	deep := filepath.Join(filepath.Dir(options.SourceDir), "profiles", "deep")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := checkout.Module(deep, sourceDir); err != nil || got != options.SourceDir {
		t.Errorf("checkout.Module = %s, %v; want %s", got, err, options.SourceDir)
	}
}

func TestPruneKeepsTheNewestAndTheRecent(t *testing.T) {
	root, now := t.TempDir(), time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for name, age := range map[string]time.Duration{
		"newest": time.Minute, "second": time.Hour, "recent": 23 * time.Hour, "old": 48 * time.Hour, "older": 72 * time.Hour,
	} {
		dir := filepath.Join(root, name)
		write(t, filepath.Join(dir, binaryName), name)
		if err := os.Chtimes(dir, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := prune(root, 2, now); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(left), 3; got != want {
		t.Errorf("%d binaries left (%v), want newest, second and recent", got, left)
	}
}

func TestRealBuildOfATinyModule(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	options := testOptions(t, &fakeGo{})
	// A replacement keeps the build off the network.
	write(t, filepath.Join(options.SourceDir, "kubernetes", "go.mod"), "module k8s.io/kubernetes\n\ngo 1.26.0\n")
	write(t, filepath.Join(options.SourceDir, "go.mod"), testGoMod+"\nreplace k8s.io/kubernetes => ./kubernetes\n")
	write(t, filepath.Join(options.SourceDir, "main.go"), "package main\n\nfunc main() { print(\"tiny\") }\n")
	var output bytes.Buffer
	options.Run, options.Output = nil, &output
	// Settings a user may have that must not matter.
	options.Environ = append(os.Environ(), "GOFLAGS=-mod=mod -tags=other", "GOOS=plan9", "GOWORK=/nonexistent")
	path, err := Binary(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), path).CombinedOutput()
	if err != nil || string(said) != "tiny" {
		t.Errorf("the binary said %q, %v", said, err)
	}
	if !strings.Contains(output.String(), "compiled in") {
		t.Errorf("progress: %q", output.String())
	}
}

// signalWriter closes seen, or calls call, once match has been written.
type signalWriter struct {
	match string
	call  func()
	seen  chan struct{}

	mu   sync.Mutex
	text bytes.Buffer
	done bool
}

func (w *signalWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(b)
	if !w.done && strings.Contains(w.text.String(), w.match) {
		w.done = true
		if w.seen != nil {
			close(w.seen)
		}
		if w.call != nil {
			w.call()
		}
	}
	return len(b), nil
}

func (w *signalWriter) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
