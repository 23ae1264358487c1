package html

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
)

// floor is the least time in which a limiter lets k pods pass.
type floor struct {
	component string
	limits    clusters.Limits
}

// at is (k − burst)/QPS in seconds, and at least 0: what k pods need at one request each.
// The times of the component's other requests are not known, so only this is a bound for
// every pod.
func (f floor) at(k int) float64 {
	return station.Spread(k, f.limits).Seconds()
}

// floors returns those of the components through whose limiter all pods of a burst pass. A
// kubelet's limiter serves only its own node and has no line here.
func floors(effective clusters.Effective) []floor {
	var all []floor
	for _, component := range []clusters.Component{clusters.KubeControllerManager, clusters.KubeScheduler} {
		limits, ok := effective[string(component)]
		if !ok || limits.KubeAPIQPS <= 0 || !finite(limits.KubeAPIQPS) {
			continue
		}
		all = append(all, floor{component: string(component), limits: limits})
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
		return fmt.Sprintf("%s %s: floor %s", controller, f.limits, humanize.Seconds(last))
	}
	return "The " + controller + "'s limiter is not known: no floor"
}
