package reports

import (
	"fmt"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/internal/document"
)

// ObjectiveTable shows the checks: each objective burst by burst, and over all valid bursts
// of a profile.
func ObjectiveTable(checks []slo.Result) *document.Table {
	t := document.NewTable("Objectives burst by burst, and over all valid bursts", "objective", "+ profile", " burst", "observed", "limit", "n", " verdict")
	for i := range checks {
		c := &checks[i]
		burst := "all"
		if c.Burst != 0 {
			burst = fmt.Sprint(c.Burst)
		}
		t.Row(c.Name, c.Profile, burst, c.ObservedSeconds, c.LimitSeconds, c.Samples, VerdictCell(c.Verdict))
	}
	return t
}
