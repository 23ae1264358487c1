package slo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/apicall"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/verdict"
)

var (
	createPods = apicall.Call{Verb: "create", Resource: "pods", Scope: apicall.OneObject}
	binding    = apicall.Call{Verb: "create", Resource: "pods", Subresource: "binding", Scope: apicall.OneObject}
	listNodes  = apicall.Call{Verb: "list", Resource: "nodes", Scope: apicall.Cluster}
)

func exact(seconds ...float64) apicall.Latencies { return apicall.Latencies{Seconds: seconds} }

// within is one request that took more than low and at most high.
func within(low, high float64) apicall.Latencies {
	return apicall.Latencies{Buckets: []apicall.Bucket{{Low: low, High: high, Count: 1}}, BucketSeconds: high}
}

type calls = map[apicall.Call]apicall.Latencies

func called(index int, audited, exposed calls) Burst {
	return Burst{Profile: "p", Index: index, Valid: true, Calls: apicall.Calls{Audited: audited, Exposed: exposed}}
}

func blind(b Burst, err error) Burst {
	b.Calls.Err = err
	return b
}

func callLimit(a APICalls, most time.Duration, scope Scope) Objective {
	return Objective{Name: "o", APICalls: &a, Stat: "max", Limit: metav1.Duration{Duration: most}, Scope: scope}
}

