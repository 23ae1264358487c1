package station

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// every are all recordings that there are, and some that were made up.
func every(t testing.TB) map[string]Analysis {
	t.Helper()
	all := map[string]Analysis{}
	for _, name := range [][2]string{{"kind", realBurst}, {"run", "slow/burst-1"}, {"run", "slow/burst-2"}, {"run", "tuned/burst-1"}, {"run", "tuned/burst-2"}} {
		all[name[0]+" "+name[1]] = analyze(stored(t, name[0], name[1]))
	}
	all["followed"] = analyze(followed())
	all["no audit log"] = analyze(made(synthetic.Options{Pods: 50, Index: 1, NoAudit: true, JobController: clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}}))
	return all
}

func TestThePartsAddUpToTheMakespan(t *testing.T) {
	for name, a := range every(t) {
		sum := a.rest
		for _, st := range a.Stations {
			sum += a.parts[st.id]
		}
		if want := a.MakespanSeconds.Duration(); sum != want {
			t.Errorf("%s: the parts are %v together, the makespan is %v", name, sum, want)
		}
	}
}

func TestNoBoundsAreWiderThanWhatTheyBound(t *testing.T) {
	for name, a := range every(t) {
		for _, st := range a.Stations {
			if st.Held.LowSeconds < 0 || st.Held.LowSeconds > st.Held.HighSeconds || st.Held.HighSeconds > *a.MakespanSeconds {
				t.Errorf("%s: %s held [%g, %g] s of %g s", name, st.Station, st.Held.LowSeconds, st.Held.HighSeconds, *a.MakespanSeconds)
			}
			if st.Part.Seconds < st.Part.LowSeconds || st.Station != Processors && st.Part.Seconds > st.Part.HighSeconds {
				t.Errorf("%s: %s has part %g s outside [%g, %g]", name, st.Station, st.Part.Seconds, st.Part.LowSeconds, st.Part.HighSeconds)
			}
			if !st.Known && (st.UnknownReason == "" || st.Advice != "") {
				t.Errorf("%s: %s is unknown for no reason", name, st.Station)
			}
			if st.BusyShare != nil && (*st.BusyShare < 0 || *st.BusyShare > 1) {
				t.Errorf("%s: %s was busy for %g of its time", name, st.Station, *st.BusyShare)
			}
		}
	}
}

func TestEveryStationIsKnownUnknownOrNotThere(t *testing.T) {
	for name, a := range every(t) {
		if len(a.Stations) != len(everyStation()) {
			t.Errorf("%s: %d stations, want %d", name, len(a.Stations), len(everyStation()))
		}
		if _, err := json.Marshal(a); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheFirstSentenceOnKindNamesContainerCreationOnTwoProcessors(t *testing.T) {
	a := analyze(stored(t, "kind", realBurst))
	for _, want := range []string{"Container creation", "container runtime", "run_podsandbox", "start_container", "on two processors"} {
		if !strings.Contains(a.Sentences[0], want) {
			t.Errorf("%q does not say %q", a.Sentences[0], want)
		}
	}
	for _, st := range a.Stations {
		if st.Advice != "" {
			t.Errorf("advice that helps nothing: %s", st.Advice)
		}
	}
}

func TestWhatWouldShortenTheBurstIsAdvised(t *testing.T) {
	b, p := stored(t, "run", "slow/burst-1")
	a := analyze(b, p)
	st := a.Stations[0]
	if st.Station != ClientLimiter || st.Component != "kube-controller-manager" || !strings.Contains(st.Advice, "spec.kubeControllerManager") {
		t.Errorf("%+v", st)
	}
	// The burst with wider limits is the other profile: 0.14 s instead of 1.6 s.
	if st.Gain.LowSeconds < 1.2 || st.Gain.HighSeconds > 1.6 {
		t.Errorf("gain [%g, %g] s", st.Gain.LowSeconds, st.Gain.HighSeconds)
	}
}

func TestAReplayWithOtherLimitsPredictsTheBurstThatHasThem(t *testing.T) {
	const pods = 100
	was := clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}
	b, p := made(synthetic.Options{Pods: pods, Index: 1, JobController: was, Scheduler: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}, Kubelet: clusters.Limits{KubeAPIQPS: 500, KubeAPIBurst: 1000}})
	a := Analyze(b, timeline.Build(b), p, 64)
	for name, limits := range map[string]clusters.Limits{
		"wider": {KubeAPIQPS: 40, KubeAPIBurst: 60}, "narrower": {KubeAPIQPS: 10, KubeAPIBurst: 20},
	} {
		prediction := WhatIf(&a, Scenario{Limits: map[clusters.Component]clusters.Limits{clusters.KubeControllerManager: limits}})
		// The same burst made up with these limits, other random numbers.
		other, otherProfile := made(synthetic.Options{Pods: pods, Index: 2, JobController: limits, Scheduler: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}, Kubelet: clusters.Limits{KubeAPIQPS: 500, KubeAPIBurst: 1000}})
		real := *analyze(other, otherProfile).MakespanSeconds
		if !prediction.Known || real < prediction.MakespanLowSeconds*0.98 || real > prediction.MakespanHighSeconds*1.02 {
			t.Errorf("%s: predicted [%g, %g] s, it was %g s", name, prediction.MakespanLowSeconds, prediction.MakespanHighSeconds, real)
		}
		// Both ends leave room for what a replay leaves out.
		if prediction.MakespanHighSeconds > 1.4*prediction.MakespanLowSeconds {
			t.Errorf("%s: [%g, %g] s says nothing", name, prediction.MakespanLowSeconds, prediction.MakespanHighSeconds)
		}
	}
}

