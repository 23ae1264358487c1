package station

import (
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
)

// Each of these edits of a recording once made a sentence lie.

func TestAnUnknownLimiterIsNotChargedToTheStatusManager(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	before := find(t, analyze(b, p), StatusManager, "").Part.Seconds
	b.MetricsErrors = map[string]string{}
	for name := range b.Metrics {
		if strings.HasPrefix(name, "kubelet-") {
			b.MetricsErrors[name] = "connection refused"
		}
	}
	b.Logs = nil // nor is anything known of the runtime
	a := analyze(b, p)
	if st := find(t, a, StatusManager, ""); st.Part.Seconds > before*1.05 {
		t.Errorf("%v of the makespan instead of %v", st.Part.Seconds, before)
	}
	if a.NotExplainedSeconds < *a.MakespanSeconds/2 {
		t.Errorf("only %v of %v are not explained", a.NotExplainedSeconds, *a.MakespanSeconds)
	}
}

func TestWhatIsNotKnownCannotBeTakenAway(t *testing.T) {
	a := analyze(stored(t, "kind", realBurst))
	for _, sc := range []Scenario{{Without: []Name{Etcd}}, {Faster: map[Name]float64{Admission: 2}}, {Alone: true}} {
		if p := WhatIf(&a, sc); p.Known || p.UnknownReason == "" {
			t.Errorf("%s: %+v", sc, p)
		}
	}
	if p := WhatIf(&a, Scenario{Without: []Name{ContainerRuntime}}); !p.Known {
		t.Errorf("what is known: %+v", p)
	}
}

func TestAPredictionsGainAndMakespanAgree(t *testing.T) {
	a := analyze(stored(t, "run", "slow/burst-1"))
	for _, l := range []clusters.Limits{{KubeAPIQPS: 1000, KubeAPIBurst: 1}, {KubeAPIQPS: 1, KubeAPIBurst: 1}, {KubeAPIQPS: -1}} {
		p := WhatIf(&a, Scenario{Limits: map[clusters.Component]clusters.Limits{clusters.KubeControllerManager: l}})
		if left := *a.MakespanSeconds - p.GainHighSeconds; !p.Known || p.MakespanLowSeconds < left-1e-6 || p.MakespanLowSeconds > p.MakespanHighSeconds {
			t.Errorf("%s: %+v", l, p)
		}
	}
	// A faster bucket with a smaller burst is no limiter that changes nothing.
	up := WhatIf(&a, Scenario{Limits: map[clusters.Component]clusters.Limits{clusters.KubeControllerManager: {KubeAPIQPS: 1000, KubeAPIBurst: 1}}})
	if up.GainHighSeconds < 1 {
		t.Errorf("%+v", up)
	}
}

func TestALogLineFromOutsideTheBurstBoundsNothing(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	want := find(t, analyze(b, p), ClientLimiter, clusters.KubeControllerManager).Held
	for _, wait := range []float64{1.9, 80000} {
		line := recording.LogLine{At: b.Submit.Add(-40 * time.Minute), Kind: recording.LogThrottled, Instance: "kube-controller-manager", WaitSeconds: wait}
		if wait > 100 {
			line.At = b.End.Add(-time.Second)
		}
		other := b
		other.Logs = append(append([]recording.LogLine{}, b.Logs...), line)
		if held := find(t, analyze(other, p), ClientLimiter, clusters.KubeControllerManager).Held; held != want {
			t.Errorf("a wait of %g s: held %v instead of %v", wait, held, want)
		}
	}
}

func TestSamplesOfMoreTimeThanThereWasAreNoEvidence(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	sampled(&b, b.End, 1.9)
	for i := range b.Usage {
		b.Usage[i].CPUSeconds *= 1e6
	}
	if st := find(t, analyze(b, p), Processors, ""); st.Known || st.Advice != "" {
		t.Errorf("%+v", st)
	}
}

