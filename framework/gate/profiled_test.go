package gate

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

func armWith(name string, profiled int) Arm {
	arm := Arm{Name: name}
	for i := range 8 {
		makespan := stats.Seconds(10)
		arm.Bursts = append(arm.Bursts, Burst{Block: i + 1, MakespanSeconds: &makespan, Profiled: i < profiled})
	}
	return arm
}

// Profiling costs a component that works more also more, so that two profiled arms are no
// more alike than one profiled and one not.
func TestProfiledBurstsAreNeverCompared(t *testing.T) {
	criteria := DefaultCriteria()
	for name, c := range map[string]struct {
		base, head int
		refused    string
	}{
		"neither": {0, 0, ""}, "the base": {8, 0, "8 of 8 bursts of before were profiled"},
		"one burst of the head": {0, 1, "1 of 8 bursts of after were profiled"}, "both": {8, 8, "8 of 8 bursts of before were profiled"},
	} {
		t.Run(name, func(t *testing.T) {
			base, head := armWith("before", c.base), armWith("after", c.head)
			paired, err := criteria.Compare(base, head, Options{Looks: 1})
			if err != nil {
				t.Fatal(err)
			}
			unpaired, err := criteria.CompareUnpaired(base, head)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range append(paired, unpaired...) {
				sane(t, r)
				if r.Endpoint != slo.Makespan && c.refused == "" {
					continue // these arms have no phases
				}
				if want := strings.Contains(r.Message, c.refused+" (PPROF=1, --pprof)"); c.refused != "" && (!want || r.Verdict != verdict.Invalid || r.Ratio != nil) {
					t.Errorf("%s: %s: %s, want %q", r.Endpoint, r.Verdict, r.Message, c.refused)
				}
				if c.refused == "" && r.Verdict == verdict.Invalid {
					t.Errorf("%s: %s: %s", r.Endpoint, r.Verdict, r.Message)
				}
				if r.Base != "before" || r.Head != "after" || r.Pairs == nil {
					t.Errorf("incomplete: %+v", r)
				}
			}
			if _, err := criteria.Suggest(base, head); c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
				t.Errorf("margins were suggested: %v", err)
			}
		})
	}
}
