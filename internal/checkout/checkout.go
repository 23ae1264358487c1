// Package checkout finds podburst's folders on a machine: the sources to build
// from, and the cache for what has been built.
package checkout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// CacheEnv names the environment variable that moves podburst's cache folder.
const CacheEnv = "PODBURST_CACHE"

// Cache returns the absolute path of podburst's cache folder: dir, or if that
// is empty, podburst in the user's cache folder. It creates nothing.
func Cache(dir string) (string, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find the cache folder: %w; set %s to a folder that can be written", err, CacheEnv)
		}
		dir = filepath.Join(user, "podburst")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	return absolute, nil
}

// Module walks up from dir (empty: the current folder) to the folder in which
// module (slash-separated, as "clusters/controlplane") holds a go.mod, and
// returns the module's path.
func Module(dir, module string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", module, err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		candidate := filepath.Join(dir, filepath.FromSlash(module))
		_, err := os.Stat(filepath.Join(candidate, "go.mod"))
		if err == nil {
			return candidate, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("find %s: %w", module, err)
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("find %s: no folder from %s upwards holds it; run inside a checkout of podburst", module, start)
		}
	}
}