func TestALimiterThatCannotHaveWaitedIsNotKnown(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	for _, l := range []clusters.Limits{{KubeAPIQPS: 5000, KubeAPIBurst: 10000}, {KubeAPIQPS: -1}} {
		effective := clusters.Effective{}
		for name, old := range p.Effective {
			effective[name] = old
		}
		effective["kube-controller-manager"] = l
		p := p
		p.Effective = effective
		// Its metrics count waits of two seconds.
		if st := find(t, analyze(b, p), ClientLimiter, clusters.KubeControllerManager); st.Known || st.Absent {
			t.Errorf("%s: %+v", l, st)
		}
	}
}

func TestLostPulledEventsDoNotHideThePulls(t *testing.T) {
	const pods, each = 20, 0.2
	b, p := delayed(t, pods, 200*time.Millisecond, map[string][2]float64{
		"run_podsandbox": {pods, pods * 0.01}, "create_container": {pods, pods * 0.005}, "start_container": {pods, pods * 0.005}, pullOperation: {pods, pods * each},
	})
	// Of twenty pulls one Event came.
	b.Events = []recording.KubeEvent{{Kind: "Pod", Component: "kubelet", Reason: "Pulled", UID: b.Watch[0].UID, At: b.End, Message: `Successfully pulled image "x" in 10ms (10ms including waiting)`}}
	if first, _ := func() (First, bool) { a := analyze(b, p); return a.First() }(); first.Station != ImagePulls {
		t.Errorf("first is %s", first)
	}
}

func TestWebhooksAreMeasuredWithoutTheSLI(t *testing.T) {
	const longer = 200 * time.Millisecond
	b, p := hooked(longer, 20*longer.Seconds())
	pair := b.Metrics["kube-apiserver"]
	without := func(text []byte) []byte {
		var kept []string
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.Contains(line, sliMetric) {
				kept = append(kept, line)
			}
		}
		return []byte(strings.Join(kept, "\n"))
	}
	b.Metrics["kube-apiserver"] = recording.MetricsPair{Before: without(pair.Before), After: without(pair.After)}
	if a := analyze(b, p); a.Stations[0].Station != Admission {
		t.Errorf("first is %s: %s", a.Stations[0].Station, a.Sentences)
	}
}

func TestALoopHoldsNobodyLongerThanItRan(t *testing.T) {
	wide := clusters.Limits{KubeAPIQPS: 1000, KubeAPIBurst: 1000}
	b, p := made(synthetic.Options{Pods: 20, Index: 1, JobController: wide, Scheduler: wide, Kubelet: wide})
	// Everything from the bindings on comes two seconds later, and the loop ran for 20 ms.
	const later = 2 * time.Second
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Resource == "pods" && (e.Verb != "create" || e.Subresource != "") {
			e.Received, e.Completed = e.Received.Add(later), e.Completed.Add(later)
		}
	}
	for i := range b.Watch {
		if o := &b.Watch[i]; o.Node != "" {
			o.At = o.At.Add(later)
		}
	}
	b.End = b.End.Add(later)
	text := "# TYPE " + cycleMetric + " histogram\n" + cycleMetric + "_bucket{le=\"+Inf\"} 20\n" + cycleMetric + "_sum{} 0.02\n" + cycleMetric + "_count{} 20\n"
	pair := b.Metrics["kube-scheduler"]
	b.Metrics["kube-scheduler"] = recording.MetricsPair{Before: append(pair.Before, strings.ReplaceAll(zeroed(text), "_bucket{le=\"+Inf\"} 20", "_bucket{le=\"+Inf\"} 0")...), After: append(pair.After, text...)}
	a := analyze(b, p)
	if st := find(t, a, SchedulingLoop, ""); !st.Known || st.Part.Seconds > 0.021 || st.Held.HighSeconds > 0.021 {
		t.Errorf("%+v", st)
	}
	if a.NotExplainedSeconds < 1.5 {
		t.Errorf("only %v are not explained", a.NotExplainedSeconds)
	}
}
