package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/podburst/podburst/clusters"
)

var _ clusters.ImageReader = (*Cluster)(nil)

// NodeImage implements clusters.ImageReader: the binary that all components run
// from, identified by the hash of its content. Builds are reproducible
// (-trimpath): the same sources and Go version give the same binary on every
// machine.
func (c *Cluster) NodeImage(context.Context) (clusters.Image, error) {
	link := c.settings.layout.program(programOf(clusters.KubeAPIServer))
	path, err := filepath.EvalSymlinks(link)
	if err != nil {
		return clusters.Image{}, fmt.Errorf("find the control-plane binary: %w", err)
	}
	file, err := os.Open(path)
	if err != nil {
		return clusters.Image{}, fmt.Errorf("read the control-plane binary: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return clusters.Image{}, fmt.Errorf("read the control-plane binary: %w", err)
	}
	return clusters.Image{Name: filepath.Base(path), ID: "sha256:" + hex.EncodeToString(sum.Sum(nil))}, nil
}
