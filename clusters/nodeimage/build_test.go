package nodeimage

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/podburst/podburst/internal/command"
)

// machine replaces every program that a build runs.
type machine struct {
	t *testing.T
	// mu guards commands: containerd runs beside the others.
	mu       sync.Mutex
	commands []string
	// label is what the engine's image says, if it has one.
	label string
	// fail makes the command that contains the key fail with the output.
	fail map[string]string
	// image is the archive that was loaded.
	image map[string][]byte
}

func (m *machine) run(ctx context.Context, c command.Command) error {
	line := strings.Join(c.Args, " ")
	m.mu.Lock()
	m.commands = append(m.commands, line)
	m.mu.Unlock()
	for mark, output := range m.fail {
		if strings.Contains(line, mark) {
			fmt.Fprintln(c.Stderr, output)
			return errors.New("exit status 1")
		}
	}
	write := func(path, content string) error {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(content), 0o755)
	}
	after := func(flag string) string { return c.Args[slices.Index(c.Args, flag)+1] }
	switch program := filepath.Base(c.Args[0]); {
	case program == "docker" && c.Args[1] == "version":
		fmt.Fprintln(c.Stdout, "20.10")
	case program == "docker" && c.Args[2] == "prune":
	case program == "docker" && c.Args[1] == "image":
		if m.label == "" {
			return errors.New("no such image")
		}
		fmt.Fprintln(c.Stdout, m.label)
	case program == "docker" && c.Args[1] == "load":
		m.image = untar(m.t, after("--input"))
	case program == "go" && c.Args[1] == "env":
		fmt.Fprintln(c.Stdout, "go1.26.0")
	case program == "go" && strings.HasSuffix(after("-o"), "/"):
		for _, name := range []string{"containerd", "containerd-shim-runc-v2", "ctr", "crictl"} {
			if err := write(after("-o")+name, "program "+name); err != nil {
				return err
			}
		}
	case program == "go":
		return write(after("-o"), "program kubernetes")
	case program == "gcc":
		return write(after("-o"), "program pause")
	case program == "debootstrap":
		root := c.Args[len(c.Args)-1]
		return errors.Join(
			write(root+"/etc/os-release", "Debian"), write(root+"/usr/share/doc/x/copyright", "long"),
			write(root+"/etc/machine-id", "id"), write(root+"/var/cache/apt/archives/x.deb", "deb"),
			write(root+"/etc/systemd/system/multi-user.target.wants/cron.service", ""),
			os.Symlink("usr/lib", root+"/lib"),
		)
	case program == "node":
		for _, name := range []string{"kube-apiserver:v1.37.2", "kube-controller-manager:v1.37.2", "kube-scheduler:v1.37.2", "kube-proxy:v1.37.2", "coredns/coredns:v1.14.6", "pause:3.10.2", "etcd:3.7.0-0"} {
			fmt.Fprintln(c.Stdout, "registry.k8s.io/"+name)
		}
	case program == "containerd":
		config, err := os.ReadFile(after("--config"))
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(string(config), "root = '")
		root, _, _ := strings.Cut(rest, "'")
		if err := errors.Join(
			write(root+"/io.containerd.content.v1.content/blobs/sha256/00", "blob"),
			write(root+"/io.containerd.content.v1.content/ingest/x", "half"),
			write(root+"/io.containerd.metadata.v1.bolt/meta.db", "names"),
			write(root+"/io.containerd.snapshotter.v1.overlayfs/metadata.db", "none"),
		); err != nil {
			return err
		}
		<-ctx.Done()
	}
	return nil
}

// untar reads an archive whole.
func untar(t *testing.T, path string) map[string][]byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return entries(t, file)
}

func entries(t *testing.T, from io.Reader) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	for archive := tar.NewReader(from); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeSymlink {
			content = []byte("-> " + header.Linkname)
		}
		found[header.Name] = content
	}
}

// checkout makes a clusters folder with the two modules, and tools on a PATH.
func sources(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"clusters/nodeimage/runtime/go.mod":  "module runtime\n",
		"clusters/controlplane/go.mod":       "module controlplane\nrequire (\n\tk8s.io/kubernetes v1.37.2\n)\n",
		"clusters/controlplane/node/main.go": "package main\n",
		"bin/debootstrap":                    "", "bin/go": "", "bin/gcc": "",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	return Options{
		WorkDir: filepath.Join(dir, "clusters", "nodeimage"), CacheDir: filepath.Join(dir, "cache"),
		Environ: []string{"PATH=" + filepath.Join(dir, "bin")},
		Root:    func() bool { return true }, FreeBytes: func(string) int64 { return 100 << 30 },
	}
}

