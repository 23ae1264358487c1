package reports

import (
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// PodStartupDefinition names what the phase pod_startup measures and leaves out.
const PodStartupDefinition = "Kubernetes pod startup latency SLI (sig-scalability), stateless pods: created to observed running by watch; image pulls, init containers and time gated or unschedulable excluded, as far as Events and the watch tell"

// PodStartup is what the phase pod_startup was measured on, and what was left out of it.
type PodStartup struct {
	// Stateless is how many pods are stateless to the Kubernetes SLI. All of podburst's
	// own are: they have no volumes but the default ones, and no init containers.
	Stateless int `json:"stateless"`
	// Stateful is how many pods are stateful to the Kubernetes SLI. Only the pods of
	// others can be.
	Stateful int `json:"stateful"`
	// PulledPods is how many pods pulled an image during the burst.
	PulledPods int `json:"pulledPods"`
	// PullSeconds is the time that was subtracted for image pulls, over all pods.
	PullSeconds stats.Seconds `json:"pullSeconds"`
	// WithInitContainers is how many pods of others have init containers.
	WithInitContainers int `json:"withInitContainers,omitempty"`
	// InitSeconds is the time that was subtracted for init containers, over all pods.
	InitSeconds stats.Seconds `json:"initSeconds,omitempty"`
	// InitIncluded is of how many pods the watch did not see when their init containers
	// ran, so that this time is part of pod_startup.
	InitIncluded int `json:"initIncluded,omitempty"`
	// UnplacedSeconds is the time that was subtracted because pods were gated or could
	// not be scheduled, over all pods.
	UnplacedSeconds stats.Seconds `json:"unplacedSeconds,omitempty"`
}

func podStartup(b *recording.Burst, t *timeline.Timeline, excluded map[string]timeline.Excluded) PodStartup {
	s := PodStartup{}
	stateful, initializing := map[string]bool{}, map[string]bool{}
	for i := range b.Watch {
		o := &b.Watch[i]
		stateful[o.UID], initializing[o.UID] = o.Stateful, o.InitContainers > 0
	}
	for i := range t.Pods {
		if t.Pods[i].Replacement {
			continue
		}
		if stateful[t.Pods[i].UID] {
			s.Stateful++
		} else {
			s.Stateless++
		}
		e := excluded[t.Pods[i].UID]
		if initializing[t.Pods[i].UID] {
			s.WithInitContainers++
			if e.Initializing.Length() == 0 {
				s.InitIncluded++
			}
		}
		s.InitSeconds += stats.SecondsOf(e.Initializing.Length())
		s.UnplacedSeconds += stats.SecondsOf(e.Unplaced.Length())
		if len(e.Pulls) > 0 {
			s.PulledPods++
		}
		for _, pull := range e.Pulls {
			s.PullSeconds += stats.SecondsOf(pull.Length())
		}
	}
	return s
}

// startup is the phase's duration, for pod_startup without what the SLI excludes.
func startup(ph timeline.Phase, d, subtracted time.Duration) time.Duration {
	if ph.Name != "pod_startup" || subtracted <= 0 {
		return d
	}
	return max(0, d-subtracted)
}

// subtracted returns what pod_startup leaves out of each pod, by UID.
func subtracted(b *recording.Burst) map[string]time.Duration {
	of := map[string]time.Duration{}
	for uid, e := range timeline.Exclude(b) {
		of[uid] = e.Length()
	}
	return of
}
