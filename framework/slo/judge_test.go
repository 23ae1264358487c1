package slo

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

func limit(stat string, most time.Duration, scope Scope, profiles ...string) Objective {
	return Objective{Name: "o", Phase: "pod_startup", Stat: stat, Limit: metav1.Duration{Duration: most}, Scope: scope, Profiles: profiles}
}

func burst(index int, seconds ...float64) Burst {
	return Burst{Profile: "p", Index: index, Valid: true, Phases: map[string]Samples{"pod_startup": {Seconds: seconds}}}
}

func with(b Burst, change func(*Burst)) Burst {
	change(&b)
	return b
}

// show returns what the tables compare: scope, burst, verdict and message.
func show(results []Result) string {
	var lines []string
	for _, r := range results {
		lines = append(lines, fmt.Sprintf("%s %d %s | %s", r.Scope, r.Burst, r.Verdict, r.Message))
	}
	return strings.Join(lines, "\n")
}

func TestJudge(t *testing.T) {
	makespan := Objective{Name: "m", Phase: Makespan, Stat: "max", Limit: metav1.Duration{Duration: 5 * time.Second}}
	took := func(index int, seconds stats.Seconds) Burst {
		return Burst{Profile: "p", Index: index, Valid: true, MakespanSeconds: &seconds}
	}
	invalid := func(b *Burst) { b.Valid = false }
	warmup := func(b *Burst) { b.Warmup, b.Index = true, 0 }
	for _, test := range []struct {
		name      string
		objective Objective
		bursts    []Burst
		want      string
	}{
		{"each burst, then all together", limit("max", 2*time.Second, ""), []Burst{burst(1, 1, 2), burst(2, 3)},
			`burst 1 pass | p, burst 1: pod_startup max is 2.00 s, within its limit of 2.00 s (n = 2)
burst 2 fail | p, burst 2: pod_startup max is 3.00 s, above its limit of 2.00 s by 50 % (n = 1)
profile 0 fail | p, all valid bursts: pod_startup max is 3.00 s, above its limit of 2.00 s by 50 % (n = 3)`},
		// Pooled 1 1 1 9: rank ceil(0.5·4) = 2 is 1.00 s, though burst 2's own median is 9.00 s.
		{"pooled pods, not an average of bursts", limit("p50", time.Second, ScopeProfile), []Burst{burst(1, 1, 1, 1), burst(2, 9)},
			"profile 0 pass | p, all valid bursts: pod_startup p50 is 1.00 s, within its limit of 1.00 s (n = 4, nearest-rank quantile)"},
		{"only bursts", limit("p99", time.Second, ScopeBurst), []Burst{burst(1, 1)},
			"burst 1 pass | p, burst 1: pod_startup p99 is 1.00 s, within its limit of 1.00 s (n = 1, nearest-rank quantile)"},
		{"above the limit in the seventh digit", limit("mean", time.Second, ScopeBurst), []Burst{burst(1, 1.0000001)},
			"burst 1 fail | p, burst 1: pod_startup mean is 1.0000001 s, above its limit of 1 s by 0.00001 % (n = 1)"},
		{"invalid bursts and warm-ups are left out", limit("max", 2*time.Second, ""),
			[]Burst{with(burst(0, 99), warmup), with(burst(1, 99), invalid), burst(2, 1)},
			`burst 2 pass | p, burst 2: pod_startup max is 1.00 s, within its limit of 2.00 s (n = 1)
profile 0 pass | p, all valid bursts: pod_startup max is 1.00 s, within its limit of 2.00 s (n = 1)`},
		{"no valid burst, whatever the scope", limit("max", 2*time.Second, ScopeBurst), []Burst{with(burst(0, 1), warmup), with(burst(1, 1), invalid)},
			"profile 0 invalid | p, all valid bursts: pod_startup max not judged against its limit of 2.00 s: the profile has no valid burst, so there is nothing to judge"},
		{"no burst at all", limit("max", 2*time.Second, ""), nil,
			"profile 0 invalid | p, all valid bursts: pod_startup max not judged against its limit of 2.00 s: the profile has no valid burst, so there is nothing to judge"},
		{"zero samples", limit("max", 2*time.Second, ScopeProfile), []Burst{burst(1)},
			"profile 0 invalid | p, all valid bursts: pod_startup max not judged against its limit of 2.00 s: burst 1: pod_startup has no samples"},
		{"missing samples of one burst spoil the pool", limit("max", 2*time.Second, ""),
			[]Burst{burst(1, 1), with(burst(2, 1, 1), func(b *Burst) { b.Phases["pod_startup"] = Samples{[]float64{1, 1}, 1} })},
			`burst 1 pass | p, burst 1: pod_startup max is 1.00 s, within its limit of 2.00 s (n = 1)
burst 2 invalid | p, burst 2: pod_startup max not judged against its limit of 2.00 s: pod_startup is missing for 1 of 3 pods, and the slowest may be among them
profile 0 invalid | p, all valid bursts: pod_startup max not judged against its limit of 2.00 s: burst 2: pod_startup is missing for 1 of 3 pods, and the slowest may be among them`},
		{"an unavailable phase", limit("max", 2*time.Second, ScopeBurst), []Burst{with(burst(1), func(b *Burst) { b.Phases = nil })},
			"burst 1 invalid | p, burst 1: pod_startup max not judged against its limit of 2.00 s: pod_startup is not available from this provider"},
		{"a sample that is no number", limit("max", 2*time.Second, ScopeBurst), []Burst{burst(1, math.NaN())},
			"burst 1 invalid | p, burst 1: pod_startup max not judged against its limit of 2.00 s: summarize: sample 1 of 1 is NaN"},
		{"a statistic that nobody validated", limit("p42", 2*time.Second, ScopeBurst), []Burst{burst(1, 1)},
			"burst 1 invalid | p, burst 1: pod_startup p42 not judged against its limit of 2.00 s: unknown statistic \"p42\": known are min, mean, p50, p90, p95, p99, max"},
		{"makespans: the bursts are the samples", makespan, []Burst{took(1, 4), took(2, 6)},
			`burst 1 pass | p, burst 1: makespan max is 4.00 s, within its limit of 5.00 s (n = 1, one a burst)
burst 2 fail | p, burst 2: makespan max is 6.00 s, above its limit of 5.00 s by 20 % (n = 1, one a burst)
profile 0 fail | p, all valid bursts: makespan max is 6.00 s, above its limit of 5.00 s by 20 % (n = 2, one a burst)`},
		{"no makespan", makespan, []Burst{burst(1, 1)},
			`burst 1 invalid | p, burst 1: makespan max not judged against its limit of 5.00 s: there is no makespan, for not every pod was ready
profile 0 invalid | p, all valid bursts: makespan max not judged against its limit of 5.00 s: burst 1: there is no makespan, for not every pod was ready`},
		{"an objective for another profile", limit("max", time.Second, "", "q"), []Burst{burst(1, 1)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			results, _ := Judge([]Objective{test.objective}, []string{"p"}, test.bursts)
			if got := show(results); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			for _, r := range results {
				if (r.ObservedSeconds == nil) != (r.Verdict == verdict.Invalid) {
					t.Errorf("observed %v with verdict %s", r.ObservedSeconds, r.Verdict)
				}
				if r.Name == "" || r.Profile != "p" || r.LimitSeconds <= 0 {
					t.Errorf("incomplete: %+v", r)
				}
			}
		})
	}
}

