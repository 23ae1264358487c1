package e2e

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

func check(v verdict.Verdict, observed *stats.Seconds) slo.Result {
	return slo.Result{Name: "startup", Profile: "tuned", Burst: 1, Phase: "pod_startup", Stat: "p99",
		LimitSeconds: 5, ObservedSeconds: observed, Samples: 100, Verdict: v}
}

func TestMeetObjectivesShowsWhatWasObservedAndTheSlowestPods(t *testing.T) {
	observed := stats.Seconds(6.25)
	report := reports.Report{
		SLO: []slo.Result{check(verdict.Pass, &observed), check(verdict.Fail, &observed), check(verdict.Invalid, nil)},
		Bursts: []reports.Burst{{Profile: "tuned", Index: 1, Worst: []reports.WorstPod{
			{Name: "slow", Node: "worker-1", Phases: map[string]stats.Seconds{"create_to_schedule": 3.9}}}}},
	}
	judged := ChecksOf(report, "tuned", 1)
	m := MeetObjectives()
	if ok, err := m.Match(judged); ok || err != nil {
		t.Fatalf("Match = %v, %v; want false, nil", ok, err)
	}
	message := m.FailureMessage(judged)
	for _, want := range []string{`burst 1 of profile "tuned"`, "nearest-rank", "SLO startup: pod_startup p99 observed 6.250 s, limit 5 s, n=100",
		"INVALID startup: pod_startup p99 nothing observed", "slow on worker-1: create_to_schedule=3.900"} {
		if !strings.Contains(message, want) {
			t.Errorf("the message lacks %q:\n%s", want, message)
		}
	}
	if strings.Count(message, "startup: pod_startup") != 2 {
		t.Errorf("the message should list the two missed checks only:\n%s", message)
	}
}

func TestMatchersTellOneBurstFromAnother(t *testing.T) {
	observed := stats.Seconds(1)
	report := reports.Report{SLO: []slo.Result{check(verdict.Fail, &observed)}}
	if ok, _ := MeetObjectives().Match(ChecksOf(report, "tuned", 2)); !ok {
		t.Error("a miss of burst 1 failed burst 2")
	}
	if ok, _ := MeetObjectives().Match(ChecksOf(report, "default", 1)); !ok {
		t.Error("a miss of profile tuned failed profile default")
	}
}

func TestBeValidListsTheReasonsAndCallsThemInvalid(t *testing.T) {
	b := reports.Burst{Profile: "default", Index: 2, Accounting: timeline.Accounting{Expected: 100, Ready: 99, Lost: 1},
		InvalidReasons: []recording.Problem{{Code: "pod-lost", Detail: "pod x was deleted"}}}
	m := BeValid()
	if ok, err := m.Match(b); ok || err != nil {
		t.Fatalf("Match = %v, %v; want false, nil", ok, err)
	}
	message := m.FailureMessage(b)
	for _, want := range []string{"INVALID: burst 2", "100 expected = 99 ready + 0 failed + 0 pending + 1 lost", "pod-lost: pod x was deleted"} {
		if !strings.Contains(message, want) {
			t.Errorf("the message lacks %q:\n%s", want, message)
		}
	}
	b.Valid = true
	if ok, _ := m.Match(b); !ok {
		t.Error("a valid burst does not match")
	}
}

func TestABurstThatWasNeverRecordedIsInvalid(t *testing.T) {
	b := BurstOf(reports.Report{Bursts: []reports.Burst{{Profile: "default", Index: 1, Warmup: true, Valid: true}}}, "default", 1)
	if ok, _ := BeValid().Match(b); ok {
		t.Error("a warm-up stood in for the burst")
	}
	if message := BeValid().FailureMessage(b); !strings.Contains(message, "not recorded") {
		t.Errorf("message: %s", message)
	}
}

func TestMatchersRefuseOtherTypes(t *testing.T) {
	if _, err := BeValid().Match(3); err == nil {
		t.Error("BeValid took an int")
	}
	if _, err := MeetObjectives().Match(3); err == nil {
		t.Error("MeetObjectives took an int")
	}
}
