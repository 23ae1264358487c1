package station

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// hooked is a burst each of whose creations took so much longer, on a machine without time
// left; the API server counted so much of it outside of the SLI: webhooks.
func hooked(longer time.Duration, outside float64) (recording.Burst, recording.Profile) {
	const pods = 20
	wide := clusters.Limits{KubeAPIQPS: 1000, KubeAPIBurst: 1000}
	b, p := made(synthetic.Options{Pods: pods, Index: 1, JobController: wide, Scheduler: wide, Kubelet: wide})
	for i := range b.Audit {
		e := &b.Audit[i]
		if e.Resource != "pods" {
			continue
		}
		if e.Verb != "create" || e.Subresource != "" {
			e.Received = e.Received.Add(longer)
		}
		e.Completed = e.Completed.Add(longer)
	}
	for i := range b.Watch {
		b.Watch[i].At = b.Watch[i].At.Add(longer)
	}
	b.End = b.End.Add(longer)
	text := "process_start_time_seconds 1\n"
	add := func(metric, labels string, sum float64) {
		if typed := "# TYPE " + metric + " histogram\n"; !strings.Contains(text, typed) {
			text += typed
		}
		text += fmt.Sprintf("%[1]s_bucket{%[2]s,le=\"0.05\"} %[3]d\n%[1]s_bucket{%[2]s,le=\"+Inf\"} %[3]d\n%[1]s_sum{%[2]s} %[4]g\n%[1]s_count{%[2]s} %[3]d\n", metric, labels, pods, sum)
	}
	for _, metric := range []string{requestMetric, sliMetric} {
		for kind, k := range kinds {
			sum := pods * 0.002
			if writeKind(kind) == writeCreate {
				sum += pods * longer.Seconds()
				if metric == sliMetric {
					sum -= outside
				}
			}
			add(metric, fmt.Sprintf("resource=\"pods\",subresource=%q,verb=%q", k.subresource, k.verb), sum)
		}
	}
	add(hookMetric, `name="slow.example.org",operation="CREATE",rejected="false",type="validating"`, outside)
	for _, operation := range []string{"CREATE", "UPDATE"} {
		for _, step := range []string{"admit", "validate"} {
			add(pluginMetric, fmt.Sprintf("name=\"ServiceAccount\",operation=%q,type=%q", operation, step), 0.002)
		}
	}
	b.Metrics["kube-apiserver"] = recording.MetricsPair{Before: []byte("process_start_time_seconds 1\n" + zeroed(text)), After: []byte(text)}
	b.Load = &recording.Load{Before: recording.LoadSample{OneMinute: 20}, After: recording.LoadSample{OneMinute: 20}}
	return b, p
}

func TestWhatWebhooksTakeIsNotTheProcessorsWork(t *testing.T) {
	const longer = 200 * time.Millisecond
	a := analyze(hooked(longer, 20*longer.Seconds()))
	first, _ := a.First()
	if st := find(t, a, Admission, ""); first.Station != Admission || st.Follows != "" || st.Held.LowSeconds > 0.2 || st.Held.HighSeconds < 0.2 || !strings.HasPrefix(a.Sentences[0], "Admission webhooks") {
		t.Errorf("%+v\n%s", st, a.Sentences)
	}
	// As slow, and the API server counts it as its own: no webhook is blamed.
	a = analyze(hooked(longer, 0))
	first, _ = a.First()
	if st := find(t, a, Admission, ""); first.Station == Admission || st.Part.Seconds > 0.01 || strings.Contains(strings.Join(a.Sentences, " "), "webhook") {
		t.Errorf("%+v\n%s", st, a.Sentences)
	}
}

func TestEtcdHasNoMoreOfAStatusWriteThanThereIs(t *testing.T) {
	b, p := hooked(0, 0)
	// 20 bindings of 90 ms in etcd and 20 status writes of 2 ms count as 40 updates.
	const pods = 20
	pair := b.Metrics["kube-apiserver"]
	text := func(updates float64, n int) string {
		etcd := etcdMetric + "_%s{operation=\"update\",resource=\"pods\"%s} %g\n"
		return fmt.Sprintf("# TYPE %s histogram\n"+etcd+etcd+etcd, etcdMetric, "bucket", `,le="+Inf"`, float64(n), "sum", "", updates, "count", "", float64(n))
	}
	slow := strings.Replace(string(pair.After), requestMetric+`_sum{resource="pods",subresource="binding",verb="POST"} 0.04`, requestMetric+`_sum{resource="pods",subresource="binding",verb="POST"} 2`, 1)
	b.Metrics["kube-apiserver"] = recording.MetricsPair{Before: append(pair.Before, text(0, 0)...), After: []byte(slow + text(1.8, 2*pods))}
	line := timeline.Build(b)
	w := newScene(&b, &line, &p, 2).readWrites()
	for kind := range kinds {
		sum := 0.0
		for _, share := range w.share[kind] {
			sum += share
		}
		if sum > 1 || writeKind(kind) == writeStatus && w.share[kind][Etcd] > 0.95 {
			t.Errorf("%s: %v", kinds[kind].what, w.share[kind])
		}
	}
}
