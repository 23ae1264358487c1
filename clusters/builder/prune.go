package builder

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// unfinished is the name prefix of a folder that a build is writing.
const unfinished = ".building-"

// pruneAge is how long a binary must have been unused before it may go: a
// running cluster restarts its components from it.
const pruneAge = 24 * time.Hour

// touch marks the binary as used now. A read-only cache still works.
func touch(o Options, path string) error {
	now := o.Clock.Now()
	if err := os.Chtimes(filepath.Dir(path), now, now); err != nil && !errors.Is(err, os.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("mark the binary as used: %w", err)
	}
	return nil
}

// removeUnfinished removes what killed builds left behind. The caller holds the
// lock, so nobody is writing there.
func removeUnfinished(root string) error {
	left, err := filepath.Glob(filepath.Join(root, unfinished+"*"))
	if err != nil {
		return fmt.Errorf("remove what a killed build left: %w", err)
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what a killed build left: %w", err)
		}
	}
	return nil
}

// prune keeps the most recently used binaries and those used within pruneAge.
func prune(root string, keep int, now time.Time) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return fmt.Errorf("prune the cache: %w", err)
	}
	type kept struct {
		path string
		used time.Time
	}
	var all []kept
	for _, entry := range entries {
		if !entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return fmt.Errorf("prune the cache: %w", err)
		}
		all = append(all, kept{filepath.Join(root, entry.Name()), info.ModTime()})
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.path, b.path)) })
	for _, old := range all[min(keep, len(all)):] {
		if now.Sub(old.used) < pruneAge {
			continue
		}
		if err := os.RemoveAll(old.path); err != nil {
			return fmt.Errorf("prune the cache: %w", err)
		}
	}
	return nil
}