func TestWithoutAnAuditLogNothingIsReplayed(t *testing.T) {
	b, p := made(synthetic.Options{Pods: 20, Index: 1, NoAudit: true})
	a := analyze(b, p)
	if p := WhatIf(&a, Scenario{}); p.Known || p.UnknownReason == "" {
		t.Errorf("%+v", p)
	}
	if st := find(t, a, StatusManager, ""); st.Known {
		t.Errorf("%+v", st)
	}
}

// sampled adds samples of the machine from the submission on, one a second, in which its
// processors worked for cpu of each second.
func sampled(b *recording.Burst, until time.Time, cpu float64) {
	for n := 0; ; n++ {
		at := b.Submit.Add(time.Duration(n) * time.Second)
		b.Usage = append(b.Usage, recording.UsageSample{At: at, Account: recording.AccountMachine, CPUSeconds: 1000 + cpu*float64(n)})
		if at.After(until) {
			return
		}
	}
}

func TestASamplerSaysHowBusyTheProcessorsWere(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	sampled(&b, b.End, 1.9)
	b.Load = nil
	st := find(t, Analyze(b, timeline.Build(b), p, 2), Processors, "")
	if !st.Known || st.BusyShare == nil || math.Abs(*st.BusyShare-0.95) > 0.01 {
		t.Errorf("%+v", st)
	}
}

func TestTimeWithoutSamplesWidensTheProcessorsBounds(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	line := timeline.Build(b)
	makespan, _ := line.Makespan()
	sampled(&b, b.Submit.Add(makespan*92/100), 1)
	v := newScene(&b, &line, &p, 2).processorsView()
	// Half of the two processors' time was used while samples were taken; in the rest it may
	// have been none or all of it.
	if math.Abs(v.likely-0.5) > 0.01 || math.Abs(v.low-0.46) > 0.02 || math.Abs(v.high-0.54) > 0.02 {
		t.Errorf("between %g and %g, likely %g", v.low, v.high, v.likely)
	}
	// Samples of less than nearly all of it are not taken for all of it.
	b.Usage = nil
	sampled(&b, b.Submit.Add(makespan*3/4), 1)
	if v := newScene(&b, &line, &p, 2).processorsView(); v.sampled || !strings.Contains(strings.Join(v.says, " "), "samples cover only") {
		t.Errorf("%+v", v)
	}
}