func TestImageIsWhatKindExpectsOfANode(t *testing.T) {
	m := &machine{t: t}
	options := sources(t)
	options.Run = m.run
	var output bytes.Buffer
	options.Output = &output
	if err := Build(t.Context(), options); err != nil {
		t.Fatal(err)
	}

	var manifest []struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	if err := json.Unmarshal(m.image["manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest) != 1 || len(manifest[0].Layers) != 3 || manifest[0].RepoTags[0] != "podburst/node:v1.37.2" {
		t.Fatalf("manifest %+v", manifest)
	}
	var config struct {
		Config struct {
			Env, Entrypoint []string
			StopSignal      string
			Labels          map[string]string
		}
	}
	if err := json.Unmarshal(m.image[manifest[0].Config], &config); err != nil {
		t.Fatal(err)
	}
	if c := config.Config; c.StopSignal != "SIGRTMIN+3" || !slices.Contains(c.Env, "container=docker") ||
		!slices.Equal(c.Entrypoint, []string{"/usr/local/bin/podburst-entrypoint", "/sbin/init"}) || len(c.Labels[InputsLabel]) != 20 {
		t.Errorf("config %+v", c)
	}

	files := map[string][]byte{}
	for _, layer := range manifest[0].Layers {
		for name, content := range entries(t, bytes.NewReader(m.image[layer])) {
			files[name] = content
		}
	}
	for name, want := range map[string]string{
		"kind/version":      "v1.37.2\n",
		"etc/os-release":    "Debian",
		"usr/bin/kubeadm":   "-> /usr/local/bin/podburst-kubernetes",
		"usr/bin/kubelet":   "-> /usr/local/bin/podburst-kubernetes",
		"usr/bin/kubectl":   "-> /usr/local/bin/podburst-kubernetes",
		binaryPath:          "program kubernetes",
		"usr/local/bin/ctr": "program ctr",
		"opt/cni/bin":       "-> /usr/lib/cni",
		"lib":               "-> usr/lib",
		"etc/systemd/system/multi-user.target.wants/kubelet.service":          "-> /etc/systemd/system/kubelet.service",
		"var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db":           "names",
		"var/lib/containerd/io.containerd.content.v1.content/blobs/sha256/00": "blob",
		"etc/systemd/system/systemd-udevd.service":                            "-> /dev/null",
	} {
		if got := string(files[name]); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{
		"usr/share/doc/x/copyright", "etc/machine-id", "var/cache/apt/archives/x.deb",
		"etc/systemd/system/multi-user.target.wants/cron.service",
		"var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/metadata.db",
		"var/lib/containerd/io.containerd.content.v1.content/ingest/x",
	} {
		if _, ok := files[name]; ok {
			t.Errorf("%s is in the image", name)
		}
	}
	if config := string(files["etc/containerd/config.toml"]); !strings.Contains(config, "sandbox = 'registry.k8s.io/pause:3.10.2'") || strings.Contains(config, "@") {
		t.Errorf("containerd's configuration is %s", config)
	}

	// The same inputs again: nothing to do.
	m.label, m.commands = config.Config.Labels[InputsLabel], nil
	if err := Build(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	for _, command := range m.commands {
		if strings.Contains(command, "build") || strings.Contains(command, "debootstrap") || strings.Contains(command, "load") {
			t.Errorf("with unchanged inputs it ran %s", command)
		}
	}
	if !strings.Contains(output.String(), "nothing to do") {
		t.Errorf("it did not say so:\n%s", output.String())
	}

	// A changed source: built anew, on the root file system of before.
	if err := os.WriteFile(filepath.Join(options.WorkDir, "..", "controlplane", "node", "main.go"), []byte("package main // changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	m.commands = nil
	if err := Build(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(m.commands, "\n")
	if !strings.Contains(all, "docker load") || strings.Contains(all, "debootstrap") {
		t.Errorf("ran:\n%s", all)
	}
	left, err := filepath.Glob(filepath.Join(options.CacheDir, "nodeimage", "*"))
	if err != nil || len(left) != 1 || !strings.Contains(left[0], "rootfs-") {
		t.Errorf("left in the cache: %v (%v)", left, err)
	}
}

func TestFaultsOfABuild(t *testing.T) {
	for name, test := range map[string]struct {
		arrange func(*machine, *Options)
		is      error
		says    string
	}{
		"no docker command": {
			func(_ *machine, o *Options) {
				run := o.Run
				o.Run = func(ctx context.Context, c command.Command) error {
					if c.Args[0] == "docker" {
						return &exec.Error{Name: "docker", Err: exec.ErrNotFound}
					}
					return run(ctx, c)
				}
			}, ErrNoEngine, "install Docker",
		},
		"no engine": {
			func(m *machine, _ *Options) { m.fail["docker version"] = "Cannot connect to the Docker daemon" },
			ErrNoEngine, ".ci/docker-engine",
		},
		"not allowed": {
			func(m *machine, _ *Options) { m.fail["docker version"] = "permission denied while trying to connect" },
			ErrNoEngine, "group docker",
		},
		"not root":  {func(_ *machine, o *Options) { o.Root = func() bool { return false } }, ErrNotRoot, "sudo"},
		"disk full": {func(_ *machine, o *Options) { o.FreeBytes = func(string) int64 { return 1 << 30 } }, syscall.ENOSPC, "1024 MiB free"},
		"disk full midway": {
			func(m *machine, _ *Options) { m.fail["docker load"] = "write /layer.tar: no space left on device" }, syscall.ENOSPC, "docker",
		},
		"no debootstrap": {
			func(_ *machine, o *Options) { o.Environ = []string{"PATH=/nowhere"} }, ErrMissingTool, "package debootstrap",
		},
		"debootstrap fails": {
			func(m *machine, _ *Options) { m.fail["debootstrap"] = "E: Failed getting release file" }, nil, "Failed getting release file",
		},
		"a source does not compile": {
			func(m *machine, _ *Options) { m.fail["./node"] = "main.go:3: undefined: x" }, nil, "undefined: x",
		},
		"containerd does not start": {
			func(m *machine, _ *Options) { m.fail["--config"] = "invalid plugin config" }, nil, "invalid plugin config",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := &machine{t: t, fail: map[string]string{}}
			options := sources(t)
			options.Run = m.run
			test.arrange(m, &options)
			err := Build(t.Context(), options)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want an error with %q", err, test.says)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error is no %q: %v", test.is, err)
			}
			left, err := filepath.Glob(filepath.Join(options.CacheDir, "nodeimage", "work-*"))
			if err != nil || len(left) != 0 {
				t.Errorf("left: %v (%v)", left, err)
			}
		})
	}
}

func TestInterruptedBuildLeavesNoFolder(t *testing.T) {
	m := &machine{t: t}
	options := sources(t)
	ctx, cancel := context.WithCancel(t.Context())
	options.Run = func(ctx context.Context, c command.Command) error {
		if c.Args[0] == "debootstrap" {
			cancel()
			return context.Canceled
		}
		return m.run(ctx, c)
	}
	if err := Build(ctx, options); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(options.CacheDir, "nodeimage", "*")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestFolderOfAKilledBuildIsRemoved(t *testing.T) {
	m := &machine{t: t}
	options := sources(t)
	options.Run = m.run
	// No process has the greatest possible number and one more.
	killed := filepath.Join(options.CacheDir, "nodeimage", "work-4194305-1", "rootfs")
	if err := os.MkdirAll(killed, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there (%v)", err)
	}
}

func TestMountsOfAStoppedDebootstrapAreFoundInnermostFirst(t *testing.T) {
	const mounts = "overlay / overlay rw 0 0\nproc /proc proc rw 0 0\n" +
		"proc /cache/work-1/rootfs/proc proc rw 0 0\nsysfs /cache/work-1/rootfs/sys sysfs rw 0 0\n" +
		"x /cache/work-1/rootfs/sys/fs/cgroup x rw 0 0\nproc /cache/work-10/rootfs/proc proc rw 0 0\n"
	got := mountsBelow(mounts, "/cache/work-1")
	want := []string{"/cache/work-1/rootfs/sys/fs/cgroup", "/cache/work-1/rootfs/sys", "/cache/work-1/rootfs/proc"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLayerDependsOnNamesModesAndContentsOnly(t *testing.T) {
	write := func() layerFile {
		root := t.TempDir()
		if err := errors.Join(
			os.MkdirAll(filepath.Join(root, "etc"), 0o755),
			os.WriteFile(filepath.Join(root, "etc", "b"), []byte("two"), 0o644),
			os.WriteFile(filepath.Join(root, "etc", "a"), []byte("one"), 0o600),
			os.Symlink("a", filepath.Join(root, "etc", "c")),
		); err != nil {
			t.Fatal(err)
		}
		layer, err := makeLayer(filepath.Join(t.TempDir(), "layer.tar"), func(l *layer) error {
			return l.tree(root, "", func(string) bool { return false })
		})
		if err != nil {
			t.Fatal(err)
		}
		return layer
	}
	if one, two := write(), write(); one.digest != two.digest || one.size != two.size {
		t.Errorf("%+v and %+v", one, two)
	}
}

func TestComponentsShareOneLayer(t *testing.T) {
	dir := t.TempDir()
	built := programs{node: filepath.Join(dir, "node"), pause: filepath.Join(dir, "pause")}
	for _, path := range []string{built.node, built.pause} {
		if err := os.WriteFile(path, []byte(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	names := map[string]string{"pause": "registry.k8s.io/pause:3.10.2"}
	for _, component := range controlPlane {
		names[component] = "registry.k8s.io/" + component + ":v1"
	}
	archive := filepath.Join(dir, "archive.tar")
	if err := (Options{}).writeComponentImages(archive, built, names); err != nil {
		t.Fatal(err)
	}
	files := untar(t, archive)
	var index ociIndex
	if err := json.Unmarshal(files["index.json"], &index); err != nil {
		t.Fatal(err)
	}
	layers, tags := map[string]int{}, []string{}
	for _, image := range index.Manifests {
		var manifest ociManifest
		if err := json.Unmarshal(files["blobs/"+strings.Replace(image.Digest, ":", "/", 1)], &manifest); err != nil {
			t.Fatal(err)
		}
		layers[manifest.Layers[0].Digest]++
		tags = append(tags, image.Annotations["io.containerd.image.name"])
	}
	// Four control plane images of one layer, and pause under two names of another.
	if len(tags) != 6 || len(layers) != 2 || !slices.Contains(tags, BurstImage) {
		t.Errorf("images %v, layers %v", tags, layers)
	}
}
