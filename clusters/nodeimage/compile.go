package nodeimage

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/podburst/podburst/clusters/builder"
)

// programs is where the compiled programs are.
type programs struct {
	// node is the multi-call Kubernetes binary, pause the sandbox's process.
	node, pause string
	// runtime are containerd and its like, by their names.
	runtime map[string]string
}

// containerRuntime lists the programs of the module runtime, by the name they
// get in the image.
var containerRuntime = map[string]string{
	"containerd":              "github.com/containerd/containerd/v2/cmd/containerd",
	"containerd-shim-runc-v2": "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
	"ctr":                     "github.com/containerd/containerd/v2/cmd/ctr",
	"crictl":                  "sigs.k8s.io/cri-tools/cmd/crictl",
}

// compile builds every program of the image into dir. Go's build cache makes it
// a matter of linking when the sources were compiled before.
func (o Options) compile(ctx context.Context, in inputs, dir string) (programs, error) {
	built := programs{
		node:    filepath.Join(dir, "node"),
		pause:   filepath.Join(dir, "pause"),
		runtime: map[string]string{},
	}
	source := filepath.Join(dir, "pause.c")
	if err := o.unpack("pause.c", source); err != nil {
		return built, err
	}
	if _, err := o.run(ctx, dir, "gcc", "-static", "-Os", "-s", "-Wall", "-o", built.pause, source); err != nil {
		return built, err
	}

	args := []string{"-tags", "no_btrfs", "-ldflags", "-s -w", "-o", dir + string(filepath.Separator)}
	for name, pkg := range containerRuntime {
		args = append(args, pkg)
		built.runtime[name] = filepath.Join(dir, name)
	}
	o.say("containerd and crictl: compiling, about 5 min when Go's build cache is cold")
	if err := o.goBuild(ctx, "containerd and crictl", filepath.Join(o.SourceDir, runtimeModule), args...); err != nil {
		return built, err
	}

	o.say("Kubernetes %s: compiling, about 15 min when Go's build cache is cold", in.version)
	return built, o.goBuild(ctx, "Kubernetes", filepath.Join(o.SourceDir, controlPlaneModule),
		"-ldflags", builder.VersionFlags(in.version), "-o", built.node, "./node")
}

// goBuild compiles static programs of the module in dir. Settings of the user
// that would make another binary are overridden.
func (o Options) goBuild(ctx context.Context, step, dir string, args ...string) error {
	describe := func(lines int, last string) string {
		if lines == 0 {
			return "at work"
		}
		return fmt.Sprintf("%d packages, now %s", lines, last)
	}
	return o.follow(ctx, step, dir, builder.Environ(o.Environ), describe,
		append([]string{"go", "build", "-v", "-trimpath", "-buildvcs=false"}, args...)...)
}
