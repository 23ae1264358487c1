package evidence

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
)

const before = `# TYPE process_start_time_seconds gauge
process_start_time_seconds 100
# TYPE waits_seconds histogram
waits_seconds_bucket{le="0.1"} 4
waits_seconds_bucket{le="1"} 4
waits_seconds_bucket{le="+Inf"} 4
waits_seconds_sum 0
waits_seconds_count 4
`

const after = `# TYPE process_start_time_seconds gauge
process_start_time_seconds 100
# TYPE waits_seconds histogram
waits_seconds_bucket{le="0.1"} 6
waits_seconds_bucket{le="1"} 8
waits_seconds_bucket{le="+Inf"} 9
waits_seconds_sum 2.5
waits_seconds_count 9
`

func burst(before, after string) *recording.Burst {
	return &recording.Burst{Metrics: map[string]recording.MetricsPair{"kube-scheduler": {Before: []byte(before), After: []byte(after)}}}
}

func TestWhatIsNotKnownHasItsReason(t *testing.T) {
	for name, c := range map[string]struct {
		burst *recording.Burst
		want  error
	}{
		"metrics that could not be read":     {&recording.Burst{MetricsErrors: map[string]string{"kube-scheduler": "connection refused"}}, ErrUnreadable},
		"a provider that cannot give them":   {&recording.Burst{MetricsUnavailable: map[string]string{"kube-scheduler": "managed"}}, ErrUnavailable},
		"a component that nobody asked":      {&recording.Burst{}, ErrNotRecorded},
		"nothing read after the burst":       {burst(before, ""), ErrUnreadable},
		"nothing read before the burst":      {burst("", after), ErrUnreadable},
		"another process":                    {burst(before, strings.ReplaceAll(after, "seconds 100", "seconds 101")), ErrRestarted},
		"a start that only one of them has":  {burst(before, strings.ReplaceAll(after, "process_start_time_seconds", "other")), ErrNoMetric},
		"a counter that fell":                {burst(after, before), ErrFell},
		"another version of the component":   {burst(before, strings.ReplaceAll(after, "waits_seconds", "delays_seconds")), ErrNoMetric},
		"a page that is no exposition":       {burst("<html>", "<html>"), ErrNoMetric},
		"numbers that contradict each other": {burst(before, strings.ReplaceAll(after, "_sum 2.5", "_sum 0.1")), ErrTorn},
	} {
		_, err := ProcessOf(c.burst, "kube-scheduler").Histogram("waits_seconds")
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	b := burst(before, after)
	b.Problems = []recording.Problem{{Code: recording.ProblemComponentRestarted, Detail: "kube-scheduler: process 1 was followed by 2"}}
	if err := ProcessOf(b, "kube-scheduler").Err(); !errors.Is(err, ErrRestarted) {
		t.Errorf("the recorder saw a restart: %v", err)
	}
}

func TestWaitsAreBoundedByTheirBucketsAndTheirSum(t *testing.T) {
	h, err := ProcessOf(burst(before, after), "kube-scheduler").Histogram("waits_seconds")
	if err != nil {
		t.Fatal(err)
	}
	w, err := WaitsOf(h)
	if err != nil {
		t.Fatal(err)
	}
	// Two of at most 0.1 s, two of 0.1 to 1 s, one of more than 1 s; 2.5 s together.
	// The longest is at most 2.5 - 2 × 0.1 = 2.3 s.
	if low, high := w.Longest(); low != 1 || math.Abs(high-2.3) > 1e-9 {
		t.Errorf("the longest is in [%g, %g]", low, high)
	}
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		most, longest float64
		but, waiters  int
		low, high     float64
	}{
		// 2 × 0 + 3 × 0.05, and at most 5 × 0.05.
		"a refill of 50 ms":                         {0.05, inf, 0, 5, 0.15, 0.25},
		"two of them another bucket's":              {0.05, inf, 2, 5, 0.05, 0.25},
		"all of them another bucket's":              {0.05, inf, 5, 5, 0, 0.25},
		"only two can have waited":                  {0.05, inf, 3, 2, 0, 0.1},
		"the plain sum":                             {math.Inf(1), inf, 0, 5, 2.5, 2.5},
		"the plain sum without the two longest":     {math.Inf(1), inf, 2, 5, 0.1, 2.5},
		"none can have waited: the bucket was full": {0.05, inf, 5, 0, 0, 0},
		// The one longer than a second is no other's: it waited a refill at least.
		"no other waited a second": {0.05, 1, 5, 5, 0.05, 0.25},
		"no other waited 0.1 s":    {0.05, 0.1, 5, 5, 0.15, 0.25},
	} {
		if low, high := w.Capped(c.most, c.but, c.longest, c.waiters); math.Abs(low-c.low) > 1e-9 || math.Abs(high-c.high) > 1e-9 {
			t.Errorf("%s: [%g, %g], want [%g, %g]", name, low, high, c.low, c.high)
		}
	}
	if certain, possible := w.Above(0.1); certain != 3 || possible != 3 {
		t.Errorf("%d to %d waited longer than 0.1 s", certain, possible)
	}
}

