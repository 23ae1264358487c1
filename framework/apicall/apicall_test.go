package apicall

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
)

// line is a bucketed series: counts at most 0.1 s, 0.5 s and in all, and their sum.
func line(labels string, tenth, half, all int, sum float64) string {
	return fmt.Sprintf(`%[1]s_bucket{%[2]s,le="0.1"} %[3]d
%[1]s_bucket{%[2]s,le="0.5"} %[4]d
%[1]s_bucket{%[2]s,le="+Inf"} %[5]d
%[1]s_sum{%[2]s} %[6]g
%[1]s_count{%[2]s} %[5]d
`, Metric, labels, tenth, half, all, sum)
}

func readingOf(lines ...string) []byte {
	return []byte("# TYPE " + Metric + " histogram\n" + strings.Join(lines, ""))
}

const createPods = `verb="POST",group="",resource="pods",subresource="",scope="resource"`

func withMetrics(before, after []byte) recording.Burst {
	return recording.Burst{Metrics: map[string]recording.MetricsPair{"kube-apiserver": {Before: before, After: after}}}
}

func request(verb, resource, subresource, name string, took time.Duration) recording.AuditEvent {
	at := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	return recording.AuditEvent{Verb: verb, Resource: resource, Subresource: subresource, Namespace: "ns", Name: name, Received: at, Completed: at.Add(took)}
}

func names(c Calls) string {
	var all []string
	for _, call := range c.Seen() {
		all = append(all, call.String())
	}
	return strings.Join(all, ", ")
}

func TestTheAuditLogGivesExactLatenciesByVerbResourceAndScope(t *testing.T) {
	jobs := request("create", "jobs", "", "", time.Millisecond)
	jobs.APIGroup = "batch"
	b := recording.Burst{Audit: []recording.AuditEvent{
		request("create", "pods", "", "", 20*time.Millisecond), request("create", "pods", "", "", 40*time.Millisecond),
		request("create", "pods", "binding", "p", time.Millisecond), request("get", "pods", "", "p", time.Millisecond),
		request("list", "pods", "", "", time.Millisecond), request("list", "pods", "", "p", time.Millisecond), jobs,
		// Long-running, or no request for a resource.
		request("watch", "pods", "", "", time.Hour), request("get", "pods", "log", "p", time.Hour), request("create", "pods", "exec", "p", time.Hour),
		request("get", "", "", "", time.Hour), request("get", "no\x00name", "", "", time.Hour),
	}}
	c := Of(&b)
	if got, want := names(c), "create jobs.batch, create pods, create pods/binding, get pods, list pods in a namespace, list pods of one object"; got != want {
		t.Errorf("calls are\n%s, want\n%s", got, want)
	}
	l, from, err := c.Latencies(Call{"create", "pods", "", OneObject})
	if err != nil || from != Audit || l.Count() != 2 {
		t.Fatalf("%+v from %q, %v", l, from, err)
	}
	if at, err := l.Stat("p99"); err != nil || !at.Exact() || at.High != 0.04 {
		t.Errorf("p99 of 20 and 40 ms is %+v, %v", at, err)
	}
}

// The audit log of the burst's namespace says nothing of other namespaces.
func TestMetricsGiveBoundsOfCallsThatTheAuditLogDoesNotHave(t *testing.T) {
	nodes := `verb="LIST",group="",resource="nodes",subresource="",scope="cluster"`
	b := withMetrics(
		readingOf(line(createPods, 5, 5, 5, 0.1)),
		readingOf(line(createPods, 7, 9, 9, 1.1), line(nodes, 0, 1, 1, 0.3),
			line(`verb="WATCH",group="",resource="pods",subresource="",scope="cluster"`, 0, 0, 1, 900),
			line(`verb="CONNECT",group="",resource="pods",subresource="exec",scope="resource"`, 0, 0, 1, 900),
			line(`verb="GET",group="",resource="",subresource="/healthz",scope=""`, 1, 1, 1, 0)))
	b.Audit = []recording.AuditEvent{request("create", "pods", "", "", 20*time.Millisecond)}
	c := Of(&b)
	if got, want := names(c), "create pods, list nodes in the cluster"; got != want || c.Err != nil {
		t.Errorf("calls are %s, want %s (%v)", got, want, c.Err)
	}
	if l, from, _ := c.Latencies(Call{"create", "pods", "", OneObject}); from != Audit || l.Count() != 1 {
		t.Errorf("%+v from %q, want the exact one", l, from)
	}
	l, from, err := c.Latencies(Call{"list", "nodes", "", Cluster})
	at, statErr := l.Stat("p99")
	if err != nil || statErr != nil || from != Metrics || l.Count() != 1 || at.Low != 0.1 || at.High != 0.3 || !at.Open {
		t.Errorf("one list of 0.1 to 0.5 s, 0.3 s in all: %+v from %q (%v, %v)", at, from, err, statErr)
	}
	if l := c.Exposed[Call{"create", "pods", "", OneObject}]; l.Count() != 4 {
		t.Errorf("%d requests between the readings, want 4 of 9", l.Count())
	}
}

