package load

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/podburst/podburst/framework/recording"
)

func TestALoadThatCannotWorkIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		load Load
		says string
	}{
		"a Job without pods":    {Job{}, "at least 1"},
		"no selector":           {Observe{}, "no selector"},
		"a selector of all":     {Observe{Selector: " "}, "no selector"},
		"a misspelled one":      {Observe{Selector: "app=web,"}, "as kubectl takes it"},
		"fewer than no pods":    {Observe{Selector: "app=web", Pods: -1}, "-1 pods"},
		"settled in the past":   {Observe{Selector: "app=web", Settle: -time.Second}, "-1s"},
		"a Job":                 {Job{Pods: 1}, ""},
		"pods that match":       {Observe{Selector: "app=web"}, ""},
		"a number that match":   {Observe{Selector: "app=web", Pods: 3}, ""},
		"a Job of another size": {Job{}.Of(3), ""},
	} {
		err := c.load.Check()
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
}

func TestAJobIsKnownByTheBurstsNameAndItsOwnUID(t *testing.T) {
	client := fake.NewClientset()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	at := Place{Namespace: "ns", Name: "default-burst-1", RunID: "run"}
	sent, err := Job{Pods: 3}.Submit(t.Context(), client, at, clock)
	if err != nil || len(sent) != 1 || sent[0].Name != at.Name || sent[0].Returned.Sub(sent[0].Sent) != time.Second {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	again, err := Job{Pods: 3}.Submit(t.Context(), client, at, clock)
	if err == nil || !strings.Contains(err.Error(), "another index") || len(again) != 1 || again[0].UID != "" || again[0].Sent.IsZero() {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	b := recording.Burst{BurstID: at.Name}
	Job{}.Describe(&b)
	if b.Workload.Kind != "Job" || b.Workload.Name != at.Name || b.Passive != nil {
		t.Errorf("described as %+v", b.Workload)
	}
	for range 2 {
		if err := (Job{}).Remove(t.Context(), client, at); err != nil {
			t.Errorf("removed: %v", err)
		}
	}
}

func TestOthersPodsAreNeitherSentNorRemoved(t *testing.T) {
	client := fake.NewClientset()
	o := Observe{Namespace: "shop", Selector: "app=web", Pods: 4, EventsUnavailable: "may not"}
	sent, err := o.Submit(t.Context(), client, Place{Namespace: "shop"}, time.Now)
	if err != nil || len(sent) != 0 {
		t.Errorf("sent %v, %v", sent, err)
	}
	if err := o.Remove(t.Context(), client, Place{Namespace: "shop"}); err != nil || len(client.Actions()) != 0 || len(o.Rights()) != 0 {
		t.Errorf("removed: %v, asked for %v, with the rights %v", err, client.Actions(), o.Rights())
	}
	var b recording.Burst
	o.Describe(&b)
	if p := b.Passive; p == nil || p.Wanted != 4 || p.SettleSeconds != 10 || p.EventsUnavailable != "may not" || b.Workload != (recording.Workload{}) {
		t.Errorf("described as %+v, %+v", b.Passive, b.Workload)
	}
	if !o.Terms().Others() || (Job{Pods: 1}).Terms().Others() {
		t.Error("who sends the pods is told wrongly")
	}
}

func TestTheJobPassesTheRestrictedStandard(t *testing.T) {
	const runID = "20261129-150000"
	j := Job{Pods: 7, NodeSelector: map[string]string{"pool": "burst"}}.Object(Place{Namespace: "ns", Name: "default-burst-1", RunID: runID})
	if *j.Spec.Parallelism != 7 || *j.Spec.Completions != 7 || *j.Spec.BackoffLimit != 0 {
		t.Errorf("job spec %+v", j.Spec)
	}
	pod := j.Spec.Template
	for key, value := range map[string]string{"app.kubernetes.io/managed-by": "podburst", "podburst.dev/run": runID, "podburst.dev/burst": "default-burst-1"} {
		if j.Labels[key] != value || pod.Labels[key] != value {
			t.Errorf("label %s: job %q, pods %q; want %q on both", key, j.Labels[key], pod.Labels[key], value)
		}
	}
	c := pod.Spec.Containers[0]
	if !*pod.Spec.SecurityContext.RunAsNonRoot || *c.SecurityContext.AllowPrivilegeEscalation ||
		pod.Spec.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault || c.SecurityContext.Capabilities.Drop[0] != "ALL" {
		t.Errorf("security %+v, %+v", pod.Spec.SecurityContext, c.SecurityContext)
	}
	if *pod.Spec.AutomountServiceAccountToken || *pod.Spec.EnableServiceLinks || *pod.Spec.TerminationGracePeriodSeconds != 1 ||
		pod.Spec.RestartPolicy != corev1.RestartPolicyNever || c.Image != PauseImage || c.ImagePullPolicy != corev1.PullIfNotPresent || len(c.Resources.Requests) != 0 ||
		pod.Spec.NodeSelector["pool"] != "burst" {
		t.Errorf("pod spec %+v", pod.Spec)
	}
}
