package nodeimage

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
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
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
)

// binaryPath is where the multi-call binary is in the node and in the control
// plane's images.
const binaryPath = "usr/local/bin/podburst-kubernetes"

// BurstImage is the image of a burst's pods, the same program as a sandbox's: a
// node that has it pulls nothing.
const BurstImage = "registry.k8s.io/pause:3.10"

// controlPlane lists the programs that kubeadm runs as static pods.
var controlPlane = names(clusters.ControlPlane())

func names(components []clusters.Component) []string {
	list := make([]string, len(components))
	for i, c := range components {
		list[i] = string(c)
	}
	return list
}

// componentImages returns the exact names under which kubeadm looks for the
// images, by component ("etcd": "registry.k8s.io/etcd:3.7.0-0"), as the
// kubeadm of the image itself lists them. Nothing is fetched.
func (o Options) componentImages(ctx context.Context, built programs, in inputs) (map[string]string, error) {
	listed, err := o.run(ctx, "", built.node, "kubeadm", "config", "images", "list", "--kubernetes-version", in.version)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for name := range strings.FieldsSeq(listed) {
		repository, _, _ := strings.Cut(name, ":")
		names[repository[strings.LastIndex(repository, "/")+1:]] = name
	}
	for _, component := range append([]string{"pause"}, controlPlane...) {
		if names[component] == "" {
			return nil, fmt.Errorf("list the images of Kubernetes %s: kubeadm names none for %s among %q", in.version, component, listed)
		}
	}
	return names, nil
}

// The parts of the OCI image format that an archive for containerd needs.
type (
	descriptor struct {
		MediaType   string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int64             `json:"size"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	ociIndex struct {
		SchemaVersion int          `json:"schemaVersion"`
		MediaType     string       `json:"mediaType"`
		Manifests     []descriptor `json:"manifests"`
	}
	ociManifest struct {
		SchemaVersion int          `json:"schemaVersion"`
		MediaType     string       `json:"mediaType"`
		Config        descriptor   `json:"config"`
		Layers        []descriptor `json:"layers"`
	}
)

// ociArchive is an OCI image layout in a tar.
type ociArchive struct {
	tar   *tar.Writer
	index ociIndex
	has   map[string]bool
}

// writeComponentImages writes one archive with an image per component, each of
// one layer. The control plane's share theirs, so that a node unpacks it once.
func (o Options) writeComponentImages(path string, built programs, names map[string]string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	archive := &ociArchive{tar: tar.NewWriter(file), has: map[string]bool{}}
	archive.index = ociIndex{SchemaVersion: 2, MediaType: "application/vnd.oci.image.index.v1+json"}

	dir := filepath.Dir(path)
	shared, err := makeLayer(filepath.Join(dir, "kubernetes.tar"), func(l *layer) error {
		if err := l.copy(binaryPath, built.node); err != nil {
			return err
		}
		for _, component := range controlPlane {
			if err := l.link("usr/local/bin/"+component, "/"+binaryPath); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, component := range controlPlane {
		config := map[string]any{"Env": []string{"PATH=/usr/local/bin:/usr/bin:/bin"}, "Entrypoint": []string{"/usr/local/bin/" + component}}
		if err := archive.image(names[component], shared, config); err != nil {
			return err
		}
	}
	pause, err := makeLayer(filepath.Join(dir, "pause.tar"), func(l *layer) error { return l.copy("pause", built.pause) })
	if err != nil {
		return err
	}
	for _, name := range slices.Compact([]string{names["pause"], BurstImage}) {
		if err := archive.image(name, pause, map[string]any{"User": "65535:65535", "Entrypoint": []string{"/pause"}}); err != nil {
			return err
		}
	}
	return archive.close()
}

func makeLayer(path string, fill func(*layer) error) (layerFile, error) {
	l, err := newLayer(path)
	if err != nil {
		return layerFile{}, err
	}
	err = fill(l)
	made, closeErr := l.close()
	return made, errors.Join(err, closeErr)
}

// image adds an image of one layer under the given name.
func (a *ociArchive) image(name string, from layerFile, config map[string]any) error {
	layerBlob, err := a.compressed(from)
	if err != nil {
		return err
	}
	configBlob, err := a.json("application/vnd.oci.image.config.v1+json", map[string]any{
		"architecture": runtime.GOARCH, "os": "linux", "created": epoch, "config": config,
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{from.digest}},
	})
	if err != nil {
		return err
	}
	manifest, err := a.json("application/vnd.oci.image.manifest.v1+json", ociManifest{
		SchemaVersion: 2, MediaType: "application/vnd.oci.image.manifest.v1+json",
		Config: configBlob, Layers: []descriptor{layerBlob},
	})
	if err != nil {
		return err
	}
	manifest.Annotations = map[string]string{"io.containerd.image.name": name}
	a.index.Manifests = append(a.index.Manifests, manifest)
	return nil
}

// compressed adds the layer as a gzip blob, at the least effort: each node of a
// cluster copies it once, and one unpacks it.
func (a *ociArchive) compressed(from layerFile) (descriptor, error) {
	path := from.path + ".gz"
	blob := descriptor{MediaType: "application/vnd.oci.image.layer.v1.tar+gzip"}
	if _, err := os.Stat(path); err != nil {
		if err := gzipFile(from.path, path); err != nil {
			return blob, err
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return blob, err
	}
	defer file.Close()
	hash := sha256.New()
	if blob.Size, err = io.Copy(hash, file); err != nil {
		return blob, err
	}
	blob.Digest = "sha256:" + hex.EncodeToString(hash.Sum(nil))
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return blob, err
	}
	return blob, a.blob(blob, file)
}

func gzipFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	compressor, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return err
	}
	_, err = io.Copy(compressor, in)
	return errors.Join(err, compressor.Close())
}

func (a *ociArchive) json(mediaType string, value any) (descriptor, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return descriptor{}, err
	}
	sum := sha256.Sum256(data)
	blob := descriptor{MediaType: mediaType, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(data))}
	return blob, a.blob(blob, bytes.NewReader(data))
}

func (a *ociArchive) blob(blob descriptor, content io.Reader) error {
	if a.has[blob.Digest] {
		return nil
	}
	a.has[blob.Digest] = true
	name := "blobs/" + strings.Replace(blob.Digest, ":", "/", 1)
	return writeEntry(a.tar, name, blob.Size, content)
}

func writeEntry(to *tar.Writer, name string, size int64, content io.Reader) error {
	if err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: epoch}); err != nil {
		return err
	}
	_, err := io.Copy(to, content)
	return err
}

func (a *ociArchive) close() error {
	index, err := json.Marshal(a.index)
	if err != nil {
		return err
	}
	layout := []byte(`{"imageLayoutVersion":"1.0.0"}`)
	return errors.Join(
		writeEntry(a.tar, "oci-layout", int64(len(layout)), bytes.NewReader(layout)),
		writeEntry(a.tar, "index.json", int64(len(index)), bytes.NewReader(index)),
		a.tar.Close(),
	)
}
