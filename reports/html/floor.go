package html

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// floor is the least time that a limiter takes until the k-th pod has passed it.
type floor struct {
	component string
	limits    clusters.Limits
	// whole is the floor of all that the component sent until the last pod, in
	// seconds: Events and writes of the workload's status take tokens, too.
	whole float64
}

// at is (k − burst)/QPS, and at least 0: what k pods need at one request each. When
// else the component sent what is not known here, so that this alone is a bound for
// every pod.
func (f floor) at(k int) float64 {
	return max(0, float64(k-f.limits.KubeAPIBurst)/f.limits.KubeAPIQPS)
}

// floors are those of the components that handle all pods of a burst through one
// limiter. A kubelet's limiter is its node's own and has no line here.
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

// drawFloor is the line of a floor over n pods; nothing for one that is 0 for all.
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

// floorText says what the floor of the workload's controller is made of.
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
