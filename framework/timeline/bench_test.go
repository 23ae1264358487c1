package timeline_test

import (
	"runtime"
	"testing"

	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/procfs"
)

// BenchmarkBuildAndSummarize10000Pods reports the cost of a burst of 10,000 pods, from its
// streams to its statistics: CPU time per event of either stream (all threads, including
// the garbage collector's) and bytes allocated per pod.
func BenchmarkBuildAndSummarize10000Pods(b *testing.B) {
	const pods = 10_000
	burst := synthetic.Burst(synthetic.Options{Pods: pods, Index: 1, Nodes: 50})
	events := len(burst.Watch) + len(burst.Audit)
	samples := make([]float64, 0, pods)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, _ := procfs.SelfCPU()
	for b.Loop() {
		tl := timeline.Build(burst)
		for _, ph := range timeline.Phases() {
			samples = samples[:0]
			for i := range tl.Pods {
				if d, _, _, ok := tl.Pods[i].Duration(ph); ok {
					samples = append(samples, d.Seconds())
				}
			}
			if _, err := stats.Summarize(samples, pods-len(samples)); err != nil {
				b.Fatal(err)
			}
		}
		if tl.Accounting.Ready != pods {
			b.Fatalf("accounting is %+v", tl.Accounting)
		}
	}
	now, _ := procfs.SelfCPU()
	cpu = now - cpu
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N)/float64(events), "cpu-ns/event")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/pods, "B/pod")
}
