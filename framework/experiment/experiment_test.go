package experiment

import (
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
)

// countingDisk counts how often each file below raw/ is renamed into place.
type countingDisk struct {
	recording.Disk
	mu      sync.Mutex
	written map[string]int
}

func (d *countingDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, name, _ := strings.Cut(filepath.ToSlash(to), "/raw/")
	d.written[name]++
	return d.Disk.Rename(from, to)
}

// updateBurst once replaced the last burst, whichever it was, and so another arm's.
func TestTwoArmsThatEndAtTheSameTimeKeepTheirOwnBursts(t *testing.T) {
	disk := &countingDisk{written: map[string]int{}}
	e, err := Start(Options{
		FileSystem: disk,
		Provider:   provider{}, Plan: Plan{
			Spec: burst.Spec{Load: load.Job{Pods: 8}}, Bursts: 1, Warmup: 10, Artifacts: t.TempDir(),
			Profiles: []clusters.Profile{{Metadata: clusters.Metadata{Name: "a"}}, {Metadata: clusters.Metadata{Name: "b"}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.options.Warmup; got != 8 {
		t.Errorf("a warm-up of %d pods, which is more than the burst's 8", got)
	}
	var added, arms sync.WaitGroup
	added.Add(2)
	for _, name := range []string{"a", "b"} {
		if err := e.addProfile(recording.Profile{Name: name}); err != nil {
			t.Fatal(err)
		}
		arms.Go(func() {
			b := synthetic.Burst(synthetic.Options{Profile: name, Index: 1})
			if err := e.addBurst(b); err != nil {
				t.Error(err)
			}
			added.Done()
			added.Wait() // both are recorded, and now both learn how long cleaning up took
			b.CleanupSeconds = map[string]float64{"a": 1, "b": 2}[name]
			if err := e.updateBurst(b); err != nil {
				t.Error(err)
			}
		})
	}
	arms.Wait()
	read, err := recording.Read(e.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []recording.Run{e.Run(), read} {
		if len(run.Bursts) != 2 {
			t.Fatalf("%d bursts, want 2", len(run.Bursts))
		}
		for _, b := range run.Bursts {
			if want := map[string]float64{"a": 1, "b": 2}[b.Profile]; b.CleanupSeconds != want {
				t.Errorf("burst of %s was cleaned up in %v s, want %v", b.Profile, b.CleanupSeconds, want)
			}
		}
	}
	for name, times := range disk.written {
		want := map[string]int{"run.json": 3, "burst.json": 2}[path.Base(name)] // the manifest has the order of bursts
		if times != max(want, 1) {
			t.Errorf("%s was written %d times, want %d", name, times, max(want, 1))
		}
	}
	if err := e.updateBurst(synthetic.Burst(synthetic.Options{Profile: "a", Index: 7})); err == nil {
		t.Error("a burst that was never recorded was updated")
	}
}
