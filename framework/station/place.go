package station

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// triesMetric counts kube-scheduler's attempts by their result.
const triesMetric = "scheduler_schedule_attempts_total"

// placeView is which pods had no place to go, and when.
type placeView struct {
	err error
	// refused is while a pod had no place as far as anybody saw: until it was bound. certain is
	// while it certainly had none: until it was last seen without.
	refused, certain map[string]span.Span
	says             []string
}

func (s *scene) placeView() placeView {
	behind := s.behind()
	v := placeView{refused: map[string]span.Span{}, certain: map[string]span.Span{}}
	for uid, e := range timeline.Exclude(s.burst) {
		if e.Unplaced.From.IsZero() {
			continue
		}
		if e.Unplaced.To.IsZero() {
			e.Unplaced.To = s.window.To
		}
		v.refused[uid] = e.Unplaced
		// What the watch showed was so a little earlier.
		v.certain[uid] = span.Span{From: e.Unplaced.From, To: e.UnplacedSeen.Add(-behind)}
		if to := e.Unplaced.To.Add(-behind); e.Gated && to.After(v.certain[uid].To) {
			v.certain[uid] = span.Span{From: e.Unplaced.From, To: to}
		}
	}
	v.says = append(v.says, humanize.Count(len(v.refused), "pod")+" had no place for a while (PodScheduled condition, as watched)")
	refusals, err := s.process(clusters.KubeScheduler).Counter(triesMetric, exposition.Label{Name: "result", Value: "unschedulable"})
	if err == nil && refusals > 0 && len(v.refused) == 0 {
		v.err = fmt.Errorf("%w: kube-scheduler found no node %g times (%s), and no pod was seen without one", evidence.ErrTorn, refusals, triesMetric)
	}
	return v
}

// behind is by how much the watch may be behind the API server: the longest that it was for a
// pod's creation.
func (s *scene) behind() time.Duration {
	longest := time.Duration(0)
	for i := range s.courses {
		c := &s.courses[i]
		if c.create == nil {
			continue
		}
		for _, stamp := range c.pod.Marks[timeline.Create] {
			if stamp.Source == timeline.Watch {
				longest = max(longest, stamp.At.Sub(c.create.Completed))
			}
		}
	}
	return longest
}
