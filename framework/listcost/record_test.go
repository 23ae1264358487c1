package listcost

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// unstarted provides no cluster.
type unstarted struct{}

func (unstarted) Name() string { return "test" }
func (unstarted) Create(context.Context, clusters.Profile) (clusters.Cluster, error) {
	return nil, errors.New("no cluster today")
}

func profile(name string) clusters.Profile {
	return clusters.Profile{Metadata: clusters.Metadata{Name: name}}
}

// begun is a run of the profile default that has recorded nothing yet.
func begun(t *testing.T) *Run {
	t.Helper()
	r, err := Start(Options{
		Provider: unstarted{}, Profiles: []clusters.Profile{profile("default")}, Artifacts: t.TempDir(), Seed: 7,
		Plan: Plan{Sizes: []int{10}, Rounds: 1, Limit: 5, Consumers: []int{1}}, Clock: func() time.Time { return time.Unix(1e9, 7) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func observed(r *Run) Observation {
	seconds := 0.25
	return Observation{
		Profile: "default", KubernetesVersion: "v1.37.2", Nodes: []string{"worker-1"}, Plan: r.options.Plan, StartedAt: time.Unix(0, 7).UTC(),
		Watcher: map[string]watch.Requests{"pods": {Lists: 1, Watches: 1}},
		Sizes:   []Size{{Pods: 10, Lists: []ListSample{{Strategy: "full", Pages: []int{10}, Requests: []string{""}, ServerSeconds: &seconds}}, Informers: []InformerSample{}}},
	}
}

func TestARunIsReadAsItWasWritten(t *testing.T) {
	r := begun(t)
	o := observed(r)
	o.Sizes = nil
	for range 2 { // what was observed by then is replaced
		if err := r.record.keep(o); err != nil {
			t.Fatal(err)
		}
		o = observed(r)
	}
	if _, err := r.Finish(""); err != nil {
		t.Fatal(err)
	}
	got, err := Read(r.Dir())
	if err != nil {
		t.Fatal(err)
	}
	want := Recording{r.record.Manifest, []Observation{o}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Manifest.FinishedAt == nil || got.Manifest.Seed != 7 || got.Manifest.Provider != "test" {
		t.Errorf("%+v", got.Manifest)
	}
}

func TestWhatIsNoRecordingOfThisVersionIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ file, text, says string }{
		"another profile":    {"raw/default/listcost.json", `{"profile": "tuned"}`, "tuned"},
		"no JSON":            {"raw/default/listcost.json", `{"profile": "default"`, "listcost.json"},
		"a later version":    {"raw/listcost.json", `{"version": "podburst.dev/listcost-recording/v2"}`, "use the podburst that recorded it"},
		"no version":         {"raw/listcost.json", `{}`, "of format"},
		"no JSON, in raw":    {"raw/listcost.json", `{`, "listcost.json"},
		"a run of something": {"raw/run.json", `{}`, "name a folder that podburst list-cost wrote"},
	} {
		r := begun(t)
		if c.file == "raw/run.json" {
			if err := os.Remove(filepath.Join(r.Dir(), "raw", "listcost.json")); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(r.Dir(), filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(r.Dir()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAReaderStaysInTheFolder(t *testing.T) {
	r := begun(t)
	outside := filepath.Join(t.TempDir(), "default")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "listcost.json"), []byte(`{"profile": "default"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(r.Dir(), "raw", "default")); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(r.Dir()); err == nil {
		t.Errorf("it read %+v", got.Observations)
	}
}

// full is a disk on which nothing more can be written.
type full struct{ recording.Disk }

var errFull = errors.New("no space left on device")

func (full) MkdirAll(string, fs.FileMode) error { return errFull }

func TestAFolderThatCannotBeWrittenEndsTheRunBeforeAClusterIsStarted(t *testing.T) {
	_, err := Start(Options{Provider: unstarted{}, Profiles: []clusters.Profile{profile("default")}, Artifacts: t.TempDir(), Plan: DefaultPlan(), Files: full{}})
	if !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}
