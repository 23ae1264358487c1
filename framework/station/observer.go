package station

import "github.com/podburst/podburst/framework/recording"

// Observer is the row of podburst itself. Its client has no limiter (a client with one
// is refused), so only the API server can have put it off, which it says by 429. Its
// requests are those of whoever submitted the workload.
func Observer(b recording.Burst) Limiter {
	own := Limiter{Component: "observer", Waited: b.Health.Throttled, RequestsSource: fromPods, Regime: Idle}
	if own.Waited > 0 {
		own.Regime = Queueing
	}
	if b.Passive != nil { // it submitted nothing, and watches are not limited
		return own
	}
	own.Requests = 1
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Resource == b.Workload.Resource && e.Verb == "create" && e.UID == b.Workload.UID {
			own.RequestsSource, own.Requests = fromAudit, 0
			for k := range b.Audit {
				if b.Audit[k].User == e.User && b.Audit[k].UserAgent == e.UserAgent {
					own.Requests++
				}
			}
			break
		}
	}
	own.PassedRequests, own.NeededRequests = own.Requests, 1
	return own
}
