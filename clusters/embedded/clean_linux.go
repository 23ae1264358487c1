package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// List returns the folders of embedded clusters in baseDir (empty:
// os.TempDir()), including those of live owners.
func List(ctx context.Context, baseDir string) ([]clusters.Leftover, error) {
	if baseDir == "" {
		baseDir = os.TempDir()
	}
	base, err := filepath.Abs(baseDir)
	if err != nil {
		return nil, fmt.Errorf("list embedded clusters: %w", err)
	}
	// A glob would misread a base folder with special characters.
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil, fmt.Errorf("list embedded clusters: %w", err)
	}
	var list []clusters.Leftover
	for _, entry := range entries {
		if ctx.Err() != nil {
			return list, fmt.Errorf("list embedded clusters: %w", context.Cause(ctx))
		}
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), stateDirPrefix) {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, os.ErrNotExist) {
			continue // Deleted meanwhile.
		}
		if err != nil {
			return list, fmt.Errorf("list embedded clusters: %w", err)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Getuid() {
			continue // Another user's: not ours to judge or remove.
		}
		path := filepath.Join(base, entry.Name())
		list = append(list, clusters.Describe(path, layout{dir: path}.owner(), info.ModTime(), time.Now()))
	}
	return list, nil
}

// Clean removes the folders in baseDir (empty: os.TempDir()) whose owners have
// died, kills processes that still run from them, and returns what it removed.
// Clusters in use and those of other users are left alone.
func Clean(ctx context.Context, baseDir string) ([]clusters.Leftover, error) {
	list, err := List(ctx, baseDir)
	if err != nil {
		return nil, err
	}
	return clusters.RemoveDead(ctx, list, func(ctx context.Context, left clusters.Leftover) error {
		return remove(ctx, left.Path)
	})
}

// remove ends the processes of a folder and removes it.
func remove(ctx context.Context, dir string) error {
	return await(ctx, "its processes to end", func(context.Context) error {
		pids, err := processesUnder(dir)
		if err != nil {
			return err
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("kill process %d: %w", pid, err)
			}
		}
		// The reaper may be removing the same folder, which is not an error.
		return os.RemoveAll(dir)
	})
}

// processesUnder returns the processes whose program lies in dir.
func processesUnder(dir string) ([]int, error) {
	here := procfs.Local()
	pids, err := here.PIDs()
	if err != nil {
		return nil, err
	}
	var found []int
	for _, pid := range pids {
		// Processes that have ended, and those of other users, cannot be read.
		args, err := here.CommandLine(pid)
		if err == nil && strings.HasPrefix(args[0], dir+string(filepath.Separator)) {
			found = append(found, pid)
		}
	}
	return found, nil
}
