package timeline_test

import (
	"runtime"
	"testing"

	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// BenchmarkBuild10000Pods reports the time for one event of either stream and
// the bytes allocated for one pod.
func BenchmarkBuild10000Pods(b *testing.B) {
	const pods = 10_000
	burst := synthetic.Burst(synthetic.Options{Pods: pods, Index: 1, Nodes: 50})
	events := len(burst.Watch) + len(burst.Audit)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if tl := timeline.Build(burst); tl.Accounting.Ready != pods {
			b.Fatalf("accounting is %+v", tl.Accounting)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/pods, "B/pod")
}
