package watch

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/podburst/podburst/framework/recording"
)

// trimmedPod is what the informer stores and passes on in place of a pod. client-go
// needs only the name, namespace and resourceVersion of a stored object, and
// ObjectMeta holds only these.
type trimmedPod struct {
	metav1.ObjectMeta
	// decoded is the observation's time with its monotonic reading.
	decoded     time.Time
	observation *recording.Observation
}

func (p *trimmedPod) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject is for client-go's mutation detector.
func (p *trimmedPod) DeepCopyObject() runtime.Object {
	observation := *p.observation
	observation.Conditions = slices.Clone(observation.Conditions)
	return &trimmedPod{ObjectMeta: *p.DeepCopy(), decoded: p.decoded, observation: &observation}
}

// trimPod is the pod informer's transform: it stamps and trims.
func (w *Watcher) trimPod(object any) (any, error) {
	switch o := object.(type) {
	case *corev1.Pod:
		decoded := w.options.Now()
		observation := w.observe(o)
		observation.At = wall(decoded)
		observation.Initial = w.requests.listing(podsResource)
		return &trimmedPod{
			ObjectMeta: metav1.ObjectMeta{
				Name: observation.Name, Namespace: observation.Namespace, ResourceVersion: observation.ResourceVersion,
			},
			decoded:     decoded,
			observation: observation,
		}, nil
	case *trimmedPod:
		// The initial events of a streaming list pass twice: into the reflector's own
		// store, and from there, not yet published, into the queue.
		o.observation.Initial = true
		return o, nil
	case cache.DeletedFinalStateUnknown:
		return o, nil
	}
	w.drop()
	return object, nil
}

// wall is t as it is written to files: without the monotonic reading, so that a burst
// judged at once and one read back from disk are judged alike. Steps of the wall
// clock are detected per burst (clock-step).
func wall(t time.Time) time.Time { return t.Round(0).UTC() }

func (w *Watcher) observe(pod *corev1.Pod) *recording.Observation {
	of := w.strings.of
	o := &recording.Observation{
		UID:             of(string(pod.UID)),
		Name:            of(pod.Name),
		Namespace:       of(pod.Namespace),
		ResourceVersion: pod.ResourceVersion,
		BurstID:         of(pod.Labels[recording.LabelBurst]),
		Created:         pod.CreationTimestamp.UTC(),
		Node:            of(pod.Spec.NodeName),
		Phase:           of(string(pod.Status.Phase)),
		Deleting:        pod.DeletionTimestamp != nil,
		Containers:      w.containers(pod),
		Stateful:        stateful(pod),
		InitContainers:  len(pod.Spec.InitContainers),
		SchedulingGates: len(pod.Spec.SchedulingGates),
	}
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		o.OwnerUID = of(string(owner.UID))
	}
	if pod.Status.StartTime != nil {
		at := pod.Status.StartTime.UTC()
		o.StartTime = &at
	}
	if n := len(pod.Status.Conditions); n > 0 {
		o.Conditions = make([]recording.Condition, n)
		for i, c := range pod.Status.Conditions {
			o.Conditions[i] = recording.Condition{Type: of(string(c.Type)), Status: of(string(c.Status)), Reason: of(c.Reason)}
			if !c.LastTransitionTime.IsZero() {
				o.Conditions[i].Since = c.LastTransitionTime.UTC()
			}
		}
	}
	return o
}

// stateful tells whether the pod startup SLI counts the pod as stateful: it mounts a
// volume whose source is not a secret, configmap, downward API or emptyDir. Projected
// volumes, which combine these, did not exist when the SLI was written.
func stateful(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return v.Secret == nil && v.ConfigMap == nil && v.DownwardAPI == nil && v.EmptyDir == nil && v.Projected == nil
	})
}

func (w *Watcher) containers(pod *corev1.Pod) recording.Containers {
	sum := recording.Containers{Total: len(pod.Spec.Containers)}
	for _, s := range pod.Status.ContainerStatuses {
		sum.Restarts += int(s.RestartCount)
		if s.Ready {
			sum.Ready++
		}
		switch {
		case s.State.Running != nil:
			sum.Running++
			if at := s.State.Running.StartedAt.UTC(); at.After(sum.StartedAt) {
				sum.StartedAt = at
			}
		case s.State.Terminated != nil:
			sum.Terminated++
			if s.State.Terminated.ExitCode != 0 {
				sum.Failed++
			}
		case s.State.Waiting != nil && sum.Waiting == "":
			sum.Waiting = w.strings.of(s.State.Waiting.Reason)
		}
	}
	return sum
}

// podHandler hands observations to trackers, in the informer's listener goroutine.
type podHandler struct{ w *Watcher }

func (h podHandler) OnAdd(object any, initial bool) {
	if p, ok := object.(*trimmedPod); ok {
		h.w.route(p, added, initial)
	}
}

func (h podHandler) OnUpdate(before, after any) {
	p, ok := after.(*trimmedPod)
	if !ok {
		return
	}
	// The store's key is the name: if a pod was replaced by another of the same name
	// while nobody watched, that comes as an update.
	if old, ok := before.(*trimmedPod); ok && old.observation.UID != p.observation.UID {
		h.w.route(vanished(old, p.decoded), deleted, true)
		h.w.route(p, added, p.observation.Initial)
		return
	}
	h.w.route(p, modified, false)
}

func (h podHandler) OnDelete(object any) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		// Found missing by a full read: nobody knows when it went.
		if p, ok := tombstone.Obj.(*trimmedPod); ok {
			h.w.route(vanished(p, h.w.options.Now()), deleted, true)
		}
		return
	}
	if p, ok := object.(*trimmedPod); ok {
		h.w.route(p, deleted, false)
	}
}

// vanished is a pod's last known state, stamped when it was found missing.
func vanished(p *trimmedPod, at time.Time) *trimmedPod {
	observation := *p.observation
	observation.At = wall(at)
	return &trimmedPod{ObjectMeta: p.ObjectMeta, decoded: at, observation: &observation}
}
