package nodeimage

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// stopSignal is what asks systemd to shut down; SIGTERM makes it start anew.
const stopSignal = "SIGRTMIN+3"

// load gives the layers to the Docker engine as one image. The archive is the
// one that `docker save` writes, which every engine reads.
func (o Options) load(ctx context.Context, work, tag string, in inputs, layers []layerFile) error {
	path := filepath.Join(work, "image.tar")
	if err := writeImage(path, tag, in, layers); err != nil {
		return fmt.Errorf("write the image: %w", err)
	}
	o.say("loading the image into the engine")
	if _, err := o.run(ctx, "", "docker", "load", "--quiet", "--input", path); err != nil {
		return err
	}
	// The image that had the name until now has none any more; half a gigabyte
	// would stay with each build. Only podburst's own carry the label.
	_, err := o.run(ctx, "", "docker", "image", "prune", "--force", "--filter", "label="+InputsLabel)
	return err
}

// writeImage writes the archive: the layers, the image's configuration, and the
// manifest that names them.
func writeImage(path, tag string, in inputs, layers []layerFile) (err error) {
	digests, names := []string{}, []string{}
	history := []map[string]any{}
	for i, layer := range layers {
		digests = append(digests, layer.digest)
		names = append(names, fmt.Sprintf("layer-%d/layer.tar", i+1))
		history = append(history, map[string]any{"created": epoch, "created_by": "podburst node-image build"})
	}
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		// The time is of the build, for people who list images.
		"created": time.Now().UTC().Truncate(time.Second),
		"config": map[string]any{
			"Env":        []string{"container=docker", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
			"Entrypoint": []string{"/usr/local/bin/podburst-entrypoint", "/sbin/init"},
			"StopSignal": stopSignal,
			"Labels":     map[string]string{InputsLabel: in.hash},
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": digests},
		"history": history,
	})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(config)
	configName := hex.EncodeToString(sum[:]) + ".json"
	manifest, err := json.Marshal([]map[string]any{{"Config": configName, "RepoTags": []string{tag}, "Layers": names}})
	if err != nil {
		return err
	}

	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	archive := tar.NewWriter(file)
	for i, layer := range layers {
		if err := addLayer(archive, names[i], layer); err != nil {
			return err
		}
	}
	return errors.Join(
		writeEntry(archive, configName, int64(len(config)), bytes.NewReader(config)),
		writeEntry(archive, "manifest.json", int64(len(manifest)), bytes.NewReader(manifest)),
		archive.Close(),
	)
}

func addLayer(archive *tar.Writer, name string, layer layerFile) error {
	file, err := os.Open(layer.path)
	if err != nil {
		return err
	}
	return errors.Join(writeEntry(archive, name, layer.size, io.LimitReader(file, layer.size)), file.Close())
}
