package experiment

import (
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/testbed"
	"github.com/podburst/podburst/framework/watch"
)

func job(pods int) burst.Spec { return burst.Spec{Load: load.Job{Pods: pods}} }

func TestTheFloorOfARunningBurstIsThatOfTheLimitsInForce(t *testing.T) {
	a := &Arm{Testbed: &testbed.Testbed{}, experiment: &Experiment{options: Options{Plan: Plan{Bursts: 3}}}}
	a.profile.Metadata.Name = "tuned"
	if l := a.live("x", burst.Options{Index: 2, Spec: job(100)}); l.Floor != nil || l.Profile != "tuned" || l.Index != 2 || l.Bursts != 3 || l.Pods != 100 {
		t.Errorf("limits are not known: %+v", l)
	}
	a.Record.Effective = clusters.Effective{string(clusters.KubeControllerManager): {KubeAPIQPS: 20, KubeAPIBurst: 30}}
	if l := a.live("x", burst.Options{Spec: job(100)}); l.Floor == nil || *l.Floor != 3500*time.Millisecond {
		t.Errorf("20/30 and 100 pods: %+v", l)
	}
	if l := a.live("x", burst.Options{Spec: job(10), Warmup: true}); l.Floor == nil || *l.Floor != 0 {
		t.Errorf("the bucket holds them all: %+v", l)
	}
}

func TestALiveStateInWords(t *testing.T) {
	l := Live{Label: "profile tuned, burst 2 of 3", Elapsed: 1250 * time.Millisecond, Counts: watch.Counts{Expected: 100, Seen: 90, Scheduled: 80, Running: 40, Ready: 30}}
	if got, want := l.String(), "profile tuned, burst 2 of 3: 1.2 s, of 100 pods 90 created, 80 scheduled, 40 running, 30 ready"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	l.Label, l.Counts.Expected = "observed", 0
	if got, want := l.String(), "observed: 1.2 s, 90 created, 80 scheduled, 40 running, 30 ready"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
