package load

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// Load is what a burst consists of. A value is a plan: it can serve any number of
// bursts and clusters at once.
type Load interface {
	// Check returns an error for what could not work on any cluster.
	Check() error
	// Terms say how the load is observed and when it has ended.
	Terms() Terms
	// Of returns the same load with another number of pods, for a warm-up.
	Of(pods int) Load
	// Describe records what the load is (Burst.Workload or Passive).
	Describe(b *recording.Burst)
	// Doing tells people what begins; existing is how many of the load's pods already
	// exist.
	Doing(existing int) string
	// Submit sends the load's objects. It returns those that were sent, even with an
	// error: the API server's, or that it did not answer. A load that others send
	// submits nothing.
	Submit(ctx context.Context, client kubernetes.Interface, at Place, now func() time.Time) ([]Submission, error)
	// Remove deletes the objects without waiting; it is not an error if they are
	// already gone. The caller deletes pods that outlive them.
	Remove(ctx context.Context, client kubernetes.Interface, at Place) error
	// DryRun asks the API server what it would make of the load's object without
	// storing it: the pods' template as sent and as admitted.
	DryRun(ctx context.Context, client kubernetes.Interface, at Place) (sent, admitted corev1.PodTemplateSpec, err error)
	// Rights are what Submit and Remove need.
	Rights() []Right
}

// Kinds are the loads that podburst can send, each made from r.
func Kinds(r Request) []Load { return []Load{Job(r)} }

// Place is where a burst's objects go.
type Place struct {
	// Namespace exists already.
	Namespace string
	// Name is the burst's, unique in the namespace; RunID its run's. Both are label values.
	Name, RunID string
}

// Labels mark the burst's objects and its pods.
func (p Place) Labels() map[string]string {
	return map[string]string{
		recording.LabelManagedBy: recording.ManagedBy,
		recording.LabelRun:       p.RunID,
		recording.LabelBurst:     p.Name,
	}
}

// Submission is one object that was sent.
type Submission struct {
	Name string
	// UID is empty if the API server refused the object or did not answer.
	UID string
	// Sent and Returned are the observer's clock right before the request and right
	// after its answer.
	Sent, Returned time.Time
}

// Terms say how a load is observed and when it ends.
type Terms struct {
	// Pods is how many pods are asked for, or waited for. 0: as many as come.
	Pods int
	// Selector chooses the pods of a load that others send, in Namespace. Empty: the
	// load's own pods carry the burst's label and are in the run's namespace.
	Selector, Namespace string
	// EventsUnavailable and NodesUnavailable say why these are not watched. Empty: they are.
	EventsUnavailable, NodesUnavailable string
	// FailFast: the first pod that fails ends the burst, since what follows is not a
	// burst.
	FailFast bool
	// Together: all pods must be ready at the same time. Otherwise it is enough that
	// each has been ready once.
	Together bool
	// Settle ends a burst when all pods that came are ready or have ended, and
	// nothing has changed for this long. 0: only Pods ready pods or the deadline end
	// it.
	Settle time.Duration
	// Finalizer is what a controller holds pods with; it is removed from them before
	// the objects are. Empty: none.
	Finalizer string
}

// Others tells whether others send the pods: nothing is submitted or removed, and the
// time of submission is not known.
func (t Terms) Others() bool { return t.Selector != "" }

// Right is a right in the load's namespace.
type Right struct {
	Verb, Group, Resource string
	// Optional: a run without it only takes longer.
	Optional bool
	// Why says what the right is for.
	Why string
}
