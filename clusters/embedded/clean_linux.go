package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// settling is how old a folder without an owner's record must be before it
// counts as left: a younger one may just be in the making.
const settling = time.Minute

// List returns the folders of embedded clusters in baseDir (empty:
// os.TempDir()), those of living owners included.
func List(ctx context.Context, baseDir string) ([]StateDir, error) {
	if baseDir == "" {
		baseDir = os.TempDir()
	}
	base, err := filepath.Abs(baseDir)
	if err != nil {
		return nil, fmt.Errorf("list embedded clusters: %w", err)
	}
	// A pattern would misread a base folder with special characters.
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil, fmt.Errorf("list embedded clusters: %w", err)
	}
	var list []StateDir
	for _, entry := range entries {
		if ctx.Err() != nil {
			return list, fmt.Errorf("list embedded clusters: %w", context.Cause(ctx))
		}
		if !entry.IsDir() || len(entry.Name()) <= len(stateDirPrefix) || entry.Name()[:len(stateDirPrefix)] != stateDirPrefix {
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
			continue // Another user's: not ours to judge or to remove.
		}
		dir, err := describe(filepath.Join(base, entry.Name()), info.ModTime())
		if err != nil {
			return list, fmt.Errorf("list embedded clusters: %w", err)
		}
		list = append(list, dir)
	}
	return list, nil
}

// describe reads the owner's record of a folder.
func describe(path string, modified time.Time) (StateDir, error) {
	dir := StateDir{Path: path, Cluster: filepath.Base(path), Created: modified}
	text, err := os.ReadFile(layout{dir: path}.owner())
	var record owner
	if err == nil {
		err = json.Unmarshal(text, &record)
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.As(err, &syntax):
		dir.Live = time.Since(modified) < settling
		return dir, nil
	case err != nil:
		return dir, err
	}
	dir.OwnerPID, dir.Created = record.PID, record.Created
	dir.Live = alive(record)
	return dir, nil
}

// alive says whether the owner still runs, as far as can be known from here.
func alive(record owner) bool {
	if record.Machine != machine() {
		// Another boot's owner is surely dead, another container's may live.
		var boot, namespace, hereBoot, here string
		_, _ = fmt.Sscan(record.Machine, &boot, &namespace)
		_, _ = fmt.Sscan(machine(), &hereBoot, &here)
		return boot == hereBoot
	}
	start, err := startTime(record.PID)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ESRCH)
	}
	return start == record.StartTime
}

// Clean removes the folders in baseDir (empty: os.TempDir()) whose owners have
// died, kills processes that still run from them, and returns what it removed.
// Clusters in use, and other users', are left alone.
func Clean(ctx context.Context, baseDir string) ([]StateDir, error) {
	list, err := List(ctx, baseDir)
	if err != nil {
		return nil, err
	}
	var removed []StateDir
	var errs []error
	for _, dir := range list {
		if dir.Live {
			continue
		}
		if err := remove(ctx, dir.Path); err != nil {
			errs = append(errs, fmt.Errorf("clean up %s: %w", dir.Path, err))
			continue
		}
		removed = append(removed, dir)
	}
	return removed, errors.Join(errs...)
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
		// The reaper may be removing the same folder: that is no error.
		return os.RemoveAll(dir)
	})
}