func TestJudgeCalls(t *testing.T) {
	pods := APICalls{Resource: "pods", Verb: "create"}
	mutating := APICalls{Resource: Any, Class: Mutating}
	const audit = "from the audit log: of the burst's namespace only, with the time in webhooks and in priority and fairness"
	const metrics = "bounds from the API server's metrics: of the whole cluster, without the time in webhooks and in priority and fairness"
	fell := fmt.Errorf("%w: x", evidence.ErrFell)
	noRight := fmt.Errorf("%w: no right", evidence.ErrUnavailable)
	available := func(o Objective) Objective { o.WhereAvailable = true; return o }
	for _, test := range []struct {
		name      string
		objective Objective
		bursts    []Burst
		want      string
	}{
		{"exact and within", callLimit(pods, time.Second, ""), []Burst{called(1, calls{createPods: exact(0.2, 0.4)}, nil)},
			"burst 1 pass | p, burst 1: create pods max is 400 ms, within its limit of 1.00 s (2 requests, " + audit + ")\n" +
				"profile 0 pass | p, all valid bursts: create pods max is 400 ms, within its limit of 1.00 s (2 requests, " + audit + ")"},
		{"exact and above", callLimit(pods, time.Second, ScopeBurst), []Burst{called(1, calls{createPods: exact(0.2, 1.5)}, nil)},
			"burst 1 fail | p, burst 1: create pods max is 1.50 s, above its limit of 1.00 s by 50 % (2 requests, " + audit + ")"},
		{"both bounds within", callLimit(pods, time.Second, ScopeBurst), []Burst{called(1, nil, calls{createPods: within(0.8, 1)})},
			"burst 1 pass | p, burst 1: create pods max is above 800 ms and at most 1.00 s, within its limit of 1.00 s (1 request, " + metrics + ")"},
		{"a lower bound at the limit: the value is above it", callLimit(pods, time.Second, ScopeBurst), []Burst{called(1, nil, calls{createPods: within(1, 1.25)})},
			"burst 1 fail | p, burst 1: create pods max is above 1.00 s and at most 1.25 s, above its limit of 1.00 s (1 request, " + metrics + ")"},
		{"a mean is exact in metrics, too", func() Objective { o := callLimit(pods, time.Second, ScopeBurst); o.Stat = "mean"; return o }(), []Burst{called(1, nil, calls{createPods: within(0.2, 0.4)})},
			"burst 1 pass | p, burst 1: create pods mean is 400 ms, within its limit of 1.00 s (1 request, " + strings.TrimPrefix(metrics, "bounds ") + ")"},
		{"the limit inside of the bucket", callLimit(pods, 900*time.Millisecond, ScopeBurst), []Burst{called(1, nil, calls{createPods: within(0.8, 1)})},
			"burst 1 inconclusive | p, burst 1: create pods max is above 800 ms and at most 1.00 s: its limit of 900 ms lies between these bounds, so nothing can be said (1 request, " + metrics + ")"},
		{"a slow kind does not hide among fast ones", callLimit(mutating, time.Second, ScopeProfile),
			[]Burst{called(1, calls{createPods: exact(0.1, 0.1, 0.1), binding: exact(2)}, calls{listNodes: within(40, 50)})},
			"profile 0 pass | p, all valid bursts: create pods max is 100 ms, within its limit of 1.00 s (3 requests, " + audit + ")\n" +
				"profile 0 fail | p, all valid bursts: create pods/binding max is 2.00 s, above its limit of 1.00 s by 100 % (1 request, " + audit + ")"},
		{"bursts of both sources", callLimit(pods, time.Second, ScopeProfile),
			[]Burst{called(1, calls{createPods: exact(0.9)}, nil), called(2, nil, calls{createPods: within(0.5, 0.8)})},
			"profile 0 pass | p, all valid bursts: create pods max is 900 ms, within its limit of 1.00 s (2 requests, from the audit log of some bursts and, as bounds, from the API server's metrics of the others)"},
		{"no such request", callLimit(APICalls{Resource: "pod", Verb: "create"}, time.Second, ""), []Burst{called(1, calls{createPods: exact(0.1)}, nil)},
			"profile 0 invalid | p, all valid bursts: create pod max not judged against its limit of 1.00 s: no burst had such a request; did you mean create pods?"},
		{"no such request, where that may be", available(callLimit(APICalls{Resource: "pod", Verb: "create"}, time.Second, "")), []Burst{called(1, calls{createPods: exact(0.1)}, nil)},
			"left out: create pod: no burst had such a request; did you mean create pods?"},
		{"a burst without such a request spoils the pool", callLimit(pods, time.Second, ScopeProfile), []Burst{called(1, calls{createPods: exact(0.1)}, nil), called(2, nil, nil)},
			"profile 0 invalid | p, all valid bursts: create pods max not judged against its limit of 1.00 s: burst 2: it had no such request"},
		{"the metrics fell, and the audit log has all that is asked for", callLimit(pods, time.Second, ScopeBurst), []Burst{blind(called(1, calls{createPods: exact(0.1)}, nil), fell)},
			"burst 1 pass | p, burst 1: create pods max is 100 ms, within its limit of 1.00 s (1 request, " + audit + ")"},
		{"the metrics fell: what they would show is not known, and never left out", available(callLimit(mutating, time.Second, ScopeBurst)), []Burst{blind(called(1, calls{createPods: exact(0.1)}, nil), fell)},
			"burst 1 pass | p, burst 1: create pods max is 100 ms, within its limit of 1.00 s (1 request, " + audit + ")\n" +
				"profile 0 invalid | p, all valid bursts: calls that are not in the audit log max not judged against its limit of 1.00 s: the API server's metrics, which would tell of others, cannot be used: burst 1: a counter fell: x"},
		{"no metrics on such clusters", available(callLimit(mutating, time.Second, ScopeBurst)), []Burst{blind(called(1, calls{createPods: exact(0.1)}, nil), noRight)},
			"burst 1 pass | p, burst 1: create pods max is 100 ms, within its limit of 1.00 s (1 request, " + audit + ")\n" +
				"left out: calls that are not in the audit log: the API server's metrics, which would tell of others, cannot be used: burst 1: not available from this provider: no right"},
		{"no metrics on such clusters, and the objective must be judged", callLimit(mutating, time.Second, ScopeBurst), []Burst{blind(called(1, calls{createPods: exact(0.1)}, nil), noRight)},
			"burst 1 pass | p, burst 1: create pods max is 100 ms, within its limit of 1.00 s (1 request, " + audit + ")\n" +
				"profile 0 invalid | p, all valid bursts: calls that are not in the audit log max not judged against its limit of 1.00 s: the API server's metrics, which would tell of others, cannot be used: burst 1: not available from this provider: no right"},
		{"neither source", callLimit(pods, time.Second, ""), []Burst{blind(called(1, nil, nil), noRight)},
			"profile 0 invalid | p, all valid bursts: create pods max not judged against its limit of 1.00 s: the audit log has no such request, and the API server's metrics, which would tell of others, cannot be used: burst 1: not available from this provider: no right"},
		{"neither source, where that may be", available(callLimit(pods, time.Second, "")), []Burst{blind(called(1, nil, nil), noRight)},
			"left out: create pods: the audit log has no such request, and the API server's metrics, which would tell of others, cannot be used: burst 1: not available from this provider: no right"},
		{"a fault is not left out because another burst has none", available(callLimit(pods, time.Second, "")), []Burst{blind(called(1, nil, nil), noRight), blind(called(2, nil, nil), fell)},
			"profile 0 invalid | p, all valid bursts: create pods max not judged against its limit of 1.00 s: the audit log has no such request, and the API server's metrics, which would tell of others, cannot be used: burst 2: a counter fell: x"},
		{"no valid burst", available(callLimit(mutating, time.Second, "")), nil,
			"profile 0 invalid | p, all valid bursts: mutating of any resource max not judged against its limit of 1.00 s: the profile has no valid burst, so there is nothing to judge"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results, left := Judge([]Objective{test.objective}, []string{"p"}, test.bursts)
			got := show(results)
			for _, l := range left {
				got = strings.TrimPrefix(got+"\nleft out: "+strings.TrimPrefix(l.Part+": "+l.Reason, ": "), "\n")
			}
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			names := map[string]bool{}
			for _, r := range results {
				key := fmt.Sprint(r.Name, r.Call, r.Scope, r.Burst)
				if names[key] || r.Call == "" || r.Phase != "" {
					t.Errorf("not told apart from the others: %+v", r)
				}
				names[key] = true
				if observed := r.ObservedSeconds != nil || r.ObservedLow != nil && r.ObservedHigh != nil; observed == (r.Verdict == verdict.Invalid) {
					t.Errorf("observed %t with verdict %s", observed, r.Verdict)
				}
			}
		})
	}
}

