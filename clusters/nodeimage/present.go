package nodeimage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/podburst/podburst/internal/procfs"
)

// present returns the hash of the inputs of the engine's image of that name, or
// "" where the engine has none of podburst's making.
func (o Options) present(ctx context.Context, tag string) string {
	hash, err := o.run(ctx, "", "docker", "image", "inspect", "--format", fmt.Sprintf("{{index .Config.Labels %q}}", InputsLabel), tag)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(hash)
}

// removeAbandoned removes the working folders of builds whose process is gone.
func (o Options) removeAbandoned(ctx context.Context) error {
	folders, err := filepath.Glob(filepath.Join(o.CacheDir, "work-*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), "work-"), "-")
		if pid, err := strconv.Atoi(owner); err == nil && pid != os.Getpid() && procfs.Local().Alive(procfs.Process{PID: pid}) {
			continue
		}
		if err := o.removeTree(ctx, folder); err != nil {
			return fmt.Errorf("remove what a killed build has left: %w", err)
		}
	}
	return nil
}
