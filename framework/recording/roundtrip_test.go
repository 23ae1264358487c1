package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 29, 15, 4, 5, 123456789, time.UTC)

func fixedOptions() []Option {
	return []Option{
		WithClock(func() time.Time { return start.Add(time.Hour) }),
		WithRandom(bytes.NewReader([]byte{0xab, 0xcd})),
	}
}

var waited = 0.25

func aBurst(profile string, index int) Burst {
	return Burst{
		Profile: profile, Index: index, Pods: 2, Namespace: "ns", Workload: Job("job", "job-uid"),
		BurstID: "b1", Submit: start, SubmitReturned: start.Add(time.Millisecond), End: start.Add(time.Second),
		EndReason: EndAllReady,
		Watch: []Observation{
			{At: start.Add(5 * time.Millisecond), Type: "added", UID: "u1", Name: "p<1>", OwnerUID: "job-uid", Created: start.Truncate(time.Second)},
			{At: start.Add(9 * time.Millisecond), Type: "modified", UID: "u1", Name: "p<1>", Phase: "Running", Created: start.Truncate(time.Second),
				Conditions: []Condition{{Type: "Ready", Status: "True"}}, Containers: Containers{Total: 1, Running: 1}},
		},
		Audit:  []AuditEvent{{AuditID: "a", Verb: "create", Resource: "pods", Code: 201, Received: start, Completed: start}},
		Events: []KubeEvent{{At: start, Reason: "Pulling", Kind: "Pod", Name: "p", Count: 1}},
		Usage: []UsageSample{
			{At: start, Account: AccountMachine, CPUSeconds: 7},
			{At: start.Add(time.Second), Account: AccountMachine, CPUSeconds: 8.5, RunQueueSeconds: &waited, MemoryBytes: 1 << 30},
		},
		UsageErrors: map[string]string{"etcd": "after 1 samples: process 7 has ended"},
		Metrics: map[string]MetricsPair{
			"kube-scheduler":   {Before: []byte("a 1\n"), After: []byte("a 2\n")},
			"kubelet-NODE:../": {Before: []byte("b 1\n"), After: []byte("b 2\n")},
		},
		Profiled: true, ProfileErrors: map[string]string{"etcd": "no right"},
		CPUProfiles: map[string][]byte{"kube-scheduler": {0x1f, 0x8b, 0}, "kubelet-NODE:../": {0x1f}},
	}
}

// writeRun writes a run of one profile and its bursts and returns its folder.
func writeRun(t *testing.T, bursts ...Burst) string {
	t.Helper()
	w, err := Create(t.TempDir(), Manifest{StartedAt: start, Profiles: []string{"tuned", "default"}, BurstsPerProfile: 1}, fixedOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bursts {
		if err := w.WriteProfile(Profile{Name: b.Profile, Provider: "embedded"}); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteBurst(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return w.Dir()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	// The order of submission is not the alphabetical one.
	second, first := aBurst("default", 1), aBurst("tuned", 1)
	warmup := aBurst("tuned", 0)
	warmup.Warmup = true
	dir := writeRun(t, warmup, first, second)
	if want := "20261129T150405Z-abcd"; filepath.Base(dir) != want {
		t.Errorf("run folder is %s, want %s", filepath.Base(dir), want)
	}

	run, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run.Bursts, []Burst{warmup, first, second}; !reflect.DeepEqual(got, want) {
		t.Errorf("bursts differ:\n got %+v\nwant %+v", got, want)
	}
	if got, want := run.Manifest.Order, []string{"tuned/warmup", "tuned/burst-1", "default/burst-1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("order is %q, want %q", got, want)
	}
	if run.Manifest.FinishedAt == nil || !run.Manifest.FinishedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("finished at %v, want the clock's time", run.Manifest.FinishedAt)
	}
	if len(run.Profiles) != 2 || run.Profiles[0].Name != "tuned" {
		t.Errorf("profiles are %+v, want the manifest's order", run.Profiles)
	}
	if len(run.Unfinished) != 0 {
		t.Errorf("unfinished folders in a whole run: %q", run.Unfinished)
	}
}

func TestAnInterruptedRunNeverCountsAsFinished(t *testing.T) {
	w, err := Create(t.TempDir(), Manifest{}, fixedOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []error{w.Interrupt("signal: interrupt"), w.Interrupt("later"), w.Finish()} {
		if step != nil {
			t.Fatal(step)
		}
	}
	run, err := Read(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if m := run.Manifest; m.FinishedAt != nil || m.Interrupted != "signal: interrupt" {
		t.Errorf("manifest is %+v, want the first reason and no end", m)
	}
}

func TestCreateRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	taken := t.TempDir()
	if _, err := Create(taken, Manifest{ID: "run"}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ dir, id, want string }{
		"an artifacts folder that is a file": {file, "run", "cannot be written; make it writable or name another one"},
		"an id that climbs out":              {t.TempDir(), "../run", "use letters, digits"},
		"an id with a colon":                 {t.TempDir(), "15:04", "use letters, digits"},
		"a folder that holds a run":          {taken, "run", "holds a run already"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Create(c.dir, Manifest{ID: c.id})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one that says %q", err, c.want)
			}
		})
	}
}

func TestTheRunIDCannotChange(t *testing.T) {
	w, err := Create(t.TempDir(), Manifest{ID: "run"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteManifest(Manifest{ID: "other"}); err == nil {
		t.Error("another id was taken")
	}
}

func TestFilesAreReadableForAll(t *testing.T) {
	dir := writeRun(t, aBurst("default", 1))
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if strings.ContainsAny(d.Name(), ":\\") || strings.HasPrefix(d.Name(), ".tmp") {
			t.Errorf("%s: not a name for artifacts", path)
		}
		if want := map[bool]os.FileMode{true: 0o755, false: 0o644}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
