package progress

import (
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/watch"
)

// A burst that only the limiter delays: its bucket at once, then so many a second.
func TestTheEstimateOfAThrottledBurst(t *testing.T) {
	const way = 800 * time.Millisecond // of a pod from its creation to being ready
	for _, test := range []struct {
		pods   int
		limits clusters.Limits
	}{
		{100, clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}},
		{1000, clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}},
		{300, clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 75}},
	} {
		floor := station.Spread(test.pods, test.limits)
		end := floor + way
		var p pace
		estimates := 0
		for at := time.Duration(0); at < end; at += 250 * time.Millisecond {
			ready := 0
			if at >= way {
				ready = min(test.pods-1, test.limits.KubeAPIBurst+int((at-way).Seconds()*test.limits.KubeAPIQPS))
			}
			l := experiment.Live{Pods: test.pods, Floor: &floor, Counts: watch.Counts{Expected: test.pods, Ready: ready}, Elapsed: at}
			p.add(l)
			left, ok := p.left(l)
			if !ok {
				continue
			}
			estimates++
			if real := end - at; (left - real).Abs() > 400*time.Millisecond+real/10 {
				t.Errorf("%d pods, after %v: %v are left, estimated %v", test.pods, at, real, left)
			}
		}
		if estimates == 0 {
			t.Errorf("%d pods: no estimate", test.pods)
		}
	}
}

// Slow kubelets: the floor says little, and the recent pace everything.
func TestTheEstimateFollowsThePaceOfLate(t *testing.T) {
	floor := time.Second
	var p pace
	l := experiment.Live{Pods: 500, Floor: &floor}
	for l.Elapsed = 0; l.Elapsed <= 60*time.Second; l.Elapsed += 250 * time.Millisecond {
		// 10 a second, then 2 a second after 30 s.
		l.Counts.Ready = int(min(l.Elapsed, 30*time.Second).Seconds()*10 + max(0, l.Elapsed-30*time.Second).Seconds()*2)
		p.add(l)
	}
	left, ok := p.left(l)
	if real := 70 * time.Second; !ok || (left-real).Abs() > 5*time.Second {
		t.Errorf("about %v are left, want %v", left, real)
	}
	if len(p.samples) > 200 {
		t.Errorf("%d samples are kept", len(p.samples))
	}
}

func TestNoEstimateWithoutData(t *testing.T) {
	at := func(elapsed time.Duration, ready, failed int) experiment.Live {
		return experiment.Live{Label: "x", Pods: 100, Counts: watch.Counts{Ready: ready, Failed: failed}, Elapsed: elapsed}
	}
	for name, states := range map[string][]experiment.Live{
		"nothing is ready":   {at(time.Second, 0, 0), at(9*time.Second, 0, 0)},
		"one look":           {at(2*time.Second, 50, 0)},
		"too short":          {at(2*time.Second, 50, 0), at(2500*time.Millisecond, 60, 0)},
		"too few":            {at(time.Second, 1, 0), at(3*time.Second, 3, 0)},
		"nothing moves":      {at(2*time.Second, 50, 0), at(60*time.Second, 50, 0)},
		"pods stop to be":    {at(2*time.Second, 50, 0), at(60*time.Second, 40, 0)},
		"pods have failed":   {at(2*time.Second, 50, 0), at(4*time.Second, 60, 1)},
		"all are ready":      {at(2*time.Second, 50, 0), at(4*time.Second, 100, 0)},
		"the next burst":     {at(2*time.Second, 50, 0), at(4*time.Second, 60, 0), at(time.Second, 50, 0)},
		"nobody knows pods":  {{Counts: watch.Counts{Ready: 1}}, {Counts: watch.Counts{Ready: 9}, Elapsed: 9 * time.Second}},
		"nothing was seen":   {},
		"it is the same now": {at(2*time.Second, 50, 0), at(2*time.Second, 60, 0)},
	} {
		var p pace
		var l experiment.Live
		for _, l = range states {
			p.add(l)
		}
		if left, ok := p.left(l); ok {
			t.Errorf("%s: about %v are left", name, left)
		}
	}
}

func TestAboutClaimsNoFalseDigits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:             "about 0.1 s",
		1849 * time.Millisecond:  "about 1.8 s",
		9960 * time.Millisecond:  "about 10 s",
		73 * time.Second:         "about 73 s",
		17 * time.Minute:         "about 17 min",
		99600 * time.Millisecond: "about 2 min",
	} {
		if got := about(d); got != want {
			t.Errorf("about(%v) = %s, want %s", d, got, want)
		}
	}
}
