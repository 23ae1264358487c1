package checkout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModuleIsFoundFromAnyFolderBelow(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	module := filepath.Join(root, "clusters", "controlplane")
	for _, dir := range []string{deep, module} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Module(deep, "clusters/controlplane"); err == nil || !strings.Contains(err.Error(), "inside a checkout") {
		t.Errorf("a folder without go.mod was taken for the module: %v", err)
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Module(deep, "clusters/controlplane"); err != nil || got != module {
		t.Errorf("Module = %q, %v; want %q", got, err, module)
	}
}

func TestCacheIsTheUsersUnlessNamed(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/somewhere/cache")
	if got, err := Cache(""); err != nil || got != "/somewhere/cache/podburst" {
		t.Errorf("Cache = %q, %v", got, err)
	}
	if got, err := Cache("/named/./here"); err != nil || got != "/named/here" {
		t.Errorf("Cache = %q, %v", got, err)
	}
}