func TestProcessorsAreFullWhereAJobWaitsAsLongAsItIsServed(t *testing.T) {
	for m, u := range map[int]float64{1: 0.5, 2: 0.7071, 16: 0.96} {
		if low, high := erlangWait(u-0.01, m), erlangWait(u+0.01, m); low >= 1 || high <= 1 {
			t.Errorf("%d processors at %g: the wait goes from %g to %g services", m, u, low, high)
		}
	}
	if erlangWait(0, 2) != 0 || !math.IsInf(erlangWait(1, 2), 1) {
		t.Error("an idle or a full machine")
	}
}

func TestAProcessWithoutALimiterHasNone(t *testing.T) {
	b, p := stored(t, "run", "tuned/burst-1")
	p.Effective["kube-scheduler"] = clusters.Limits{KubeAPIQPS: -1}
	st := find(t, analyze(b, p), ClientLimiter, clusters.KubeScheduler)
	if !st.Absent || !st.Known || st.Held.HighSeconds != 0 {
		t.Errorf("%+v", st)
	}
}

func TestPodsThatHadNoPlaceWaitedForOne(t *testing.T) {
	b, p := made(synthetic.Options{Pods: 10, Index: 1, JobController: clusters.Limits{KubeAPIQPS: 500, KubeAPIBurst: 500}, Scheduler: clusters.Limits{KubeAPIQPS: 500, KubeAPIBurst: 500}, Kubelet: clusters.Limits{KubeAPIQPS: 500, KubeAPIBurst: 500}})
	// All are gated for five seconds after their creation.
	const gate = 5 * time.Second
	var watch []recording.Observation
	for _, o := range b.Watch {
		if o.Node == "" {
			gated := o
			gated.Type, gated.At = "modified", o.At.Add(time.Millisecond)
			gated.Conditions = []recording.Condition{{Type: "PodScheduled", Status: "False", Reason: "SchedulingGated"}}
			watch = append(watch, o, gated)
			continue
		}
		o.At = o.At.Add(gate)
		watch = append(watch, o)
	}
	b.Watch = watch
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Resource == "pods" && (e.Subresource != "" || e.Verb != "create") {
			e.Received, e.Completed = e.Received.Add(gate), e.Completed.Add(gate)
		}
	}
	b.End = b.End.Add(gate)
	a := analyze(b, p)
	if st := a.Stations[0]; st.Station != Place || st.Part.Seconds < 4.9 || st.Part.Seconds > 5.1 || st.Served != 10 {
		t.Errorf("%+v", st)
	}
}

// A watch that never saw a node's name: the replay had no status manager to send writes to.
func TestPodsWithoutANodeAreNotReplayed(t *testing.T) {
	b, p := stored(t, "run", "slow/burst-1")
	for i := range b.Watch {
		b.Watch[i].Node = ""
	}
	for i := range b.Audit {
		b.Audit[i].TargetNode = ""
	}
	a := analyze(b, p)
	if prediction := WhatIf(&a, Scenario{}); prediction.Known {
		t.Errorf("%+v", prediction)
	}
}

func FuzzAnalyze(f *testing.F) {
	b, p := stored(f, "run", "slow/burst-1")
	line, err := json.Marshal(b.Audit[len(b.Audit)/2])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b.Metrics["kube-controller-manager"].After), line, 5, 3.0, 2)
	f.Fuzz(func(t *testing.T, exposed string, line []byte, at int, qps float64, cpus int) {
		b := b
		b.Audit = append([]recording.AuditEvent(nil), b.Audit...)
		var e recording.AuditEvent
		if json.Unmarshal(line, &e) == nil {
			b.Audit[(at%len(b.Audit)+len(b.Audit))%len(b.Audit)] = e
		}
		after(&b, "kube-controller-manager", func(string) string { return exposed })
		p := p
		p.Effective = clusters.Effective{"kube-controller-manager": {KubeAPIQPS: qps, KubeAPIBurst: at}}
		a := Analyze(b, timeline.Build(b), p, cpus%64)
		if _, err := json.Marshal(a); err != nil {
			t.Error(err)
		}
		for _, st := range a.Stations {
			if !(st.Held.LowSeconds >= 0 && st.Held.LowSeconds <= st.Held.HighSeconds) {
				t.Errorf("%+v", st)
			}
		}
	})
}
