package station

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// mostly is the busy share from which a server of one at a time is taken to have a queue.
const mostly = 0.5

// pullOperation is a pull among the operations that kubelets count (runtimeMetric): the call
// to the runtime, without the wait for the pulls before it. A kubelet that counts others and
// not this one has not pulled.
const pullOperation = "pull_image"

// pullsView is how long pods waited for images: by the kubelets' Events, which tell it pod
// by pod, or by their metrics, which tell how many pulls each node made and how long
// these took together.
type pullsView struct {
	err   error
	count int
	spans map[string]span.Set
	// nodes are those whose kubelet counted pulls.
	nodes map[string]pullsOfNode
	says  []string
}

// pulled is how many pulls the kubelets counted; 0 where that is not known.
func (s *scene) pulled() int {
	n := 0.0
	for _, name := range s.kubelets() {
		if operations, err := evidence.ProcessOf(s.burst, name).Histograms(runtimeMetric, "operation_type"); err == nil {
			n += operations[pullOperation].Count
		}
	}
	return int(min(n, 1e9))
}

// waitsForImage are the reasons for which a container waits after a pull that failed: the
// kubelet tries again later.
var waitsForImage = []string{"ErrImagePull", "ImagePullBackOff"}

// failed adds the time for which a pod was seen to wait after a pull that failed.
func (v *pullsView) failed(b *recording.Burst) {
	since := map[string]time.Time{}
	pods := map[string]bool{}
	for i := range b.Watch {
		o := &b.Watch[i]
		from, waits := since[o.UID]
		switch now := slices.Contains(waitsForImage, o.Containers.Waiting); {
		case now && !waits:
			since[o.UID] = o.At
		case !now && waits:
			delete(since, o.UID)
			v.spans[o.UID] = span.Union(append(slices.Clone(v.spans[o.UID]), span.Span{From: from, To: o.At}), 0)
			pods[o.UID] = true
		}
	}
	if len(pods) > 0 {
		v.says = append(v.says, fmt.Sprintf("%s waited after a pull that failed (%s)", humanize.Count(len(pods), "pod"), humanize.And(waitsForImage)))
	}
}

// pullsOfNode is one kubelet's pulls by its metric.
type pullsOfNode struct {
	sum, each time.Duration
	// everyPod: there were no fewer pulls than pods. serial: no more than so many at once.
	// queued: its puller was busy for most of the time, so that pods queued for it.
	everyPod, serial, queued bool
}

func (s *scene) pullsView() pullsView {
	v := pullsView{spans: map[string]span.Set{}, nodes: map[string]pullsOfNode{}}
	for uid, e := range timeline.Exclude(s.burst) {
		if len(e.Pulls) > 0 {
			v.spans[uid] = span.Union(e.Pulls, 0)
			v.count += len(e.Pulls)
		}
	}
	v.failed(s.burst)
	events := slices.ContainsFunc(s.burst.Events, func(e recording.KubeEvent) bool { return e.Kind == "Pod" && e.Component == "kubelet" })
	seen := v.count
	if events && s.pulled() <= seen {
		v.says = append(v.says, fmt.Sprintf("kubelets' Events: %s", humanize.Count(seen, "image pull")))
		return v
	}
	if events { // some came too late, or never
		v.says = append(v.says, fmt.Sprintf("kubelets' Events tell of %d pulls only", seen))
		v.spans, v.count = map[string]span.Set{}, 0
		v.failed(s.burst)
	}
	pods, starting := map[string]int{}, map[string]span.Set{}
	for i := range s.courses {
		c := &s.courses[i]
		pods[c.pod.Node]++
		starting[c.pod.Node] = append(starting[c.pod.Node], c.inKubelet())
	}
	var errs error
	var sum float64
	for i, name := range s.kubelets() {
		operations, err := evidence.ProcessOf(s.burst, name).Histograms(runtimeMetric, "operation_type")
		if err != nil {
			errs = errors.Join(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		h := operations[pullOperation]
		n := int(min(h.Count, 1e9))
		if n == 0 {
			continue
		}
		v.count += n
		sum += h.Sum
		node, parallel := s.nodes[i], s.parallelPulls()
		busy := h.Sum / (span.Union(starting[node], 0).Length().Seconds() * float64(max(1, parallel)))
		v.nodes[node] = pullsOfNode{sum: toDuration(h.Sum), each: toDuration(h.Sum / h.Count), everyPod: n >= pods[node], queued: parallel > 0 && busy >= mostly, serial: parallel > 0}
	}
	switch {
	case errs != nil:
		v.err = errs
	case len(s.nodes) == 0:
		v.err = fmt.Errorf("%w: no node got a pod", evidence.ErrNotRecorded)
	case v.count == 0:
		v.says = append(v.says, fmt.Sprintf("%s: no %s", runtimeMetric, pullOperation))
	default:
		v.says = append(v.says, fmt.Sprintf("%s{operation_type=%q}: %d, %s each, without the waits for the pulls before", runtimeMetric, pullOperation, v.count, humanize.Seconds(sum/float64(v.count))))
	}
	return v
}

// parallelPulls is how many images a kubelet pulls at once, as the profile sets it; 0 for
// any number, or where others made the cluster and nobody knows. A kubelet pulls one after
// the other unless told otherwise.
func (s *scene) parallelPulls() int {
	k := s.profile.Spec.Spec.Kubelet
	switch {
	case s.profile.Provider == "existing":
		return 0
	case k.SerializeImagePulls == nil || *k.SerializeImagePulls:
		return 1
	case k.MaxParallelImagePulls != nil:
		return *k.MaxParallelImagePulls
	}
	return 0
}

// inside is how much of the leg the pod's pulls took.
//
// By the metrics alone: on a node where every pod pulled, the mean pull at least, and at most
// what is not accounted for otherwise and no longer than all of the node's pulls one
// after the other. Where its puller was busy for most of the time in which the node's pods
// started, pods queued for it, and what is left of the leg is that queue.
func (v *pullsView) inside(c *course, leg span.Span, left time.Duration) bounded {
	if spans, ok := v.spans[c.pod.UID]; ok {
		d := min(left, spans.Within(leg))
		return bounded{d, d}
	}
	n, ok := v.nodes[c.pod.Node]
	if !ok {
		return bounded{}
	}
	most := min(left, n.sum)
	switch {
	case !n.everyPod:
		return bounded{0, most}
	case n.queued:
		return bounded{most, most}
	case !n.serial:
		return bounded{min(left, n.each), min(left, leg.Length())}
	}
	return bounded{min(most, n.each), most}
}

// least is what a pod's pulls certainly took.
func (v *pullsView) least(c *course, w *way) time.Duration {
	part := w.parts[at(ImagePulls)]
	if _, ok := v.spans[c.pod.UID]; ok {
		return part
	}
	if n, ok := v.nodes[c.pod.Node]; ok && n.everyPod {
		return min(part, n.each)
	}
	return 0
}
