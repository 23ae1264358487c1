package html

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/reports"
)

// floor is the least time that a limiter takes until the k-th of n pods.
type floor struct {
	component string
	limits    clusters.Limits
	// perPod is how many requests one pod takes, counted where there is an audit
	// log: an Event of the Job controller takes a token, too.
	perPod float64
}

// at is (k·perPod − burst)/QPS, and at least 0.
func (f floor) at(k int) float64 {
	return max(0, (float64(k)*f.perPod-float64(f.limits.KubeAPIBurst))/f.limits.KubeAPIQPS)
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
		f := floor{component: string(component), limits: limits, perPod: 1}
		for i := range b.Throttle {
			if l := &b.Throttle[i]; l.Component == f.component && b.Pods > 0 && l.PassedRequests > b.Pods {
				f.perPod = float64(l.PassedRequests) / float64(b.Pods)
			}
		}
		all = append(all, f)
	}
	return all
}

// floor is the line of a floor over n pods; nothing for one that is 0 for all.
func (p *plot) floor(f floor, n int, y func(k float64) float64) path {
	var d path
	if f.at(n) <= 0 {
		return d
	}
	d.move(p.x.at(0), y(1))
	if free := float64(f.limits.KubeAPIBurst) / f.perPod; free > 1 {
		d.line(p.x.at(0), y(free))
	}
	d.line(p.x.at(f.at(n)), y(float64(n)))
	return d
}

// floorText says what the floor of the Job controller is made of.
func (w *waterfall) floorText() string {
	for _, f := range w.floors {
		if f.component != string(clusters.KubeControllerManager) {
			continue
		}
		if f.at(len(w.pods)) <= 0 {
			return fmt.Sprintf("Job controller %s: all pods within its allowance, no floor", limitsText(f.limits))
		}
		each := ""
		if f.perPod > 1.005 {
			each = fmt.Sprintf(", %.2f a pod", f.perPod)
		}
		return fmt.Sprintf("Job controller: %d requests at once, then %g/s%s: floor %s", f.limits.KubeAPIBurst, f.limits.KubeAPIQPS, each, seconds(f.at(len(w.pods))))
	}
	return "The Job controller's limiter is not known: no floor"
}
