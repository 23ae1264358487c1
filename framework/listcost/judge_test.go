package listcost

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
)

// made is a measurement in which a list of n pods takes n ms (as JSON 3·n) and n KiB,
// and every consumer with a private informer costs as much as a shared one.
func made(sizes ...int) Observation {
	finished := time.Unix(60, 0).UTC()
	c := Observation{
		Profile: "default", KubernetesVersion: "v1.37.2", FinishedAt: &finished, WatcherSeconds: 60,
		Plan:    Plan{Sizes: sizes, Rounds: 10, InformerRounds: 10, Limit: 500, Consumers: []int{4}},
		Watcher: map[string]watch.Requests{"pods": {StreamingLists: 1}, "nodes": {Lists: 1, Watches: 1}},
	}
	for _, n := range sizes {
		size := Size{Pods: n, Served: map[string]ListServed{"full": {Counters: map[string]float64{CounterWatchCache: 1}}}}
		for round := range 10 {
			for _, s := range Strategies() {
				noise := 1 + float64(round)/100
				server := float64(n) / 2000 * noise
				l := ListSample{Strategy: s.Name, Round: round + 1, Pages: []int{n}, Bytes: int64(n) << 10, WireBytes: int64(n) << 7,
					Seconds: float64(n) / 1000 * noise, FirstByteSeconds: 0.001, ServerSeconds: &server, Requests: []string{"x=*", "x=*"}}
				if s.Name == "paged" && n > 500 {
					l.Pages = []int{500, n - 500}
				}
				if s.Name == "json" {
					l.Seconds *= 3
				}
				if l.Seconds > 0.5 {
					l.Steps = []ListStep{{Name: "read", Seconds: l.Seconds}}
				}
				size.Lists = append(size.Lists, l)
			}
			for _, style := range Styles() {
				times := 1
				if style == Private {
					times = 4
				}
				cpu := 0.01 * float64(times)
				size.Informers = append(size.Informers, InformerSample{
					Style: string(style), Consumers: 4, Round: round + 1, SyncedSeconds: 0.02, ChangesSeconds: 0.02, OpenWatches: times, CPUSeconds: &cpu,
					AllocatedBytes: int64(times) << 20, LiveBytes: int64(times) << 18,
					Sync: []RequestCount{{Verb: VerbStreamingList, Resource: "pods", Requests: times, Bytes: int64(n*times) << 10,
						MinTimeoutSeconds: 301, MaxTimeoutSeconds: 599}},
				})
			}
		}
		c.Sizes = append(c.Sizes, size)
	}
	return c
}

