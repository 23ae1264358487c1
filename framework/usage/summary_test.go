package usage

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
)

// exposed is what a component that started at second 5 says of itself.
func exposed(cpu, memory float64) []byte {
	return fmt.Appendf(nil, "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 5\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total %g\n"+
		"# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes %g\n", cpu, memory)
}

// burst is one of four seconds from noon on, of which the samples are etcd's.
func burst() recording.Burst {
	return recording.Burst{
		Usage: []recording.UsageSample{sample(0, 10, 5, 50), sample(4, 12, 9, 70)},
		Metrics: map[string]recording.MetricsPair{
			"etcd":           {Before: exposed(10, 50), After: exposed(13, 60)},
			"kube-scheduler": {Before: exposed(1, 90), After: exposed(1.5, 80)},
		},
		UsageErrors: map[string]string{"kube-scheduler": "process 7 has ended"},
		Health:      recording.WatchHealth{CPUSeconds: 0.25},
	}
}

func of(t *testing.T, all []Component, name string) Component {
	t.Helper()
	i := slices.IndexFunc(all, func(c Component) bool { return c.Component == name })
	if i < 0 {
		t.Fatalf("%s is not among %+v", name, all)
	}
	return all[i]
}

func ptr[T any](v T) *T { return &v }

func TestSamplesSayWhatAComponentUsed(t *testing.T) {
	b := burst()
	got := of(t, Summarize(&b, window(0, 4), 2), "etcd")
	want := Component{
		Component: "etcd", Source: Sampled, CoveredSeconds: 4, CPUSeconds: ptr(stats.Seconds(2)), CPULowSeconds: 2, CPUHighSeconds: ptr(stats.Seconds(2)),
		RunQueueSeconds: ptr(stats.Seconds(4)), PeakMemoryBytes: ptr(int64(70)),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSamplesThatEndEarlySayWhy(t *testing.T) {
	b := burst()
	b.UsageErrors = map[string]string{"etcd": "after 2 samples: process 9 has ended"}
	got := of(t, Summarize(&b, window(0, 10), 2), "etcd")
	if got.Source != Sampled || got.CoveredSeconds != 4 || got.UnknownReason != "after 2 samples: process 9 has ended" {
		t.Errorf("%+v", got)
	}
}

// What was not sampled is not zero: the metrics from before and after bound it.
func TestWithoutSamplesMetricsGiveABound(t *testing.T) {
	b := burst()
	got := of(t, Summarize(&b, window(0, 4), 2), "kube-scheduler")
	want := Component{Component: "kube-scheduler", Source: BeforeAfter, UnknownReason: "process 7 has ended", CPUHighSeconds: ptr(stats.Seconds(0.5)), PeakMemoryBytes: ptr(int64(90))}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	b.Usage = nil
	all := Summarize(&b, window(0, 4), 2)
	if got := of(t, all, "etcd"); got.Source != BeforeAfter || got.CPUSeconds != nil || *got.CPUHighSeconds != 3 || got.UnknownReason != "the recording has no samples" {
		t.Errorf("%+v", got)
	}
	if got := of(t, all, recording.AccountObserver); got.Source != BeforeAfter || *got.CPUHighSeconds != 0.25 {
		t.Errorf("%+v", got)
	}
	if len(all) != 3 {
		t.Errorf("%+v", all)
	}
}

func TestWhatIsNotKnownAtAllSaysWhy(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*recording.Burst)
		want   string
	}{
		"metrics that could not be read": {func(b *recording.Burst) { b.MetricsErrors = map[string]string{"etcd": "refused"} }, "the cluster is others'; metrics unreadable: refused"},
		"a component that restarted": {func(b *recording.Burst) {
			b.Metrics["etcd"] = recording.MetricsPair{Before: exposed(1, 1), After: []byte(strings.Replace(string(exposed(2, 1)), "seconds 5", "seconds 6", 1))}
		}, "the cluster is others'; component restarted"},
		"a counter that fell": {func(b *recording.Burst) {
			b.Metrics["etcd"] = recording.MetricsPair{Before: exposed(2, 1), After: exposed(1, 1)}
		}, "the cluster is others'; a counter fell: process_cpu_seconds_total"},
		"a version without the metric": {func(b *recording.Burst) {
			b.Metrics["etcd"] = recording.MetricsPair{Before: []byte("# TYPE a counter\na 1\n"), After: []byte("# TYPE a counter\na 1\n")}
		}, "the cluster is others'; metric absent in this version: process_cpu_seconds_total"},
	} {
		t.Run(name, func(t *testing.T) {
			b := burst()
			b.Usage, b.UsageUnavailable = nil, "the cluster is others'"
			test.change(&b)
			got := of(t, Summarize(&b, window(0, 4), 2), "etcd")
			if got.Source != Unknown || got.CPUHighSeconds != nil || got.UnknownReason != test.want {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestARecordingThatKnowsNobodyHasNoComponents(t *testing.T) {
	if all := Summarize(&recording.Burst{MetricsErrors: map[string]string{"processes": "not seen"}}, window(0, 4), 2); all == nil || len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// What report.json takes from a hostile recording must be JSON, and in its bounds.
func FuzzSummarize(f *testing.F) {
	f.Add(`[{"at":"2026-11-29T12:00:00Z","account":"etcd","cpuSeconds":1},{"at":"2026-11-29T12:00:09Z","account":"etcd","cpuSeconds":3,"runQueueSeconds":1}]`, "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total NaN\n", 0.5)
	f.Add(`[]`, "process_cpu_seconds_total 1e400\n", -1.0)
	f.Fuzz(func(t *testing.T, samples, metrics string, own float64) {
		b := burst()
		if json.Unmarshal([]byte(samples), &b.Usage) != nil {
			return
		}
		b.Metrics["etcd"] = recording.MetricsPair{Before: exposed(0, 0), After: []byte(metrics)}
		b.Health.CPUSeconds = own
		all := Summarize(&b, window(0, 4), 2)
		if _, err := json.Marshal(all); err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			if c.CoveredSeconds > 4 || c.CPULowSeconds < 0 || c.CPUHighSeconds != nil && *c.CPUHighSeconds < c.CPULowSeconds || (c.Source == Unknown) != (c.CPUHighSeconds == nil) || c.Source != Sampled && c.UnknownReason == "" {
				t.Errorf("%+v", c)
			}
		}
	})
}
