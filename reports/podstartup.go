package reports

import (
	"regexp"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// PodStartupDefinition names what the phase pod_startup measures and leaves out.
const PodStartupDefinition = "Kubernetes pod startup latency SLI (sig-scalability), stateless pods: created to observed running by watch, image pulls and init containers excluded"

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
	// WithInitContainers is how many pods of others have init containers. Their time is
	// part of pod_startup, because the API tells it in whole seconds only.
	WithInitContainers int `json:"withInitContainers,omitempty"`
}

func podStartup(b *recording.Burst, t *timeline.Timeline, subtracted map[string]time.Duration) PodStartup {
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
		if initializing[t.Pods[i].UID] {
			s.WithInitContainers++
		}
		if d := subtracted[t.Pods[i].UID]; d > 0 {
			s.PulledPods++
			s.PullSeconds += stats.SecondsOf(d)
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

// pulled is how the kubelet says how long a pull took; with serial pulls the time
// in the queue is part of it, and named apart ("2.5s (4s including waiting)").
var pulled = regexp.MustCompile(`^Successfully pulled image .* in ([0-9a-zµ.]+s)(?: \(([0-9a-zµ.]+s) including waiting\))?`)

// pulls is how long each pod waited for images, by UID, from the kubelet's
// Pulled events. A pod's images are pulled one after the other.
func pulls(b *recording.Burst) map[string]time.Duration {
	took := map[string]time.Duration{}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Reason != "Pulled" || e.Kind != "Pod" || e.UID == "" {
			continue
		}
		found := pulled.FindStringSubmatch(e.Message)
		if found == nil { // it was there already
			continue
		}
		text := found[1]
		if found[2] != "" {
			text = found[2]
		}
		if d, err := time.ParseDuration(text); err == nil && d > 0 && d < 24*time.Hour {
			took[e.UID] += d
		}
	}
	return took
}
