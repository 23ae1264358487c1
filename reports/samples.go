package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// samples are the durations of one phase, in seconds.
type samples struct {
	seconds []float64
	// missing is how many expected pods lack either mark.
	missing int
	sources []timeline.Source
}

// with returns both samples together. It may append to the array of s, which is a pool's.
func (s samples) with(other samples) samples {
	s.seconds = append(s.seconds, other.seconds...)
	s.missing += other.missing
	for _, source := range other.sources {
		s.from(source)
	}
	return s
}

func (s *samples) from(source timeline.Source) {
	if !slices.Contains(s.sources, source) {
		s.sources = append(slices.Clone(s.sources), source)
	}
}

// phaseSamples returns every phase that the provider can give, by name. Replacements are
// left out; expected pods that were never seen count as missing. pod_startup excludes
// subtracted, which is what its SLI leaves out of each pod, by UID.
func phaseSamples(t *timeline.Timeline, subtracted map[string]time.Duration) map[string]samples {
	all := map[string]samples{}
	for _, ph := range timeline.Phases() {
		if !t.Available(ph) {
			continue
		}
		s := samples{seconds: make([]float64, 0, len(t.Pods))}
		for i := range t.Pods {
			p := &t.Pods[i]
			if p.Replacement {
				continue
			}
			if d, from, to, ok := p.Duration(ph); ok {
				s.seconds = append(s.seconds, startup(ph, d, subtracted[p.UID]).Seconds())
				s.from(from.Source)
				s.from(to.Source)
			}
		}
		s.missing = max(0, t.Accounting.Expected-len(s.seconds))
		all[ph.Name] = s
	}
	return all
}

// summarizePhase returns nil for a phase without an entry in the samples.
func summarizePhase(name string, of map[string]samples) (*stats.Summary, error) {
	s, available := of[name]
	if !available {
		return nil, nil
	}
	summary, err := stats.Summarize(s.seconds, s.missing)
	if err != nil {
		return nil, fmt.Errorf("phase %s: %w", name, err)
	}
	best := []timeline.Source{timeline.Audit, timeline.ComponentLog, timeline.Watch}
	slices.SortFunc(s.sources, func(a, b timeline.Source) int { return slices.Index(best, a) - slices.Index(best, b) })
	var names []string
	for _, source := range s.sources {
		names = append(names, string(source))
	}
	summary.Source = strings.Join(names, "+")
	return &summary, nil
}

// worstShown is the number of a burst's slowest pods that a report names.
const worstShown = 5

// worstPods returns the pods with the longest total, or for a passive burst, which has no
// total, the longest time from create to observed. Pods without that time are left out:
// they are missing, which is a reason of its own.
func worstPods(t *timeline.Timeline, subtracted map[string]time.Duration) []WorstPod {
	total := timeline.Phase{Name: "total", From: timeline.Submit, To: timeline.Observed}
	if !t.Available(total) {
		total.From = timeline.Create
	}
	var known []*timeline.Pod
	for i := range t.Pods {
		if _, _, _, ok := t.Pods[i].Duration(total); ok && !t.Pods[i].Replacement {
			known = append(known, &t.Pods[i])
		}
	}
	slices.SortStableFunc(known, func(a, b *timeline.Pod) int {
		da, _, _, _ := a.Duration(total)
		db, _, _, _ := b.Duration(total)
		return cmp.Compare(db, da)
	})
	worst := []WorstPod{}
	for _, p := range known[:min(len(known), worstShown)] {
		worst = append(worst, WorstPod{Name: p.Name, Node: p.Node, Phases: podPhases(p, subtracted[p.UID])})
	}
	return worst
}

// podPhases returns the known phases of one pod, in seconds.
func podPhases(p *timeline.Pod, subtracted time.Duration) map[string]stats.Seconds {
	phases := map[string]stats.Seconds{}
	for _, ph := range timeline.Phases() {
		if d, _, _, ok := p.Duration(ph); ok {
			phases[ph.Name] = stats.SecondsOf(startup(ph, d, subtracted))
		}
	}
	return phases
}

// creationSpread is the time from the first pod's creation to the last one's; nil unless
// all expected pods have the mark.
func creationSpread(t *timeline.Timeline) *stats.Seconds {
	var created []timeline.Stamp
	for i := range t.Pods {
		if at, ok := t.Pods[i].Primary(timeline.Create); ok && !t.Pods[i].Replacement {
			created = append(created, at)
		}
	}
	if len(created) == 0 || len(created) != t.Accounting.Expected {
		return nil
	}
	// The timeline sorts pods by this mark.
	spread := stats.SecondsOf(created[len(created)-1].At.Sub(created[0].At))
	return &spread
}

// creationFloor is the least time in which the limiter of the workload's controller lets
// the creations through. It is nil for a passive burst, because nobody knows which
// component created the pods.
func creationFloor(b *recording.Burst, effective clusters.Effective) *stats.Seconds {
	limits, known := effective[string(clusters.KubeControllerManager)]
	if !known || b.Passive != nil {
		return nil
	}
	floor := stats.SecondsOf(station.Spread(b.Pods, limits))
	return &floor
}
