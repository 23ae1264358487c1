package station

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
)

// Explain says in sentences which limiter held which phase up, most time lost
// first, and then which did not; of several kubelets the one that lost most. The
// limiters are those of one burst, or the medians of several.
func Explain(limiters []Limiter) []string {
	var guilty, others []Limiter
	for _, l := range limiters {
		switch {
		case l.Phase == "":
		case l.HeldUp:
			guilty = append(guilty, l)
		default:
			others = append(others, l)
		}
	}
	if len(guilty)+len(others) == 0 {
		return []string{"No component's limiter metrics could be read, so nothing is known of client-side waits."}
	}
	slices.SortStableFunc(guilty, func(a, b Limiter) int { return cmp.Compare(b.HeldSeconds, a.HeldSeconds) })
	var sentences []string
	told := map[clusters.Component]bool{}
	for _, l := range guilty {
		if !told[l.kind] {
			told[l.kind] = true
			alike := 0
			for _, other := range guilty {
				if other.kind == l.kind {
					alike++
				}
			}
			sentences = append(sentences, l.sentence(alike-1))
		}
	}
	if len(others) > 0 {
		sentences = append(sentences, innocence(others, len(guilty) > 0))
	}
	return sentences
}

// sentence is for one that held its phase up.
func (l *Limiter) sentence(alike int) string {
	who := l.Component
	if alike > 0 {
		who = fmt.Sprintf("%s (and %d more like it)", l.Component, alike)
	}
	work := fmt.Sprintf("for at least %d requests", l.PassedRequests)
	if l.audited() {
		work = fmt.Sprintf("for %d requests, %d of them %s,", l.PassedRequests, l.NeededRequests, need(l.kind))
	}
	return fmt.Sprintf("%s p99 %s: %s held its requests up for %s in its own %s limiter (%s: %d of %d requests waited, up to %s each; the limiter's floor %s is %s and they took %s). Raise %s.kubeAPIQPS and kubeAPIBurst.",
		l.Phase, short(l.PhaseP99Seconds), who, short(l.HeldSeconds), limits(l), l.Regime, l.Waited, l.Requests, short(l.MaxWaitSeconds),
		work, short(l.FloorSeconds), short(l.TookSeconds), l.kind.Setting())
}

// innocence is for those that did not: the negative control.
func innocence(others []Limiter, more bool) string {
	begin := "No client-side limiter held a phase up: "
	if more {
		begin = "No other limiter held a phase up: "
	}
	for _, l := range others {
		if !more && (l.Regime == Pacing || l.Regime == Queueing) {
			begin = "No client-side limiter is known to have held a phase up: "
		}
	}
	var parts []string
	kubelets := 0
	for i := range others {
		l := &others[i]
		if l.kind == clusters.Kubelet {
			kubelets++
			continue
		}
		parts = append(parts, l.part(l.Component))
	}
	if kubelets > 0 {
		// Of kubelets, the one that waited most.
		worst := slices.MaxFunc(others, func(a, b Limiter) int {
			if c := cmp.Compare(boolean(a.kind == clusters.Kubelet), boolean(b.kind == clusters.Kubelet)); c != 0 {
				return c
			}
			return cmp.Or(cmp.Compare(a.MaxWaitSeconds, b.MaxWaitSeconds), cmp.Compare(a.Requests, b.Requests))
		})
		who := worst.Component
		if kubelets > 1 {
			who = fmt.Sprintf("the busiest of %d kubelets", kubelets)
		}
		parts = append(parts, worst.part(who))
	}
	return begin + strings.Join(parts, ", ") + "."
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (l *Limiter) part(who string) string {
	waited := "none waited"
	if l.Waited > 0 {
		waited = fmt.Sprintf("%d waited, up to %s each", l.Waited, short(l.MaxWaitSeconds))
	}
	return fmt.Sprintf("%s %s sent %d requests and %s", who, limits(l), l.Requests, waited)
}

func limits(l *Limiter) string {
	switch {
	case !l.known:
		return "(limits not known)"
	case l.limits.KubeAPIQPS <= 0:
		return "(no limiter)"
	}
	return l.limits.String()
}

func need(c clusters.Component) string {
	switch c {
	case clusters.KubeControllerManager:
		return "pod creations"
	case clusters.KubeScheduler:
		return "bindings"
	}
	return "for pod status"
}

// short is a time for a sentence.
func short(s stats.Seconds) string {
	if abs := max(s, -s); abs < 0.995 {
		return fmt.Sprintf("%d ms", s.Duration().Round(time.Millisecond).Milliseconds())
	}
	return fmt.Sprintf("%.2f s", float64(s))
}
