package usage

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/span"
)

// Source says where a component's numbers come from.
type Source string

// The sources.
const (
	// Sampled: the kernel's counters, read again and again during the burst.
	Sampled Source = "sampled"
	// BeforeAfter: the component's own metrics right before and right after the burst.
	// What it used in between is at least what it used in the burst.
	BeforeAfter Source = "before-after"
	// Unknown: neither.
	Unknown Source = "unknown"
)

// Component is what a component used of its machine from the burst's submission until the
// last pod was ready, or to the burst's end if not all became ready.
type Component struct {
	// Component is a process as "kube-scheduler" or "kubelet-node-1"; "node NAME", a
	// node's container with all in it; "observer", podburst itself; or "machine", all that
	// ran on the machine, whoever it was.
	Component string `json:"component"`
	// Source says where the numbers come from: "sampled" during the burst, the component's
	// metrics right "before-after" it, or "unknown".
	Source Source `json:"source" jsonschema:"enum=sampled,enum=before-after,enum=unknown"`
	// UnknownReason says why there are no samples, or none from some time on. Absent if
	// there are.
	UnknownReason string `json:"unknownReason,omitempty"`
	// CoveredSeconds is how much of that time has samples. Nothing is known of the rest.
	CoveredSeconds stats.Seconds `json:"coveredSeconds"`
	// CPUSeconds is the processor time used in the time covered; null unless sampled. Of
	// the machine it is the time that its processors were not idle, summed up over them.
	CPUSeconds *stats.Seconds `json:"cpuSeconds"`
	// CPULowSeconds and CPUHighSeconds bound it: samples are taken at intervals, of which
	// the first and the last may reach beyond that time. From metrics there is only an
	// upper bound.
	CPULowSeconds stats.Seconds `json:"cpuLowSeconds"`
	// CPUHighSeconds is the upper bound; null where nothing is known.
	CPUHighSeconds *stats.Seconds `json:"cpuHighSeconds"`
	// RunQueueSeconds is how long threads were ready to run and waited for a processor,
	// summed up over threads; null where it is not known. Of the machine it is the time in
	// which at least one task waited.
	RunQueueSeconds *stats.Seconds `json:"runQueueSeconds"`
	// PeakMemoryBytes is the largest resident memory seen (of a node's container, the
	// memory that it is charged for; of the machine, what was not available); null where
	// it is not known. From metrics it is the larger of two readings, and the peak may
	// have been higher.
	PeakMemoryBytes *int64 `json:"peakMemoryBytes"`
}

// NotSampled says why a burst has no samples; "" if it has.
func NotSampled(b *recording.Burst) string {
	switch {
	case len(b.Usage) > 0:
		return ""
	case b.UsageUnavailable != "":
		return b.UsageUnavailable
	}
	return "the recording has no samples"
}

// Summarize is what each component used in a window of the burst: in the order of the
// recording's accounts, and then those that have no samples.
// processors is how many the machine has, 0 where it is not known.
func Summarize(b *recording.Burst, window span.Span, processors int) []Component {
	all := []Component{}
	for _, name := range accounts(b) {
		all = append(all, summarize(b, name, window, processors))
	}
	return all
}

// accounts are the names of those that a recording knows: by its samples, and by what it
// says of metrics.
func accounts(b *recording.Burst) []string {
	var names []string
	seen := map[string]bool{}
	note := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for i := range b.Usage {
		note(b.Usage[i].Account)
	}
	var others []string
	others = slices.AppendSeq(others, maps.Keys(b.UsageErrors))
	others = slices.AppendSeq(others, maps.Keys(b.Metrics))
	others = slices.AppendSeq(others, maps.Keys(b.MetricsErrors))
	others = slices.AppendSeq(others, maps.Keys(b.MetricsUnavailable))
	slices.Sort(others)
	// The control plane in the order in which it starts.
	for _, instance := range clusters.Instances(nil) {
		if name := instance.String(); slices.Contains(others, name) {
			note(name)
		}
	}
	for _, name := range others {
		if name != processes {
			note(name)
		}
	}
	if b.Health.CPUSeconds > 0 {
		note(recording.AccountObserver)
	}
	return names
}

// processes is among MetricsErrors, and no component.
const processes = "processes"

func summarize(b *recording.Burst, name string, window span.Span, processors int) Component {
	c := Component{Component: name, Source: Unknown, UnknownReason: b.UsageErrors[name]}
	if used := Within(b.Usage, name, window).On(processors); used.Covered > 0 {
		cpu, high := stats.SecondsOf(used.CPU), stats.SecondsOf(used.CPUHigh)
		c.Source, c.CoveredSeconds = Sampled, stats.SecondsOf(used.Covered)
		c.CPUSeconds, c.CPULowSeconds, c.CPUHighSeconds = &cpu, stats.SecondsOf(used.CPULow), &high
		if used.RunQueueKnown {
			wait := stats.SecondsOf(used.RunQueue)
			c.RunQueueSeconds = &wait
		}
		if used.PeakMemoryBytes > 0 {
			c.PeakMemoryBytes = &used.PeakMemoryBytes
		}
		return c
	}
	if c.UnknownReason == "" {
		c.UnknownReason = cmp.Or(NotSampled(b), "it has no samples in that time")
	}
	if name == recording.AccountObserver {
		c.bound(b.Health.CPUSeconds, nil)
		return c
	}
	cpu, err := evidence.ProcessOf(b, name).CPUSeconds()
	switch {
	case err == nil:
		c.bound(cpu, residentMemory(b.Metrics[name]))
	case !errors.Is(err, evidence.ErrNotRecorded):
		c.UnknownReason += "; " + err.Error()
	}
	return c
}

// bound takes what was used from before until after the burst.
func (c *Component) bound(cpu float64, memory *int64) {
	if !(cpu >= 0 && cpu <= math.MaxFloat64) {
		return
	}
	high := stats.Seconds(cpu)
	c.Source, c.CPUHighSeconds, c.PeakMemoryBytes = BeforeAfter, &high, memory
}

// residentMemory is the larger one of the two that an instance reported; nil if there is none.
func residentMemory(pair recording.MetricsPair) *int64 {
	var most float64
	for _, text := range [][]byte{pair.Before, pair.After} {
		if values, err := exposition.Values(text, "process_resident_memory_bytes", ""); err == nil {
			most = max(most, values[""])
		}
	}
	if !(most > 0 && most < 1<<62) {
		return nil
	}
	n := int64(most)
	return &n
}