func TestAPICallsChoose(t *testing.T) {
	all := []apicall.Call{
		createPods, binding, listNodes,
		{Verb: "patch", Resource: "pods", Subresource: "status", Scope: apicall.OneObject},
		{Verb: "get", Resource: "pods", Scope: apicall.OneObject},
		{Verb: "list", Resource: "pods", Scope: apicall.OneObject}, {Verb: "list", Resource: "pods", Scope: apicall.Namespace},
		{Verb: "create", Resource: "events", Scope: apicall.OneObject}, {Verb: "create", Resource: "events.events.k8s.io", Scope: apicall.OneObject},
		{Verb: "deletecollection", Resource: "pods", Scope: apicall.Namespace},
	}
	for want, a := range map[string]APICalls{
		"create pods":         {Resource: "pods", Verb: "create"},
		"create pods/binding": {Resource: "pods", Subresource: "binding", Verb: "create"},
		"create pods, create pods/binding, patch pods/status, deletecollection pods in a namespace": {Resource: "pods", Subresource: Any, Class: Mutating},
		"create pods, deletecollection pods in a namespace":                                         {Resource: "pods", Class: Mutating},
		"create events, create events.events.k8s.io":                                                {Resource: "events", Verb: "create"},
		"create events.events.k8s.io":                                                               {Resource: "events.events.k8s.io", Verb: "create"},
		"get pods, list pods of one object":                                                         {Resource: Any, Class: SingleObjectReads},
		"list nodes in the cluster, list pods in a namespace":                                       {Resource: Any, Class: CollectionReads},
		"list nodes in the cluster":                                                                 {Resource: Any, Class: CollectionReads, Scope: apicall.Cluster},
		"patch pods/status":                                                                         {Resource: Any, Subresource: "status", Verb: "patch"},
		"":                                                                                          {Resource: "event", Verb: "create"},
	} {
		var got []string
		for _, c := range all {
			if a.matches(c) {
				got = append(got, c.String())
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%+v chooses %q, want %s", a, got, want)
		}
	}
}
