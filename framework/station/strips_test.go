package station

import (
	"math"
	"testing"
)

func TestStripsAreSharesOfTimeAndUnknownOnesHaveNone(t *testing.T) {
	for name, a := range every(t) {
		all := a.Strips()
		if len(all) != len(everyStation())-1 {
			t.Fatalf("%s: %d strips", name, len(all))
		}
		for _, strip := range all {
			if !strip.Known && strip.Load != nil {
				t.Errorf("%s: %s is not known and has a strip", name, strip.Title())
			}
			for _, load := range strip.Load {
				if !(load >= 0 && load <= 1) {
					t.Errorf("%s: %s is %g full", name, strip.Title(), load)
				}
			}
		}
	}
	if read := (&Analysis{Stations: []Station{{Station: Etcd}}}); read.Strips() != nil {
		t.Error("an analysis that was read from a file has strips")
	}
}

func TestAStripShowsWhenAStationWasFull(t *testing.T) {
	a := analyze(stored(t, "kind", realBurst))
	mean := map[string][2]float64{} // of the first and the last quarter
	for _, strip := range a.Strips() {
		var m [2]float64
		for i := range strip.Load[:len(strip.Load)/4] {
			m[0] += strip.Load[i] / float64(len(strip.Load)/4)
			m[1] += strip.Load[len(strip.Load)-1-i] / float64(len(strip.Load)/4)
		}
		mean[strip.Label()] = m
	}
	// Creation is over after 4.4 of 41 s, containers are made until the end.
	if m := mean["kube-controller-manager's limiter"]; m[0] < 0.1 || m[1] != 0 {
		t.Errorf("the limiter: %v", m)
	}
	if m := mean["container runtime"]; m[1] < 0.95 {
		t.Errorf("the runtime: %v", m)
	}
	if m := mean["a place to go"]; math.Max(m[0], m[1]) != 0 {
		t.Errorf("a place: %v", m)
	}
}