func TestAnExpositionThatIsCutOffIsNoEvidence(t *testing.T) {
	// The end of the first one is lost, and with it the sum and the count.
	_, err := ProcessOf(burst(before[:strings.Index(before, "waits_seconds_sum")], after), "kube-scheduler").Histogram("waits_seconds")
	if !errors.Is(err, ErrTorn) {
		t.Errorf("%v, want %v", err, ErrTorn)
	}
	for name, h := range map[string]exposition.Histogram{
		"more samples than the last bucket has":         {Count: 9, Sum: 2.5, Buckets: map[float64]float64{1: 4, math.Inf(1): 5}},
		"samples beyond the last bound that sum to 0 s": {Count: 4, Sum: 0, Buckets: map[float64]float64{1: 0}},
	} {
		if _, err := WaitsOf(h); !errors.Is(err, ErrTorn) {
			t.Errorf("%s: %v, want %v", name, err, ErrTorn)
		}
	}
}

func TestLoggedWaitsThatOverlapCountOnce(t *testing.T) {
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	line := func(at, wait float64) recording.LogLine {
		return recording.LogLine{Kind: recording.LogThrottled, Instance: "kube-scheduler", At: noon.Add(time.Duration(at * float64(time.Second))), WaitSeconds: wait}
	}
	b := &recording.Burst{Logs: []recording.LogLine{line(2, 1), line(2.5, 1), line(9, 1.5), line(3, math.NaN()), line(4, -1), line(5, 1e300)}}
	set, lines := Logged(b, "kube-scheduler", 0, 0)
	if lines != 3 || set.Length() != 3*time.Second { // 1 to 2.5 and 7.5 to 9
		t.Errorf("%d lines, %v", lines, set.Length())
	}
}

func TestAnAuditLineThatIsWrittenTwiceCountsOnce(t *testing.T) {
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	e := func(id string, at int) recording.AuditEvent {
		return recording.AuditEvent{AuditID: id, Received: noon.Add(time.Duration(at)), Completed: noon.Add(time.Duration(at + 1))}
	}
	r := RequestsOf(&recording.Burst{Audit: []recording.AuditEvent{e("b", 2), e("a", 1), e("b", 2), e("", 3), e("", 3), {AuditID: "c"}}})
	if len(r.Events) != 4 || r.Repeated != 1 || r.Events[0].AuditID != "a" {
		t.Errorf("%+v", r)
	}
}

func TestOfTwoSendersWithEqualCountsTheFirstByNameIsTaken(t *testing.T) {
	for range 20 {
		count := map[Sender]int{}
		for i := range 8 {
			count[Sender{"user", fmt.Sprint(i)}] = 3
		}
		if s, n := Most(count); s.Agent != "0" || n != 3 {
			t.Fatalf("%v with %d", s, n)
		}
	}
}

func FuzzWaits(f *testing.F) {
	f.Add([]byte(before), []byte(after), 0.05, 2, 0.5, 3)
	f.Fuzz(func(t *testing.T, one, two []byte, most float64, but int, longest float64, waiters int) {
		b := &recording.Burst{Metrics: map[string]recording.MetricsPair{"x": {Before: one, After: two}}}
		h, err := ProcessOf(b, "x").Histogram("waits_seconds", []exposition.Label{}...)
		if err != nil {
			return
		}
		w, err := WaitsOf(h)
		if err != nil || !(most > 0) {
			return
		}
		low, high := w.Capped(most, but, longest, waiters)
		if !(low >= 0) || low > high || high > w.Sum {
			t.Errorf("[%g, %g] of %g", low, high, w.Sum)
		}
		if low, high := w.Longest(); !(low >= 0) || low > high || high > w.Sum*(1+1e-6)+1e-6 {
			t.Errorf("longest [%g, %g] of %g", low, high, w.Sum)
		}
	})
}

func TestAMetricThatIsThereOnlyAfterwardsIsAGapAndNoZero(t *testing.T) {
	cpu := "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 40\n"
	for name, c := range map[string]struct {
		before string
		known  bool
	}{"there both times": {strings.Replace(cpu, "40", "39", 1), true}, "only after the burst": {"other 1\n", false}} {
		if s, err := ProcessOf(burst(c.before, cpu), "kube-scheduler").CPUSeconds(); (err == nil) != c.known {
			t.Errorf("%s: %g s, %v", name, s, err)
		}
	}
}
