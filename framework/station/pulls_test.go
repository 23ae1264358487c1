package station

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
)

// delayed is a burst of one node in which everything from the first write of the n-th
// pod's status on came n times d later, and in which the kubelet counted operations.
func delayed(t *testing.T, pods int, d time.Duration, operations map[string][2]float64) (recording.Burst, recording.Profile) {
	t.Helper()
	wide := clusters.Limits{KubeAPIQPS: 1000, KubeAPIBurst: 1000}
	b, p := made(synthetic.Options{Pods: pods, Nodes: 1, Index: 1, JobController: wide, Scheduler: wide, Kubelet: wide})
	turn := map[string]time.Duration{}
	for i := range b.Audit {
		e := &b.Audit[i]
		if e.Resource != "pods" || !fromKubelet(e) {
			continue
		}
		if _, known := turn[e.Name]; !known {
			turn[e.Name] = time.Duration(len(turn)+1) * d
		}
		e.Received, e.Completed = e.Received.Add(turn[e.Name]), e.Completed.Add(turn[e.Name])
	}
	for i := range b.Watch {
		if o := &b.Watch[i]; o.Node != "" {
			o.At = o.At.Add(turn[o.Name])
		}
	}
	b.End = b.End.Add(time.Duration(pods+1) * d)
	b.Events = nil
	var text strings.Builder
	fmt.Fprintf(&text, "# TYPE %s histogram\n", runtimeMetric)
	for operation, of := range operations {
		fmt.Fprintf(&text, "%[1]s_bucket{operation_type=%[2]q,le=\"+Inf\"} %[3]g\n%[1]s_sum{operation_type=%[2]q} %[4]g\n%[1]s_count{operation_type=%[2]q} %[3]g\n", runtimeMetric, operation, of[0], of[1])
	}
	name := "kubelet-" + b.WorkerNodes[0]
	pair := b.Metrics[name]
	b.Metrics[name] = recording.MetricsPair{Before: append(pair.Before, zeroed(text.String())...), After: append(pair.After, text.String()...)}
	return b, p
}

// zeroed is the exposition before anything was counted.
func zeroed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if series, _, ok := strings.Cut(line, "} "); ok {
			lines[i] = series + "} 0"
		}
	}
	return strings.Join(lines, "\n")
}

func TestPodsThatQueueForImagePullsAreHeldByThem(t *testing.T) {
	// 20 pulls of 0.2 s, one after the other.
	const pods, each = 20, 0.2
	b, p := delayed(t, pods, 200*time.Millisecond, map[string][2]float64{
		"run_podsandbox": {pods, pods * 0.01}, "create_container": {pods, pods * 0.005}, "start_container": {pods, pods * 0.005}, pullOperation: {pods, pods * each},
	})
	a := analyze(b, p)
	if st := a.Stations[0]; st.Station != ImagePulls || st.Part.Seconds < 3 || st.Held.LowSeconds < each*0.99 || st.Held.HighSeconds < 3.8 {
		t.Errorf("%+v", st)
	}
	sc := Scenario{Without: []Name{ImagePulls}}
	if w := WhatIf(&a, sc); !w.Known || w.GainLowSeconds < 2.5 {
		t.Errorf("without pulls: %+v", w)
	}
}

func TestWithoutPullsNothingIsHeldByThem(t *testing.T) {
	const pods = 20
	b, p := delayed(t, pods, 200*time.Millisecond, map[string][2]float64{"run_podsandbox": {pods, pods * 2}})
	a := analyze(b, p)
	if st := find(t, a, ImagePulls, ""); !st.Known || st.Held.HighSeconds != 0 || st.Served != 0 {
		t.Errorf("%+v", st)
	}
	// A kubelet that tells nothing of its runtime has not said that it pulled nothing.
	after(&b, "kubelet-"+b.WorkerNodes[0], func(string) string { return "process_start_time_seconds 1\n" })
	if st := find(t, analyze(b, p), ImagePulls, ""); st.Known {
		t.Errorf("%+v", st)
	}
}

func TestAWatchThatIsLateIsSaidAndBlamesNobody(t *testing.T) {
	wide := clusters.Limits{KubeAPIQPS: 1000, KubeAPIBurst: 1000}
	b, p := made(synthetic.Options{Pods: 20, Index: 1, JobController: wide, Scheduler: wide, Kubelet: wide})
	if sentences := strings.Join(analyze(b, p).Sentences, " "); strings.Contains(sentences, "observer's watch showed") {
		t.Errorf("not late: %s", sentences)
	}
	for i := range b.Watch {
		b.Watch[i].At = b.Watch[i].At.Add(time.Second)
	}
	b.End = b.End.Add(time.Second)
	b.ClockOffset = &recording.ClockOffset{LowSeconds: -0.01, HighSeconds: 0.02}
	a := analyze(b, p)
	st := find(t, a, ObserverWatch, "")
	if st.Held.LowSeconds < 0.9 || st.Held.HighSeconds > 1.2 || st.Held.HighSeconds-st.Held.LowSeconds < 0.029 || st.Part.Seconds != 0 {
		t.Errorf("%+v", st)
	}
	if sentences := strings.Join(a.Sentences, " "); !strings.Contains(sentences, "observer's watch showed pods running") {
		t.Errorf("late: %s", sentences)
	}
}
