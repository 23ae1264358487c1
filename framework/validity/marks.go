package validity

import (
	"slices"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

// marks checks that every ready pod has every mark that the provider can give. Statistics
// over only the pods that have a mark would look complete.
func (j *judge) marks() {
	for _, m := range timeline.Marks() {
		if slices.Contains(j.t.Unavailable, m) {
			continue
		}
		lacking := j.named(func(p *timeline.Pod) bool {
			_, ok := p.Primary(m)
			return !ok && p.Outcome == timeline.OutcomeReady && !p.Replacement
		})
		if len(lacking) > 0 {
			j.add(recording.ProblemMarkMissing, "%s ready without the mark %s: %s", count(len(lacking)), m, list(lacking))
		}
	}
}

// holes checks that the audit log has the same marks for every ready pod. If a mark comes
// from another source for some pods only, the log lost requests, as an API server does when
// its buffer is full.
func (j *judge) holes() {
	for _, m := range timeline.Marks() {
		audited := func(p *timeline.Pod) bool {
			return slices.ContainsFunc(p.Marks[m], func(s timeline.Stamp) bool { return s.Source == timeline.Audit })
		}
		ready := func(p *timeline.Pod) bool { return p.Outcome == timeline.OutcomeReady && !p.Replacement }
		if m == timeline.Submit || !slices.ContainsFunc(j.t.Pods, func(p timeline.Pod) bool { return ready(&p) && audited(&p) }) {
			continue
		}
		lacking := j.named(func(p *timeline.Pod) bool {
			_, known := p.Primary(m)
			return ready(p) && known && !audited(p)
		})
		if len(lacking) > 0 {
			j.addOnce(recording.ProblemAuditGap, "the audit log lacks the request that is the mark %s of %s: %s", m, count(len(lacking)), list(lacking))
			return
		}
	}
}

// durations looks for phases that end before they begin. It checks phases that span several
// only if the chain's are fine, because they would repeat the same fault.
func (j *judge) durations() {
	before := len(j.problems)
	for _, ph := range timeline.Chain() {
		j.negative(ph)
	}
	if len(j.problems) > before {
		return
	}
	for _, ph := range timeline.Derived() {
		j.negative(ph)
	}
}

func (j *judge) negative(ph timeline.Phase) {
	worst := time.Duration(0)
	names := j.named(func(p *timeline.Pod) bool {
		d, from, to, ok := p.Duration(ph)
		if !ok || d >= -j.uncertainty(from, to) {
			return false
		}
		worst = min(worst, d)
		return true
	})
	if len(names) > 0 {
		j.add(recording.ProblemNegativeDuration, "%s of %s is negative beyond its clocks' error, down to %v: %s", ph.Name, count(len(names)), worst, list(names))
	}
}

// uncertainty is how far below zero a phase may be measured although it was not truly
// negative. The first mark happened up to Since before its stamp. The second mark's own
// Since does not matter, because it happened no later than its stamp. Both stamps are
// rounded, and if one is from the API server's clock and one from the observer's, the clock
// error is added.
func (j *judge) uncertainty(from, to timeline.Stamp) time.Duration {
	u := from.Since + from.Resolution + to.Resolution
	if from.Source == to.Source {
		return u
	}
	clocks := j.options.ClockError
	if offset := j.b.ClockOffset; offset != nil {
		// A server clock that is ahead shortens phases that begin on it; one that is behind
		// shortens phases that end on it.
		if from.Source == timeline.Watch {
			clocks = max(clocks, seconds(-offset.LowSeconds))
		} else {
			clocks = max(clocks, seconds(offset.HighSeconds))
		}
	}
	return u + clocks
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