func TestQuantilesOfBucketsAreBoundedByNearestRank(t *testing.T) {
	// 2 of 4 took at most 0.1 s, one at most 0.5 s, one more than that, 3 s in all.
	l := Latencies{Buckets: []Bucket{{0, 0.1, 2}, {0.1, 0.5, 1}, {0.5, 3, 1}}, BucketSeconds: 3}
	for stat, want := range map[string]Interval{
		"min": {0, 0.1, true}, "p50": {0, 0.1, true}, "p90": {0.5, 3, true}, "max": {0.5, 3, true}, "mean": {0.75, 0.75, false},
	} {
		if got, err := l.Stat(stat); err != nil || got != want {
			t.Errorf("%s is %+v, want %+v (%v)", stat, got, want, err)
		}
	}
	if _, err := l.Stat("p42"); err == nil {
		t.Error("p42 is no statistic")
	}
	// Exact samples of another burst share the ranks: 0, 0, 0.1, 0.2, 0.5 and up.
	both := l.With(Latencies{Seconds: []float64{0.2}})
	if got, err := both.Stat("p50"); err != nil || got != (Interval{0.1, 0.2, false}) {
		t.Errorf("the third of five is %+v (%v)", got, err)
	}
	if len(l.Seconds) != 0 || both.Count() != 5 {
		t.Errorf("%+v", both)
	}
}

func TestWhatCannotBeKnownIsAnErrorAndNotAZero(t *testing.T) {
	whole := readingOf(line(createPods, 5, 5, 5, 0.1))
	for name, c := range map[string]struct {
		burst  recording.Burst
		want   error
		absent bool
	}{
		"not recorded":               {recording.Burst{}, evidence.ErrNotRecorded, true},
		"another provider":           {recording.Burst{MetricsUnavailable: map[string]string{"kube-apiserver": "no right"}}, evidence.ErrUnavailable, true},
		"an older version":           {withMetrics([]byte("# TYPE a counter\na 1\n"), []byte("# TYPE a counter\na 1\n")), evidence.ErrNoMetric, true},
		"servers that take turns":    {withMetrics([]byte("# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1\n"), []byte("# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 2\n")), evidence.ErrRestarted, true},
		"unreadable":                 {recording.Burst{MetricsErrors: map[string]string{"kube-apiserver": "timeout"}}, evidence.ErrUnreadable, false},
		"a counter that fell":        {withMetrics(readingOf(line(createPods, 5, 6, 6, 0.3)), whole), evidence.ErrFell, false},
		"a series that is gone":      {withMetrics(readingOf(line(createPods, 1, 1, 1, 0), line(`verb="PUT",resource="leases",scope="resource"`, 1, 1, 1, 0)), whole), evidence.ErrFell, false},
		"nothing was read":           {withMetrics(nil, nil), evidence.ErrUnreadable, false},
		"more below than in all":     {withMetrics(whole, readingOf(line(createPods, 9, 7, 9, 1))), evidence.ErrTorn, false},
		"a resource that is no name": {withMetrics(whole, readingOf(line(createPods, 5, 5, 5, 0.1), line(`verb="POST",resource="<b>",scope="resource"`, 1, 1, 1, 0))), evidence.ErrTorn, false},
		"a scope that nobody knows":  {withMetrics(whole, readingOf(line(createPods, 5, 5, 5, 0.1), line(`verb="LIST",resource="pods",scope="galaxy"`, 1, 1, 1, 0))), evidence.ErrTorn, false},
		"not an exposition":          {withMetrics(whole, []byte(Metric+"{ ???\n")), evidence.ErrUnreadable, false},
	} {
		t.Run(name, func(t *testing.T) {
			calls := Of(&c.burst)
			_, _, err := calls.Latencies(Call{"create", "pods", "", OneObject})
			if !errors.Is(calls.Err, c.want) || !errors.Is(err, c.want) || Absent(err) != c.absent {
				t.Errorf("errors %v and %v, absent %t; want %v", calls.Err, err, Absent(err), c.want)
			}
		})
	}
}

func TestARequestAnsweredBeforeItWasReceivedSpoilsItsKind(t *testing.T) {
	b := recording.Burst{Audit: []recording.AuditEvent{request("create", "pods", "", "", -time.Millisecond), request("create", "pods", "", "", time.Millisecond)}}
	if _, _, err := Of(&b).Latencies(Call{"create", "pods", "", OneObject}); !errors.Is(err, evidence.ErrTorn) {
		t.Errorf("error %v", err)
	}
}

// A line of the log that was read twice is one request.
func TestARepeatedLineCountsOnce(t *testing.T) {
	e := request("create", "pods", "", "", time.Millisecond)
	e.AuditID = "a"
	b := recording.Burst{Audit: []recording.AuditEvent{e, e}}
	if l, _, err := Of(&b).Latencies(Call{"create", "pods", "", OneObject}); err != nil || l.Count() != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

func FuzzExposed(f *testing.F) {
	f.Add(readingOf(line(createPods, 1, 1, 1, 0)), readingOf(line(createPods, 2, 3, 4, 9)))
	f.Add([]byte(nil), readingOf(line(`verb="LIST",resource="nodes",scope="cluster"`, 0, 0, 1, 1e300)))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		b := withMetrics(before, after)
		c := Of(&b)
		if c.Err != nil && len(c.Exposed) > 0 {
			t.Errorf("calls despite %v", c.Err)
		}
		for call, l := range c.Exposed {
			if call.String() == "" || l.Count() <= 0 {
				t.Fatalf("%+v has %d requests", call, l.Count())
			}
			if at, err := l.Stat("p99"); err == nil && !(at.Low <= at.High) {
				t.Errorf("%+v: p99 in %+v", l, at)
			}
		}
	})
}
