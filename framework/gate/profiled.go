package gate

import (
	"fmt"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// profiled says why the arms cannot be compared if one of them has a profiled burst; empty
// if none has. That both were profiled does not help: profiling costs a component that
// works more also more.
func profiled(arms ...Arm) string {
	for _, arm := range arms {
		n := 0
		for i := range arm.Bursts {
			if arm.Bursts[i].Profiled {
				n++
			}
		}
		if n > 0 {
			return fmt.Sprintf("%d of %d bursts of %s were profiled (PPROF=1, --pprof), which slows the components: profiled bursts are never compared", n, len(arm.Bursts), arm.Name)
		}
	}
	return ""
}

// refuse returns an Invalid result without numbers for each endpoint.
func (c Criteria) refuse(base, head Arm, paired bool, why string) []Result {
	all := []Result{}
	for _, family := range c.families() {
		for _, criterion := range family.criteria {
			endpoint := criterion.Endpoint(nil)
			result := Result{
				Endpoint: endpoint.Name, Paired: paired, Margin: endpoint.Margin, FloorSeconds: stats.Seconds(endpoint.FloorSeconds),
				Verdict: verdict.Invalid, Message: endpoint.Name + ": not compared, because " + why,
			}
			all = append(all, result.of(base, head, family.gated))
		}
	}
	return all
}
