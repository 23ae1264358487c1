package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/internal/procfs"
)

// unmountTimeout bounds the clean-up after a build that was stopped.
const unmountTimeout = 30 * time.Second

// removeTree removes a folder of a build. debootstrap mounts /proc and /sys in
// its root file system, and leaves them there when it is stopped halfway: they
// are taken away first, or the removal would go on in the kernel's own trees.
func (o Options) removeTree(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unmountTimeout)
	defer cancel()
	mounts, err := procfs.Local().Text("self/mounts")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("look for mounts in %s: %w", dir, err)
	}
	below := mountsBelow(mounts, dir)
	for _, mount := range below {
		if _, err := o.run(ctx, "", "umount", "--lazy", mount); err != nil {
			return fmt.Errorf("remove %s: %w", dir, err)
		}
	}
	return os.RemoveAll(dir)
}

// mountsBelow lists the mounts in a folder, the innermost first.
func mountsBelow(mounts, dir string) []string {
	var found []string
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		if len(fields) > 1 && strings.HasPrefix(fields[1], dir+string(filepath.Separator)) {
			found = append(found, fields[1])
		}
	}
	slices.Sort(found)
	slices.Reverse(found)
	return found
}
