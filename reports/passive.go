package reports

import (
	"fmt"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/humanize"
)

// Passive is how the pods of others were observed.
type Passive struct {
	// Namespace is the namespace of the pods.
	Namespace string `json:"namespace"`
	recording.Passive
}

func passiveOf(b *recording.Burst) *Passive {
	if b.Passive == nil {
		return nil
	}
	return &Passive{Namespace: b.Namespace, Passive: *b.Passive}
}

// passiveLines say which pods the numbers of a passive profile cover, and what is not known
// about them. Other profiles have none.
func passiveLines(r *Report, profile string) []string {
	var lines []string
	for i := range r.Bursts {
		b := &r.Bursts[i]
		p := b.Passive
		if b.Profile != profile || p == nil {
			continue
		}
		lines = append(lines,
			fmt.Sprintf("Observed: pods of others in namespace %s that match %s, created after %s; %s. %s",
				humanize.Shorten(p.Namespace, 63), humanize.Shorten(p.Selector, 300), p.Began.Format("15:04:05.000 UTC"), leftOut(p.Existing), passiveEnd(b)),
			"When they were submitted is not known: there is no makespan, and no phase that begins with submit.")
		s := b.PodStartup
		switch {
		case p.EventsUnavailable != "":
			lines = append(lines, fmt.Sprintf("Image pulls are not known (%s): they are part of pod_startup.", humanize.Shorten(p.EventsUnavailable, 300)))
		case s.PulledPods > 0:
			lines = append(lines, fmt.Sprintf("%s pulled images for %s together, which pod_startup leaves out.", humanize.Count(s.PulledPods, "pod"), humanize.Seconds(s.PullSeconds)))
		}
		if s.InitIncluded > 0 {
			lines = append(lines, fmt.Sprintf("%s with init containers, whose time is part of pod_startup, where the Kubernetes SLI leaves it out: the watch did not see when they ran.", humanize.Count(s.InitIncluded, "pod")))
		}
		if s.Stateful > 0 {
			lines = append(lines, fmt.Sprintf("%s with volumes that make them stateful to the Kubernetes SLI, whose 5 s are for stateless ones.", humanize.Count(s.Stateful, "pod")))
		}
		if p.NodesUnavailable != "" {
			lines = append(lines, fmt.Sprintf("Whether nodes were Ready is not known (%s).", humanize.Shorten(p.NodesUnavailable, 300)))
		}
	}
	return lines
}

// passiveEnd says when the observation was considered finished.
func passiveEnd(b *Burst) string {
	switch b.EndReason {
	case recording.EndAllReady:
		return fmt.Sprintf("Ended when %s were ready, as asked for.", humanize.Count(b.Passive.Wanted, "pod"))
	case recording.EndSettled:
		return fmt.Sprintf("Ended when nothing had changed for %g s.", b.Passive.SettleSeconds)
	case recording.EndDeadline:
		return "Ended when the time was up."
	}
	return fmt.Sprintf("Ended as %s.", b.EndReason)
}

func leftOut(existing int) string {
	if existing == 0 {
		return "none was there before"
	}
	return fmt.Sprintf("%d that were there before are left out", existing)
}
