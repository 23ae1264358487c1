package kind

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// place makes a cluster as an earlier process would have left it.
func place(t *testing.T, w *world, name string, record *clusters.Owner, age time.Duration) {
	t.Helper()
	s := state{filepath.Join(w.provider.options.BaseDir, name)}
	if err := os.MkdirAll(s.shared(), 0o755); err != nil {
		t.Fatal(err)
	}
	if record != nil {
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.owner(), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Now().Add(-age)
	if err := os.Chtimes(s.dir, then, then); err != nil {
		t.Fatal(err)
	}
	w.engine.add(container{Name: name + "-control-plane", Cluster: name, Mount: s.shared(), Created: then})
}

func TestCleanRemovesWhatACrashHasLeftAndNothingElse(t *testing.T) {
	w := newWorld(t)
	dead := procfs.Local().Self()
	dead.Start = "0" // A pid that another process has now.
	place(t, w, "dead", &clusters.Owner{Process: dead, Profile: "tuned", RunID: "run-1"}, time.Hour)
	place(t, w, "alive", &clusters.Owner{Process: procfs.Local().Self()}, time.Hour)
	place(t, w, "no-record", nil, time.Hour)
	place(t, w, "in-the-making", nil, time.Second)
	w.engine.add(
		container{Name: "dead-external-load-balancer", Cluster: "dead"},
		container{Name: "theirs-control-plane", Cluster: "theirs", Created: time.Now().Add(-time.Hour)},
	)
	// A cluster whose containers are already gone.
	if err := os.MkdirAll(filepath.Join(w.provider.options.BaseDir, "folder-only", "shared"), 0o755); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(w.provider.options.BaseDir, "folder-only"), old, old); err != nil {
		t.Fatal(err)
	}
	// The logs of clusters that could not be made are not a cluster.
	if err := os.MkdirAll(filepath.Join(w.provider.options.LogsDir, "x"), 0o755); err != nil {
		t.Fatal(err)
	}

	removed, err := Clean(t.Context(), w.provider.options)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]clusters.Leftover{}
	for _, left := range removed {
		got[left.Cluster] = left
	}
	if len(got) != 3 || got["dead"].RunID != "run-1" || got["no-record"].Cluster == "" || got["folder-only"].Cluster == "" {
		t.Errorf("removed %+v", removed)
	}
	for cluster, want := range map[string]bool{"dead": false, "no-record": false, "alive": true, "in-the-making": true, "theirs": true} {
		if w.engine.has(cluster) != want {
			t.Errorf("containers of %s: got %t, want %t", cluster, !want, want)
		}
	}
	if _, err := os.Stat(w.provider.options.LogsDir); err != nil {
		t.Error("the kept logs are gone")
	}
	left, err := List(t.Context(), w.provider.options)
	if err != nil || len(left) != 2 {
		t.Errorf("left are %+v, error %v", left, err)
	}
}

func TestCleanDoesNothingWhileTheEngineIsDown(t *testing.T) {
	w := newWorld(t)
	place(t, w, "dead", &clusters.Owner{}, time.Hour)
	w.engine.down = ErrNoEngine
	if removed, err := Clean(t.Context(), w.provider.options); !errors.Is(err, ErrNoEngine) || len(removed) != 0 {
		t.Errorf("removed %v, error %v", removed, err)
	}
	// List still shows what has a folder.
	left, err := List(t.Context(), w.provider.options)
	if !errors.Is(err, ErrNoEngine) || len(left) != 1 {
		t.Errorf("listed %v, error %v", left, err)
	}
}
