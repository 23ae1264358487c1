package reports

import (
	"fmt"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// ObjectiveTable shows the checks of phases: each objective burst by burst, and over all
// valid bursts of a profile. CallTable shows the others.
func ObjectiveTable(checks []slo.Result) *document.Table {
	t := document.NewTable("Objectives burst by burst, and over all valid bursts", "objective", "+ profile", " burst", "observed", "limit", "n", " verdict")
	for i := range checks {
		if c := &checks[i]; c.Call == "" {
			t.Row(c.Name, c.Profile, checkedBurst(c), c.ObservedSeconds, c.LimitSeconds, c.Samples, VerdictCell(c.Verdict))
		}
	}
	return t
}

func checkedBurst(c *slo.Result) string {
	if c.Burst == 0 {
		return "all"
	}
	return fmt.Sprint(c.Burst)
}

// CallTable shows the checks of API calls. If all is false, it folds those that pass into
// one row for each objective and burst, of the slowest.
func CallTable(checks []slo.Result, all bool) *document.Table {
	t := document.NewTable("Objectives on calls to the API server, each kind by itself", "objective", "+ profile", " burst", "kinds", " call", "observed", "limit", "n", " read from", " verdict")
	type group struct {
		name, profile string
		burst         int
	}
	if !all {
		t.Note = "Of the kinds of calls that met an objective, only the slowest is shown."
	}
	kinds, slowest := map[group]int{}, map[group]*slo.Result{}
	for i := range checks {
		if c := &checks[i]; c.Call != "" && c.Verdict == verdict.Pass && !all {
			g := group{c.Name, c.Profile, c.Burst}
			kinds[g]++
			if slowest[g] == nil || Worse(c, slowest[g]) {
				slowest[g] = c
			}
		}
	}
	for i := range checks {
		c := &checks[i]
		if c.Call == "" {
			continue
		}
		call, n := humanize.Shorten(c.Call, 80), 1
		if g := (group{c.Name, c.Profile, c.Burst}); kinds[g] > 0 && c.Verdict == verdict.Pass {
			if slowest[g] != c {
				continue
			}
			n = kinds[g]
		}
		t.Row(c.Name, c.Profile, checkedBurst(c), n, call, Observed(c), c.LimitSeconds, c.Samples, humanize.OrDash(string(c.Source)), VerdictCell(c.Verdict))
	}
	return t
}

// Observed is what a check observed: "12 ms", or bounds: "10 ms to 50 ms".
func Observed(c *slo.Result) string {
	switch {
	case c.ObservedSeconds != nil:
		return c.ObservedSeconds.String()
	case c.ObservedLow != nil && c.ObservedHigh != nil:
		return c.ObservedLow.String() + " to " + c.ObservedHigh.String()
	}
	return "-"
}

// Worse tells whether a has the graver verdict of two checks or, with the same, the larger
// value.
func Worse(a, b *slo.Result) bool {
	if d := verdict.Compare(a.Verdict, b.Verdict); d != 0 {
		return d < 0
	}
	return atMost(a) > atMost(b)
}

// atMost is the largest value that the check can have observed.
func atMost(c *slo.Result) stats.Seconds {
	switch {
	case c.ObservedSeconds != nil:
		return *c.ObservedSeconds
	case c.ObservedHigh != nil:
		return *c.ObservedHigh
	}
	return -1
}

// LeftOutLines says in sentences what was left out of the objectives of a profile, or of
// all profiles if it is empty.
func (r *Report) LeftOutLines(profile string) []string {
	var lines []string
	for i := range r.SLOLeftOut {
		l := &r.SLOLeftOut[i]
		if profile != "" && l.Profile != profile {
			continue
		}
		of := l.Name
		if profile == "" {
			of += " (" + l.Profile + ")"
		}
		if l.Part != "" {
			lines = append(lines, fmt.Sprintf("Objective %s is left out for %s: %s.", of, l.Part, l.Reason))
		} else {
			lines = append(lines, fmt.Sprintf("Objective %s is left out: %s.", of, l.Reason))
		}
	}
	return lines
}