func judged(t *testing.T, c Observation) Result {
	t.Helper()
	r, err := Judge(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func verdictOf(t *testing.T, r Result, name string) Check {
	t.Helper()
	i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no check %q in %+v", name, r.Checks)
	}
	return r.Checks[i]
}

const (
	answeredCheck = "every list and every informer got all pods"
	frugalCheck   = "the suite's watcher makes one list and one watch of each resource"
)

func TestAWholeMeasurementPassesAndSaysWhatItFound(t *testing.T) {
	r := judged(t, made(100, 500, 1000))
	if !r.Complete || len(r.Strategies) != len(Strategies()) || len(r.Informers) != 6 {
		t.Errorf("complete %t, %d strategies, %d informers", r.Complete, len(r.Strategies), len(r.Informers))
	}
	for _, c := range r.Checks {
		if c.Verdict != verdict.Pass {
			t.Errorf("%+v", c)
		}
	}
	all := strings.Join(r.Findings, "\n")
	for _, want := range []string{
		"kube-apiserver v1.37.2 honors a limit with resourceVersion unset: 1000 pods came in 2 pages",
		"does not honor a limit with resourceVersion=0: 1000 pods came in one answer",
		"serves streaming lists", "served these from its watch cache: full.",
		"4 consumers with an informer each read all pods 4 times and held 4 watches open",
		"4 consumers with one shared informer read all pods once and held 1 watch open",
		"no request has a timeout of the client's; the server is asked to end a watch (timeoutSeconds, drawn at random) after 5m1s to 9m59s",
		"beyond noise in syncBytes ×4.00 (4.00 to 4.00), cpuSeconds ×4.00",
		"not in syncedSeconds, changesSeconds; cannot be told of serverSeconds",
		"Seconds for the client against the list full, 1000 pods: beyond noise json ×3.00 (3.00 to 3.00); not paged, cached",
		"Seconds in the API server against the list full, 1000 pods: no difference beyond noise",
		"153 lists took more than 500ms", // 8 ways: 10 tries of 1,000 pods and the 9 above 500 ms of 500, and one more of json
	} {
		if !strings.Contains(all, want) {
			t.Errorf("not among the findings: %s\n%s", want, all)
		}
	}
	p := r.Strategies[0].Points[2]
	if p.Pods != 1000 || p.Tries != 10 || p.Bytes != 1000<<10 || p.Seconds.P50 != 1.04 || p.ServerSeconds.Count != 10 || p.Slow != 10 || p.SlowestSteps[0].Seconds != 1.09 {
		t.Errorf("%+v", p)
	}
	if got := r.Strategies[0].Requests; !slices.Equal(got, []string{"x=*"}) {
		t.Errorf("requests %q", got)
	}
}

func TestWhatIsNotWholeIsInvalid(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Observation)
		check  string
		want   verdict.Verdict
		says   string
	}{
		"a list that failed":      {func(c *Observation) { c.Sizes[0].Lists[3].Error = "connection reset" }, answeredCheck, verdict.Invalid, "1 of 300 tries did not: connection reset"},
		"a pod is missing":        {func(c *Observation) { c.Sizes[1].Lists[0].Pages = []int{499} }, answeredCheck, verdict.Invalid, "499 pods were listed, of 500"},
		"an informer that failed": {func(c *Observation) { c.Sizes[2].Informers[0].Error = "not synced" }, answeredCheck, verdict.Invalid, "not synced"},
		"nothing tried":           {func(c *Observation) { c.Sizes = nil }, answeredCheck, verdict.Invalid, "nothing was tried"},
		"no watcher":              {func(c *Observation) { c.Watcher = nil }, frugalCheck, verdict.Invalid, "not recorded"},
		"a watcher that relisted": {func(c *Observation) {
			c.Watcher["pods"] = watch.Requests{StreamingLists: 2, Relists: 1}
		}, frugalCheck, verdict.Fail, "relists 1"},
		"two watches at once": {func(c *Observation) { c.Watcher["pods"] = watch.Requests{Lists: 1, Watches: 2} }, frugalCheck, verdict.Fail, "at most 1 watches are due"},
		"no watch":            {func(c *Observation) { c.Watcher["pods"] = watch.Requests{Lists: 1} }, frugalCheck, verdict.Fail, "pods"},
		"a watch renewed after its time": {func(c *Observation) {
			c.WatcherSeconds, c.Watcher["pods"] = 700, watch.Requests{StreamingLists: 1, Watches: 2}
		}, frugalCheck, verdict.Pass, ""},
		"a list that grows faster": {func(c *Observation) {
			for i := range c.Sizes {
				for j := range c.Sizes[i].Lists {
					if l := &c.Sizes[i].Lists[j]; l.Strategy == "json" {
						l.Bytes *= int64(c.Sizes[i].Pods)
					}
				}
			}
		}, "growth of json in bytes", verdict.Fail, "pods^2.00"},
		"too few sizes": {func(c *Observation) { c.Sizes = c.Sizes[:2] }, "growth of full in seconds", verdict.Inconclusive, "at least 3 are needed"},
	} {
		cost := made(100, 500, 1000)
		c.change(&cost)
		if got := verdictOf(t, judged(t, cost), c.check); got.Verdict != c.want || !strings.Contains(got.Message, c.says) {
			t.Errorf("%s: %+v, want %s that says %q", name, got, c.want, c.says)
		}
	}
}

