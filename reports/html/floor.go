package html

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// floor is the least time in which a limiter lets k pods pass.
type floor struct {
	component string
	limits    clusters.Limits
	// whole is the floor, in seconds, of everything that the component sent until the last
	// pod: Events and writes of the workload's status take tokens, too.
	whole float64
}

// at is (k − burst)/QPS, and at least 0: what k pods need at one request each. The times of
// the component's other requests are not known, so only this is a bound for every pod.
func (f floor) at(k int) float64 {
	return max(0, float64(k-f.limits.KubeAPIBurst)/f.limits.KubeAPIQPS)
}

// floors returns those of the components through whose limiter all pods of a burst pass. A
// kubelet's limiter serves only its own node and has no line here.
func floors(b *reports.Burst, effective clusters.Effective) []floor {
	var all []floor
	for _, component := range []clusters.Component{clusters.KubeControllerManager, clusters.KubeScheduler} {
		limits, ok := effective[string(component)]
		if !ok || limits.KubeAPIQPS <= 0 || !finite(limits.KubeAPIQPS) {
			continue
		}
		f := floor{component: string(component), limits: limits}
		for i := range b.Throttle {
			if l := &b.Throttle[i]; l.Component == f.component && finite(l.FloorSeconds) {
				f.whole = float64(l.FloorSeconds)
			}
		}
		all = append(all, f)
	}
	return all
}

// drawFloor draws the line of a floor over n pods; nothing if the floor is 0 for all of
// them.
func drawFloor(p *svg.Plot, f floor, n int, y func(k float64) float64) svg.Path {
	var d svg.Path
	if f.at(n) <= 0 {
		return d
	}
	d.Move(p.X.At(0), y(1))
	if f.limits.KubeAPIBurst > 1 {
		d.Line(p.X.At(0), y(float64(f.limits.KubeAPIBurst)))
	}
	d.Line(p.X.At(f.at(n)), y(float64(n)))
	return d
}

// floorText says what the floor of the workload's controller consists of.
func (w *waterfall) floorText() string {
	controller := w.workload.Controller
	for _, f := range w.floors {
		if f.component != string(clusters.KubeControllerManager) {
			continue
		}
		last := f.at(len(w.pods))
		if last <= 0 {
			return fmt.Sprintf("%s %s: all within its allowance, no floor", controller, f.limits)
		}
		with := ""
		if f.whole > 1.005*last {
			with = " (" + humanize.Seconds(f.whole) + " with all it sent)"
		}
		return fmt.Sprintf("%s %s: floor %s%s", controller, f.limits, humanize.Seconds(last), with)
	}
	return "The " + controller + "'s limiter is not known: no floor"
}
