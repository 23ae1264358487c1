package nodeimage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Build makes the node image for the Kubernetes version of clusters/controlplane
// and loads it into the Docker engine under Tag(version). When the engine has it
// already, made from the same inputs, Build does nothing but say so. When it
// fails or ctx ends, nothing half made is left but what a later build reuses.
func Build(ctx context.Context, options Options) error {
	o, err := options.withDefaults()
	if err != nil {
		return fmt.Errorf("build the node image: %w", err)
	}
	if err := o.build(ctx); err != nil {
		return fmt.Errorf("build the node image: %w", err)
	}
	return nil
}

func (o Options) build(ctx context.Context) (err error) {
	began := time.Now()
	if err := o.checkEngine(ctx); err != nil {
		return err
	}
	in, err := o.readInputs(ctx)
	if err != nil {
		return err
	}
	tag := Tag(in.version)
	if !o.Force && o.present(ctx, tag) == in.hash {
		o.say("%s is there and its inputs (%s) are unchanged: nothing to do", tag, in.hash)
		return nil
	}
	if err := o.preflight(); err != nil {
		return err
	}
	// A build that was killed has left its folder; the name tells whose it is.
	if err := o.removeAbandoned(ctx); err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.CacheDir, fmt.Sprintf("work-%d-", os.Getpid()))
	if err != nil {
		return fmt.Errorf("make a folder for the build: %w", err)
	}
	defer func() { err = errors.Join(err, o.removeTree(ctx, work)) }()

	built, err := o.compile(ctx, in, work)
	if err != nil {
		return err
	}
	rootfs, err := o.makeRootfs(ctx, in, work)
	if err != nil {
		return err
	}
	layers, err := o.layers(ctx, in, work, built, rootfs)
	if err != nil {
		return err
	}
	if err := o.load(ctx, work, tag, in, layers); err != nil {
		return err
	}
	o.say("%s is ready after %s", tag, time.Since(began).Round(time.Second))
	return nil
}

// layers makes the image's layers, the one that changes least first: Debian, the
// control plane's images, the node itself.
func (o Options) layers(ctx context.Context, in inputs, work string, built programs, rootfs string) ([]layerFile, error) {
	o.say("control plane images: importing")
	names, err := o.componentImages(ctx, built, in)
	if err != nil {
		return nil, err
	}
	archive := filepath.Join(work, "components.tar")
	if err := o.writeComponentImages(archive, built, names); err != nil {
		return nil, fmt.Errorf("write the control plane's images: %w", err)
	}
	content, err := o.importImages(ctx, work, built, archive)
	if err != nil {
		return nil, err
	}
	o.say("writing the layers")
	base, err := measure(rootfs)
	if err != nil {
		return nil, err
	}
	images, err := makeLayer(filepath.Join(work, "images.tar"), func(l *layer) error {
		return l.tree(content, "var/lib/containerd", func(name string) bool { return !importedState.MatchString(name) })
	})
	if err != nil {
		return nil, fmt.Errorf("write the control plane's images: %w", err)
	}
	machine, err := makeLayer(filepath.Join(work, "machine.tar"), func(l *layer) error {
		return writeMachine(l, in, built, names["pause"])
	})
	if err != nil {
		return nil, fmt.Errorf("write the node's files: %w", err)
	}
	return []layerFile{base, images, machine}, nil
}

// measure reads a layer that an earlier build has written.
func measure(path string) (layerFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return layerFile{}, err
	}
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	return layerFile{path: path, digest: "sha256:" + hex.EncodeToString(hash.Sum(nil)), size: size}, errors.Join(err, file.Close())
}