func TestWhatTheServerDoesNotServeIsAFinding(t *testing.T) {
	c := made(100, 500, 1000)
	for i := range c.Sizes {
		for j := range c.Sizes[i].Lists {
			if l := &c.Sizes[i].Lists[j]; l.Strategy == "streaming" {
				*l = ListSample{Strategy: "streaming", Unserved: true, Error: "sendInitialEvents is forbidden"}
			}
		}
	}
	r := judged(t, c)
	if verdictOf(t, r, answeredCheck).Verdict != verdict.Pass || !strings.Contains(strings.Join(r.Findings, "\n"), "does not serve streaming (sendInitialEvents is forbidden)") {
		t.Errorf("%q", r.Findings)
	}
	if i := slices.IndexFunc(r.Checks, func(c Check) bool { return strings.Contains(c.Name, "streaming") }); i >= 0 {
		t.Errorf("it is judged: %+v", r.Checks[i])
	}
}

func TestALimitAboveEverySizeTellsNothing(t *testing.T) {
	if r := judged(t, made(100, 200, 500)); !strings.Contains(strings.Join(r.Findings, "\n"), "cannot be told: no size is larger than the limit of 500") {
		t.Errorf("%q", r.Findings)
	}
}

func TestAnEmptyRecordingIsJudged(t *testing.T) {
	r := judged(t, Observation{Profile: "x"})
	if r.Complete || r.Strategies == nil || r.Informers == nil && len(r.Informers) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestCountersAreThoseOfPods(t *testing.T) {
	text := []byte(`# TYPE apiserver_storage_list_total counter
apiserver_storage_list_total{group="",index="",resource="nodes",storage="watchcache"} 13
apiserver_storage_list_total{group="",index="",resource="pods",storage="watchcache"} 4
apiserver_storage_list_total{group="",index="",resource="pods",storage="etcd"} 2
# TYPE apiserver_request_duration_seconds histogram
apiserver_request_duration_seconds_bucket{resource="pods",subresource="",verb="LIST",le="+Inf"} 3
apiserver_request_duration_seconds_sum{resource="pods",subresource="",verb="LIST"} 0.5
apiserver_request_duration_seconds_count{resource="pods",subresource="",verb="LIST"} 3
apiserver_request_duration_seconds_bucket{resource="pods",subresource="log",verb="LIST",le="+Inf"} 9
apiserver_request_duration_seconds_sum{resource="pods",subresource="log",verb="LIST"} 9
apiserver_request_duration_seconds_count{resource="pods",subresource="log",verb="LIST"} 9
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 7.5
`)
	got, err := counters(text)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{CounterWatchCache: 4, CounterEtcd: 2, CounterLists: 3, CounterListSeconds: 0.5, CounterCPU: 7.5}
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %v, want %v", name, got[name], v)
		}
	}
	if _, ok := got[CounterStreams]; ok || len(got) != len(want) {
		t.Errorf("%v: what the server does not count must be absent", got)
	}
	if d := since(map[string]float64{"a": 1, "b": 5}, map[string]float64{"a": 3, "b": 4, "c": 2}); d["a"] != 2 || d["c"] != 2 || len(d) != 2 {
		t.Errorf("%v", d)
	}
}

func TestParallelWorkEndsWithTheFirstError(t *testing.T) {
	var done atomic.Int64
	if err := parallel(t.Context(), 3, 100, func(context.Context, int) error { done.Add(1); return nil }); err != nil || done.Load() != 97 {
		t.Errorf("%v after %d", err, done.Load())
	}
	refused := errors.New("quota")
	err := parallel(t.Context(), 0, 1_000_000, func(ctx context.Context, i int) error {
		if i == 5 {
			return refused
		}
		return ctx.Err()
	})
	if !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := parallel(ended, 0, 10, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
