// Package specimen makes reports for the tests of every format: the recording that golden
// files are made from, and runs that push a format to its limits. It is for tests only.
package specimen

import (
	"bytes"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/reports"
)

// Hostile is a name that has a special meaning to a terminal, a browser, a shell, a
// spreadsheet or a parser.
const Hostile = "=cmd|' /C calc'!A0,a<b>&\"'`|\\\x1b[31m\u202ereversed\r\nnew](http://evil) @someone :::/=%\x00\xff"

// Folder returns the folder of the checked-in recording.
func Folder() string { return folder("run") }

func folder(name string) string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata", name)
}

// Recorded returns one of the checked-in recordings.
func Recorded(t testing.TB, name string) recording.Run {
	t.Helper()
	run, err := recording.Read(folder(name))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Golden returns the report of the checked-in recording: 2 profiles with a warm-up and 2
// bursts of 8 pods each, the last burst invalid.
func Golden(t testing.TB) *reports.Report {
	t.Helper()
	return Build(t, Recorded(t, "run"))
}

// Kind returns the report of the checked-in recording of 100 real pods.
func Kind(t testing.TB) *reports.Report {
	t.Helper()
	return Build(t, Recorded(t, "kind"))
}

// Build is reports.Build with the shipped objectives.
func Build(t testing.TB, run recording.Run) *reports.Report {
	t.Helper()
	objectives, err := slo.LoadOrDefault("")
	if run.Passive() {
		objectives, err = slo.LoadForPassive("")
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := reports.Build(run, objectives.Spec.Objectives)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// Text returns what a format writes for a report.
func Text(t testing.TB, r *reports.Report, write func(io.Writer, *reports.Report) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Run returns a finished run of the bursts, all of one profile.
func Run(bursts ...recording.Burst) recording.Run {
	start := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	run := recording.Run{
		Manifest: recording.Manifest{ID: "run", StartedAt: start, FinishedAt: &start, Provider: "embedded", Profiles: []string{"default"}, BurstsPerProfile: 1},
		Profiles: []recording.Profile{{Name: "default", Provider: "embedded"}},
		Bursts:   bursts,
	}
	if len(bursts) > 0 {
		name := bursts[0].Profile
		run.Manifest.Profiles, run.Profiles[0].Name = []string{name}, name
	}
	return run
}

// Named returns a run that has name wherever a name comes from outside.
func Named(name string) recording.Run {
	b := synthetic.Burst(synthetic.Options{Index: 1})
	b.Profile = name
	pod := b.Watch[0].Name
	for i := range b.Watch {
		if o := &b.Watch[i]; o.Name == pod {
			o.Name = name
		}
		if o := &b.Watch[i]; o.Node != "" {
			o.Node = name
		}
	}
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Name == pod {
			e.Name = name
		}
		if e := &b.Audit[i]; e.TargetNode != "" {
			e.TargetNode = name
		}
	}
	b.WorkerNodes = []string{name}
	b.Usage = []recording.UsageSample{{At: b.Submit, Account: name}, {At: b.End, Account: name, CPUSeconds: 1}}
	b.UsageErrors = map[string]string{name: name}
	run := Run(b)
	run.Manifest.ID, run.Manifest.Provider, run.Manifest.Interrupted = name, name, name
	run.Profiles[0].Provider, run.Profiles[0].KubernetesVersion, run.Profiles[0].Nodes = name, name, []string{name}
	run.Unfinished = []string{name}
	return run
}

// Observed returns a run that observed six pods that others had made: nobody knows when
// they were submitted.
func Observed() recording.Run {
	b := synthetic.Burst(synthetic.Options{Pods: 6, Index: 1, NoAudit: true})
	b.Profile, b.Namespace, b.EndReason = "observed", "shop", recording.EndSettled
	b.Passive = &recording.Passive{Selector: "app=web", Began: b.Submit, SettleSeconds: 10}
	b.Submit, b.SubmitReturned, b.Workload, b.Metrics, b.AuditUnavailable = time.Time{}, time.Time{}, recording.Workload{}, nil, "not available"
	run := Run(b)
	run.Manifest.Provider, run.Profiles[0].Provider = "existing", "existing"
	return run
}

// Pods returns the report of one valid burst with that many pods.
func Pods(t testing.TB, pods int) *reports.Report {
	t.Helper()
	return Build(t, Run(synthetic.Burst(synthetic.Options{Index: 1, Pods: pods, Nodes: max(2, pods/100)})))
}

// Extremes returns reports that push every format to its limits, by what is odd about them.
func Extremes(t testing.TB) map[string]*reports.Report {
	t.Helper()
	invalid := synthetic.Burst(synthetic.Options{Index: 1})
	invalid.Watch = invalid.Watch[:len(invalid.Watch)/2]
	invalid.Audit = invalid.Audit[:len(invalid.Audit)/2]
	invalid.Problems = []recording.Problem{{Code: "some", Detail: "reason"}}
	none := synthetic.Burst(synthetic.Options{Index: 1})
	none.Watch, none.Audit = nil, nil
	quoting := Named(Hostile)
	quoting.Bursts[0].Problems = []recording.Problem{{Code: Hostile, Detail: Hostile}, {Code: "other", Detail: Hostile}}
	return map[string]*reports.Report{
		"golden":         Golden(t),
		"real pods":      Kind(t),
		"zero bursts":    Build(t, Run()),
		"one pod":        Pods(t, 1),
		"5,000 pods":     Pods(t, 5000),
		"all invalid":    Build(t, Run(invalid)),
		"nothing seen":   Build(t, Run(none)),
		"no audit log":   Build(t, Run(synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true}))),
		"pods of others": Build(t, Observed()),
		"hostile names":  Build(t, Named(Hostile)),
		"hostile faults": Build(t, quoting),
		"253 characters": Build(t, Named(strings.Repeat("x", 253))),
		"right to left":  Build(t, Named("פרופיל-عربي")),
	}
}