func TestJudgeKeepsTheOrderOfProfilesAndForgetsNone(t *testing.T) {
	other := with(burst(1, 1), func(b *Burst) { b.Profile = "unplanned" })
	results, _ := Judge([]Objective{limit("max", time.Second, ScopeProfile)}, []string{"z", "p", "z"}, []Burst{other, burst(1, 1)})
	var got []string
	for _, r := range results {
		got = append(got, r.Profile+" "+string(r.Verdict))
	}
	if want := "z invalid, p pass, unplanned pass"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestJudgeLeavesItsInputAlone(t *testing.T) {
	b := burst(1, 3, 1, 2)
	Judge([]Objective{limit("p50", time.Second, "")}, []string{"p"}, []Burst{b, burst(2, 0)})
	if got := b.Phases["pod_startup"].Seconds; got[0] != 3 || got[1] != 1 || got[2] != 2 {
		t.Errorf("samples became %v", got)
	}
}

// A limit of a microsecond used to be printed as "0 s", missed "by 7.9e+07 %".
func TestATinyLimitIsNotPrintedAsZero(t *testing.T) {
	r := Result{Profile: "p", Scope: ScopeBurst, Burst: 1, Phase: "pod_startup", Stat: "max", LimitSeconds: 1e-6, Samples: 1, Verdict: verdict.Fail}
	if got, want := r.sentence(0.791), "p, burst 1: pod_startup max is 791 ms, above its limit of 1 µs by a factor of 791000 (n = 1)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnObjectiveCanBeLeftOutWhereItsPhaseCannotBeMeasured(t *testing.T) {
	o := Objective{Name: "o", Phase: "run_to_observed", Stat: "max", Limit: metav1.Duration{Duration: time.Second}, WhereAvailable: true}
	without := Burst{Profile: "p", Index: 1, Valid: true, Phases: map[string]Samples{}}
	got, left := Judge([]Objective{o}, []string{"p"}, []Burst{without})
	want := LeftOut{Name: "o", Profile: "p", Reason: "run_to_observed is not available from this provider"}
	if len(got) != 0 || len(left) != 1 || left[0] != want {
		t.Errorf("%+v, left out %+v", got, left)
	}
	with := Burst{Profile: "p", Index: 2, Valid: true, Phases: map[string]Samples{"run_to_observed": {Seconds: []float64{0.1}}}}
	got, left = Judge([]Objective{o}, []string{"p"}, []Burst{without, with})
	if len(left) != 0 {
		t.Errorf("one burst has the phase, and yet %+v", left)
	}
	for _, r := range got {
		if r.Burst == 1 && r.Verdict != verdict.Invalid {
			t.Errorf("one burst of two lacks the phase: %+v", r)
		}
	}
	if got, left := Judge([]Objective{o}, []string{"p"}, nil); len(got) != 1 || got[0].Verdict != verdict.Invalid || len(left) != 0 {
		t.Errorf("no burst at all: %+v, left out %+v", got, left)
	}
}

func TestWithoutAnAuditLogRunToObservedDoesNotPass(t *testing.T) {
	b := Burst{Profile: "p", Index: 1, Valid: true, Phases: map[string]Samples{}}
	o := Objective{Name: "o", Phase: "run_to_observed", Stat: "p99", Limit: metav1.Duration{Duration: time.Second}}
	results, _ := Judge([]Objective{o}, []string{"p"}, []Burst{b})
	for _, r := range results {
		if r.Verdict == verdict.Pass {
			t.Errorf("%+v", r)
		}
	}
}

func TestTimesThatDifferReadApart(t *testing.T) {
	for observed, want := range map[float64]string{
		4.342515: "is 4.3425 s, within its limit of 4.343 s", 34.5: "is 34.5 s, above its limit of 4.34 s by 694 %", 60: "above its limit of 4.34 s by a factor of 13.8",
	} {
		r := Result{Profile: "p", Phase: "total", Stat: "max", LimitSeconds: 4.343, Samples: 1, Verdict: verdict.Pass}
		if stats.Seconds(observed) > r.LimitSeconds {
			r.Verdict = verdict.Fail
		}
		if got := r.sentence(stats.Seconds(observed)); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}
