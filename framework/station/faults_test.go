package station

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// longWait puts one wait of 6 ms into an instance's histogram, among its POSTs.
func longWait(t *testing.T, b *recording.Burst, instance, host string) {
	t.Helper()
	series := func(kind, le string) string {
		return limiterMetric + kind + `{host="` + host + `",verb="POST"` + le + "}"
	}
	after(b, instance, add(t, series("_bucket", `,le="0.005"`), -1))
	after(b, instance, add(t, series("_sum", ""), 0.006))
}

func TestAFloorNeverStandsInForAMeasuredWait(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	longWait(t, &b, "kubelet-podburst-default-2f18914d-worker", "podburst-default-2f18914d-control-plane:6443")
	a := analyze(b, p)
	if st := find(t, a, ClientLimiter, clusters.Kubelet); !st.Known || st.Held.HighSeconds > 0.009 || st.Advice != "" {
		t.Errorf("one wait of 6 ms became %+v", st)
	}
	if a.Stations[0].Station == ClientLimiter {
		t.Errorf("a limiter is ranked first: %q", a.Sentences)
	}
}

func TestAnUnrelatedControllersWaitIsNotTheJobControllers(t *testing.T) {
	b, p := stored(t, "run", "tuned/burst-1")
	longWait(t, &b, "kube-controller-manager", "127.0.0.1:6443")
	// 8 creations fit the bucket of the Job controller: whoever waited, it was not it.
	st := find(t, analyze(b, p), ClientLimiter, clusters.KubeControllerManager)
	if !st.Known || st.Held.HighSeconds > 0.009 || st.Advice != "" {
		t.Errorf("another controller's wait became %+v", st)
	}
}

func TestWhatWasHeldIsBoundedByMeasuredWaitsAndNotByAFixedJitter(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	st := find(t, analyze(b, p), ClientLimiter, clusters.KubeControllerManager)
	// Two logged waits that do not overlap: 1.047 s and 1.009 s. The histogram's 60 waits
	// make 2.87 s to 3.1 s, some of it after the last creation.
	if st.Held.LowSeconds < 2.055 || st.Held.HighSeconds < 2.7 || st.Held.HighSeconds > 3.6 {
		t.Errorf("held [%g, %g] s", st.Held.LowSeconds, st.Held.HighSeconds)
	}
}

// followed is the burst of which the scheduler's limiter only sees the pace of the
// controller manager's.
func followed() (recording.Burst, recording.Profile) {
	return made(synthetic.Options{
		Pods: 500, Nodes: 50, Index: 1, JobController: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100},
		Scheduler: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 99}, Kubelet: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100},
	})
}

func TestAQueueThatFollowsAnotherIsNotTheCause(t *testing.T) {
	b, p := followed()
	a := Analyze(b, timeline.Build(b), p, 64) // so many nodes are no work for two processors
	first := a.Stations[0]
	if first.Station != ClientLimiter || first.Component != "kube-controller-manager" || first.Part.Seconds < 7 {
		t.Errorf("the cause is not first: %+v", first)
	}
	// Without it alone the scheduler's limiter paces the burst just as well: the advice is
	// to raise both.
	if !strings.Contains(first.Advice, "spec.kubeControllerManager") || !strings.Contains(first.Advice, "spec.kubeScheduler") || first.Gain.HighSeconds > 1 {
		t.Errorf("advice %q with a gain of up to %g s by itself", first.Advice, first.Gain.HighSeconds)
	}
	st := find(t, a, ClientLimiter, clusters.KubeScheduler)
	// create_to_schedule takes 26 ms at most; its limiter's requests waited 8 s together.
	if st.Held.HighSeconds > 0.03 || st.Follows != ClientLimiter || st.Advice != "" {
		t.Errorf("the scheduler's limiter: %+v", st)
	}
	if st.Gain == nil || st.Gain.HighSeconds > 0.1 {
		t.Errorf("without the scheduler's limiter the burst would gain %v s; it gains 19 ms", st.Gain)
	}
}

func TestUnknownIsNotInnocent(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*recording.Burst)
		want string
	}{
		"metrics unreadable": {func(b *recording.Burst) {
			b.MetricsErrors = map[string]string{"kube-controller-manager": "connection refused"}
		}, "metrics unreadable: connection refused"},
		"a counter that fell": {func(b *recording.Burst) {
			pair := b.Metrics["kube-controller-manager"]
			pair.Before, pair.After = pair.After, pair.Before
			b.Metrics["kube-controller-manager"] = pair
		}, "a counter fell"},
		"a component that was restarted": {func(b *recording.Burst) {
			after(b, "kube-controller-manager", add(t, "process_start_time_seconds", 7))
		}, "component restarted"},
		"a provider that gives none": {func(b *recording.Burst) {
			b.Metrics = nil
			b.MetricsUnavailable = map[string]string{"kube-controller-manager": "managed control plane"}
		}, "not available from this provider"},
	} {
		for _, passive := range []bool{false, true} {
			b, p := stored(t, "kind", realBurst)
			c.edit(&b)
			if passive {
				b.Passive = &recording.Passive{Selector: "app=x", Began: b.Submit}
			}
			a := analyze(b, p)
			st := find(t, a, ClientLimiter, clusters.KubeControllerManager)
			if st.Known || !strings.Contains(st.UnknownReason, c.want) || st.Advice != "" || st.Part.Seconds != 0 {
				t.Errorf("%s (passive %t): %+v", name, passive, st)
			}
			text := strings.Join(a.Sentences, "\n")
			if !strings.Contains(text, "kube-controller-manager's client-side limiter") || !strings.Contains(text, "not ruled out") || !strings.Contains(text, c.want) {
				t.Errorf("%s (passive %t) is not named as unknown: %s", name, passive, text)
			}
			if strings.Contains(text, "No client-side limiter") || strings.Contains(text, "kube-controller-manager's held") {
				t.Errorf("%s (passive %t) is called innocent: %s", name, passive, text)
			}
		}
	}
}

func TestAnAuditLineThatIsWrittenTwiceAcquitsNobody(t *testing.T) {
	for _, burst := range [][2]string{{"kind", realBurst}, {"run", "slow/burst-1"}} {
		b, p := stored(t, burst[0], burst[1])
		want := find(t, analyze(b, p), ClientLimiter, clusters.KubeControllerManager)
		var twice []recording.AuditEvent
		for _, e := range b.Audit {
			twice = append(twice, e)
			if e.Verb == "create" && e.Resource == "pods" {
				twice = append(twice, e)
			}
		}
		b.Audit = twice
		a := analyze(b, p)
		got := find(t, a, ClientLimiter, clusters.KubeControllerManager)
		if got.Held.LowSeconds != want.Held.LowSeconds || got.Held.HighSeconds != want.Held.HighSeconds || got.Part.Seconds != want.Part.Seconds || got.Advice != want.Advice {
			t.Errorf("%s: %+v, want %+v", burst[1], got, want)
		}
		if ev := strings.Join(find(t, a, APIServer, "").Evidence, "\n"); !strings.Contains(ev, "came twice and count") {
			t.Errorf("%s: repeated lines go unremarked: %s", burst[1], ev)
		}
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	b, p := stored(t, "kind", realBurst)
	// Two senders of as many creations each.
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Verb == "create" && e.Resource == "pods" && e.Subresource == "" && i%2 == 0 {
			e.UserAgent = "kube-controller-manager/other"
		}
	}
	judged := func() string {
		text, err := json.Marshal(analyze(b, p))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := judged()
	for range 10 {
		if got := judged(); got != want {
			t.Fatalf("%s\n%s", got, want)
		}
	}
}
