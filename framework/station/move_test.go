package station

import (
	"slices"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
)

func arm(name string, controller, scheduler clusters.Limits, phases map[string]stats.Seconds, limiters ...Limiter) Arm {
	return Arm{Name: name, Phases: phases, Limiters: limiters, Effective: clusters.Effective{
		"kube-controller-manager": controller, "kube-scheduler": scheduler,
	}}
}

func phases(create, schedule, run, makespan stats.Seconds) map[string]stats.Seconds {
	return map[string]stats.Seconds{"submit_to_create": create, "create_to_schedule": schedule, "schedule_to_run": run, "run_to_observed": 0.001, Makespan: makespan}
}

var (
	held = Limiter{Component: "kube-controller-manager", Phase: "submit_to_create", Regime: Queueing, HeldUp: true, HeldSeconds: 3, PhaseP99Seconds: 4}
	free = Limiter{Component: "kube-controller-manager", Phase: "submit_to_create", Regime: Idle, PhaseP99Seconds: 0.5}
	idle = Limiter{Component: "kube-scheduler", Phase: "create_to_schedule", Regime: Idle, PhaseP99Seconds: 0.2}
)

func TestTheBottleneckMoves(t *testing.T) {
	bindings := clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}
	base := arm("default", slow, bindings, phases(4, 0.2, 1, 4.2), held, idle)
	head := arm("tuned", wide, bindings, phases(0.5, 0.21, 2, 2.6), free, idle)
	m, ok := Between(base, head)
	want := "tuned against default: submit_to_create p99 fell from 4.00 s to 500 ms, makespan fell from 4.20 s to 2.60 s; schedule_to_run p99 rose from 1.00 s to 2.00 s. " +
		"The bottleneck moved from submit_to_create (held up by kube-controller-manager's limiter) to schedule_to_run (held up by no limiter)."
	if !ok || m.Sentence != want {
		t.Errorf("%q,\nwant %q", m.Sentence, want)
	}
	if !slices.Equal(m.ChangedLimits, []string{"kube-controller-manager"}) || len(m.IdleLimits) != 0 {
		t.Errorf("changed %v, idle %v", m.ChangedLimits, m.IdleLimits)
	}
}

func TestALimiterThatHeldNothingUpCannotImproveAnything(t *testing.T) {
	base := arm("default", slow, clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}, phases(4, 0.2, 1, 4.2), held, idle)
	head := arm("tuned-scheduler", slow, wide, phases(4, 0.201, 1, 4.15), held, idle)
	m, _ := Between(base, head)
	want := "tuned-scheduler against default: no phase changed by more than a tenth. The longest phase stays submit_to_create (held up by kube-controller-manager's limiter). " +
		"The changed limits (kube-scheduler) held nothing up in default, so no improvement can come from them."
	if m.Sentence != want {
		t.Errorf("%q,\nwant %q", m.Sentence, want)
	}
}

func TestTheSamePhaseForAnotherReason(t *testing.T) {
	base := arm("default", slow, wide, phases(4, 0, 0, 4), held)
	head := arm("tuned", wide, wide, phases(3, 0, 0, 3), free)
	m, _ := Between(base, head)
	want := "tuned against default: submit_to_create p99 fell from 4.00 s to 3.00 s, makespan fell from 4.00 s to 3.00 s. " +
		"The longest phase stays submit_to_create, now held up by no limiter instead of held up by kube-controller-manager's limiter."
	if m.Sentence != want {
		t.Errorf("%q,\nwant %q", m.Sentence, want)
	}
}

func TestAnArmWithoutPhasesCannotBeCompared(t *testing.T) {
	if _, ok := Between(Arm{Name: "a"}, arm("b", slow, slow, phases(1, 1, 1, 1))); ok {
		t.Error("it was compared")
	}
}

func TestInstancesAreListedWithKubeletsAsOne(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"kube-scheduler", "kubelet-a"}, "kube-scheduler, kubelet-a"},
		{[]string{"kube-scheduler", "kubelet-a", "kubelet-b"}, "kube-scheduler, 2 kubelets"},
	} {
		if got := list(c.names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
