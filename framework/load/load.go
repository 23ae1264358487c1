package load

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// Load is what a burst consists of. Its values are plans: one serves any number of
// bursts, and clusters, at once.
type Load interface {
	// Check is an error for what no cluster could make work.
	Check() error
	// Terms say how the load is observed and when it has come to its end.
	Terms() Terms
	// Of is the same load with another number of pods, for a warm-up.
	Of(pods int) Load
	// Describe writes into the record what the load is (Burst.Workload, or Passive).
	Describe(b *recording.Burst)
	// Doing says for people what begins; existing is how many pods of the load were
	// there before.
	Doing(existing int) string
	// Submit sends the load's objects. It returns those that were sent, also with an
	// error, which is the API server's or that none answered. A load of others sends nothing.
	Submit(ctx context.Context, client kubernetes.Interface, at Place, now func() time.Time) ([]Submission, error)
	// Remove deletes the objects and waits for nothing; those that are gone already are
	// no error. Pods that outlive them are the caller's to delete.
	Remove(ctx context.Context, client kubernetes.Interface, at Place) error
	// DryRun asks the API server what it would make of the load's object, which is not
	// stored: the pods' template as it was sent and as it was admitted.
	DryRun(ctx context.Context, client kubernetes.Interface, at Place) (sent, admitted corev1.PodTemplateSpec, err error)
	// Rights are those that Submit and Remove use.
	Rights() []Right
}

// Kinds are the loads that podburst can send, each as it asks for r.
func Kinds(r Request) []Load { return []Load{Job(r)} }

// Place is where a burst's objects go.
type Place struct {
	// Namespace exists already.
	Namespace string
	// Name is the burst's, unique in the namespace; RunID its run's. Both are label values.
	Name, RunID string
}

// Labels mark the objects of a burst and its pods.
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
	// UID is empty where the API server refused the object or did not answer.
	UID string
	// Sent and Returned are the observer's clock right before the request and right
	// after its answer.
	Sent, Returned time.Time
}

// Terms say how a load is observed and ended.
type Terms struct {
	// Pods is how many pods are asked for, or waited for. 0: as many as come.
	Pods int
	// Selector chooses the pods of a load that others send, in Namespace. Empty: the
	// load's own pods carry the burst's label, in the run's namespace.
	Selector, Namespace string
	// EventsUnavailable and NodesUnavailable say why these are not watched. Empty: they are.
	EventsUnavailable, NodesUnavailable string
	// FailFast: the first pod that fails ends the burst, for what follows is none.
	FailFast bool
	// Together: all pods must be ready at one time. Else it is enough that each has been.
	Together bool
	// Settle ends a burst once all pods that came are ready or have ended, and nothing
	// has changed for so long. 0: only Pods ready ones and the deadline do.
	Settle time.Duration
	// Finalizer is what a controller keeps pods by; it is taken from them before the
	// objects are removed. Empty: none.
	Finalizer string
}

// Others tells whether the pods are sent by others: nothing is submitted, nothing is
// removed, and when the pods were submitted is not known.
func (t Terms) Others() bool { return t.Selector != "" }

// Right is a right in the load's namespace.
type Right struct {
	Verb, Group, Resource string
	// Optional: without it a run only takes longer.
	Optional bool
	// Why says what it is for.
	Why string
}
