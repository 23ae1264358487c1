package reports

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
)

func recorded(t *testing.T) (recording.Run, []slo.Objective) {
	t.Helper()
	run, err := recording.Read(filepath.Join("testdata", "run"))
	if err != nil {
		t.Fatal(err)
	}
	return run, []slo.Objective{{Name: "makespan", Phase: slo.Makespan, Stat: "max", Limit: metav1.Duration{Duration: 3 * time.Second}}}
}

// counting is a builder that counts how often it measured each burst.
func counting(objectives []slo.Objective) (*Builder, map[string]int) {
	b, times := NewBuilder(objectives), map[string]int{}
	once := b.measure
	b.measure = func(burst recording.Burst, profile recording.Profile, cpus int) (measuredBurst, error) {
		times[burst.OrderName()]++
		return once(burst, profile, cpus)
	}
	return b, times
}

func written(t *testing.T, r Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteJSON(&out, r); err != nil {
		t.Fatal(err)
	}
	for i := range r.Bursts {
		if err := r.WritePods(&out, i); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func TestAReportBuiltBurstByBurstIsTheSameAndMeasuresEachBurstOnce(t *testing.T) {
	run, objectives := recorded(t)
	if len(run.Bursts) < 5 {
		t.Fatalf("%d bursts say little", len(run.Bursts))
	}
	builder, times := counting(objectives)
	for n := range len(run.Bursts) + 1 {
		so := run
		so.Bursts = run.Bursts[:n]
		got, err := builder.Build(so)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Build(so, objectives)
		if err != nil {
			t.Fatal(err)
		}
		if written(t, got) != written(t, want) {
			t.Fatalf("after %d bursts the report is not that of Build", n)
		}
	}
	for name, n := range times {
		if n != 1 {
			t.Errorf("%s was measured %d times", name, n)
		}
	}
	if len(times) != len(run.Bursts) {
		t.Errorf("%d of %d bursts were measured", len(times), len(run.Bursts))
	}
}

func TestWhatIsLearnedAfterABurstIsInTheNextReport(t *testing.T) {
	run, objectives := recorded(t)
	for name, change := range map[string]func(r *recording.Run){
		"of the burst": func(r *recording.Run) {
			r.Bursts[1].CleanupSeconds = 77
			r.Bursts[1].Problems = append(r.Bursts[1].Problems, recording.Problem{Code: recording.ProblemComponentRestarted, Detail: "it restarted while cleaning up"})
		},
		"of its profile": func(r *recording.Run) {
			r.Profiles[0].Problems = append(r.Profiles[0].Problems, recording.Problem{Code: recording.ProblemSettingsMismatch, Detail: "50/100"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			builder, times := counting(objectives)
			if _, err := builder.Build(run); err != nil {
				t.Fatal(err)
			}
			later := run
			later.Bursts, later.Profiles = append([]recording.Burst{}, run.Bursts...), append([]recording.Profile{}, run.Profiles...)
			change(&later)
			got, err := builder.Build(later)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Build(later, objectives)
			if err != nil {
				t.Fatal(err)
			}
			if written(t, got) != written(t, want) {
				t.Error("the report is not that of Build")
			}
			again := 0
			for _, n := range times {
				again += n - 1
			}
			if again == 0 || again == len(run.Bursts) {
				t.Errorf("%d of %d bursts were measured again", again, len(run.Bursts))
			}
		})
	}
}
