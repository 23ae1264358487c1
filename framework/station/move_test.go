package station

import (
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
)

var (
	narrow   = clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}
	wide     = clusters.Limits{KubeAPIQPS: 150, KubeAPIBurst: 200}
	bindings = clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}
)

// waited is an analysis of a burst of 4 s of which each limiter held so much.
func waited(controller, scheduler stats.Seconds) *Analysis {
	makespan := stats.Seconds(4)
	of := func(c clusters.Component, held stats.Seconds) Station {
		return Station{Station: ClientLimiter, Component: string(c), Known: true, Held: Range{0, held}, Part: Part{Seconds: held}}
	}
	return &Analysis{MakespanSeconds: &makespan, NotExplainedSeconds: makespan - controller - scheduler, Stations: []Station{
		of(clusters.KubeControllerManager, controller), of(clusters.KubeScheduler, scheduler),
	}}
}

func arm(name string, controller, scheduler clusters.Limits, phases map[string]stats.Seconds, bursts ...*Analysis) Arm {
	a := Arm{Name: name, Phases: phases, Analyses: bursts, Effective: clusters.Effective{
		"kube-controller-manager": controller, "kube-scheduler": scheduler,
	}}
	if len(bursts) > 0 {
		if first, ok := bursts[0].First(); ok {
			a.First = &first
		}
	}
	return a
}

func phases(create, schedule, run, makespan stats.Seconds) map[string]stats.Seconds {
	return map[string]stats.Seconds{"submit_to_create": create, "create_to_schedule": schedule, "schedule_to_run": run, "run_to_observed": 0.001, Makespan: makespan}
}

func TestWhatTakesMostOfTheMakespanIsNamedForBoth(t *testing.T) {
	m, ok := Between(arm("default", narrow, bindings, phases(4, 0.2, 1, 4.2), waited(3, 0)), arm("tuned", wide, bindings, phases(0.5, 0.21, 2, 2.6), waited(0, 0)))
	want := "tuned against default: submit_to_create p99 fell from 4.00 s to 500 ms, makespan fell from 4.20 s to 2.60 s; schedule_to_run p99 rose from 1.00 s to 2.00 s. " +
		"Most of the makespan: in default kube-controller-manager's limiter, 3.00 s of 4.00 s; in tuned not explained, 4.00 s of 4.00 s."
	if !ok || m.Sentence != want {
		t.Errorf("%q,\nwant %q", m.Sentence, want)
	}
	if !slices.Equal(m.ChangedLimits, []string{"kube-controller-manager"}) || len(m.IdleLimits)+len(m.UnknownLimits) != 0 {
		t.Errorf("changed %v, idle %v, unknown %v", m.ChangedLimits, m.IdleLimits, m.UnknownLimits)
	}
}

func TestALimiterThatHeldNothingUpCannotImproveAnything(t *testing.T) {
	head := arm("tuned-scheduler", narrow, wide, phases(4, 0.201, 1, 3), waited(3, 0))
	m, _ := Between(arm("default", narrow, bindings, phases(4, 0.2, 1, 4.2), waited(3, 0.004), waited(3, 0)), head)
	want := "tuned-scheduler against default: makespan fell from 4.20 s to 3.00 s. Most of the makespan stays with the same: " +
		"kube-controller-manager's limiter, 3.00 s of 4.00 s in default and 3.00 s of 4.00 s in tuned-scheduler. " +
		"The changed limits (kube-scheduler) held no more than 4.0 ms up in default, so no improvement can come from them. What fell, fell for another reason."
	if m.Sentence != want {
		t.Errorf("%q,\nwant %q", m.Sentence, want)
	}
	// The opposite: it held pods up in one of two bursts.
	m, _ = Between(arm("default", narrow, bindings, phases(4, 0.2, 1, 4.2), waited(3, 0), waited(3, 0.3)), head)
	if len(m.IdleLimits) != 0 || strings.Contains(m.Sentence, "no improvement") {
		t.Errorf("idle %v: %q", m.IdleLimits, m.Sentence)
	}
}

func TestALimiterThatIsNotKnownIsNotCalledIdle(t *testing.T) {
	unknown := waited(3, 0)
	unknown.Stations[1].Known, unknown.Stations[1].UnknownReason = false, "metrics unreadable"
	head := arm("tuned-scheduler", narrow, wide, phases(4, 0.201, 1, 3), waited(3, 0))
	for name, base := range map[string]Arm{
		"one of two bursts": arm("default", narrow, bindings, phases(4, 0.2, 1, 4.2), waited(3, 0), unknown),
		"no valid burst":    arm("default", narrow, bindings, phases(4, 0.2, 1, 4.2)),
	} {
		m, _ := Between(base, head)
		if !slices.Equal(m.UnknownLimits, []string{"kube-scheduler"}) || !strings.Contains(m.Sentence, "It is not known what the limits of kube-scheduler held up in default.") || strings.Contains(m.Sentence, "no improvement") {
			t.Errorf("%s: %q", name, m.Sentence)
		}
	}
}

func TestABurstWithoutAMakespanHasNoFirstStation(t *testing.T) {
	a := waited(3, 0)
	a.MakespanSeconds = nil
	m, _ := Between(arm("a", narrow, narrow, phases(1, 1, 1, 0), a), arm("b", narrow, narrow, phases(1, 1, 1, 0), waited(3, 0)))
	if m.From != nil || !strings.Contains(m.Sentence, "Most of the makespan in b: kube-controller-manager's limiter, 3.00 s of 4.00 s. In a that is not known.") {
		t.Errorf("%q", m.Sentence)
	}
}

func TestAnArmWithoutPhasesCannotBeCompared(t *testing.T) {
	if _, ok := Between(Arm{Name: "a"}, arm("b", narrow, narrow, phases(1, 1, 1, 1))); ok {
		t.Error("it was compared")
	}
}

func TestInstancesAreListedWithKubeletsAsOne(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"kube-scheduler", "kubelet-a"}, "kube-scheduler and kubelet-a"},
		{[]string{"kube-scheduler", "kubelet-a", "kubelet-b"}, "kube-scheduler and 2 kubelets"},
	} {
		if got := list(c.names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
