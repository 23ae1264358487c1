package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// The longest time to observe pods of others, and how long nothing may change before
// they count as settled.
const (
	DefaultFor    = 5 * time.Minute
	DefaultSettle = 10 * time.Second
)

// Observe is the pods that others send: those that match a selector and are created
// after the burst begins. Nothing is sent and nothing is removed.
type Observe struct {
	// Namespace and Selector (as kubectl takes one) say which pods. Both are required.
	Namespace, Selector string
	// Pods is how many are waited for. 0: as many as come until nothing changes for Settle.
	Pods int
	// Settle is how long nothing may change before the burst counts as over. Default:
	// DefaultSettle.
	Settle time.Duration
	// EventsUnavailable and NodesUnavailable say why Events and nodes may not be
	// watched (preflight.Ask). Empty: they are watched.
	EventsUnavailable, NodesUnavailable string
}

var _ Load = Observe{}

func (o Observe) settle() time.Duration {
	if o.Settle == 0 {
		return DefaultSettle
	}
	return o.Settle
}

// Check implements Load.
func (o Observe) Check() error {
	selector, err := labels.Parse(o.Selector)
	switch {
	case err != nil:
		return fmt.Errorf("selector %q: %w (as kubectl takes it: app=web,tier!=cache)", o.Selector, err)
	case selector.Empty():
		return errors.New("no selector: say which pods to observe, such as app=web")
	case o.Pods < 0:
		return fmt.Errorf("%d pods: want 0 (as many as come) or more", o.Pods)
	case o.Settle < 0:
		return fmt.Errorf("settled after %v: want more than 0", o.Settle)
	}
	return nil
}

// Terms implements Load.
func (o Observe) Terms() Terms {
	return Terms{
		Pods: o.Pods, Namespace: o.Namespace, Selector: o.Selector, Settle: o.settle(),
		EventsUnavailable: o.EventsUnavailable, NodesUnavailable: o.NodesUnavailable,
	}
}

// Of implements Load: others decide how many pods they send.
func (o Observe) Of(int) Load { return o }

// Describe implements Load. The burst adds when observing began and how many pods
// already existed.
func (o Observe) Describe(b *recording.Burst) {
	b.Passive = &recording.Passive{
		Selector: o.Selector, Wanted: o.Pods, SettleSeconds: o.settle().Seconds(),
		EventsUnavailable: o.EventsUnavailable, NodesUnavailable: o.NodesUnavailable,
	}
}

// Doing implements Load.
func (o Observe) Doing(existing int) string {
	return fmt.Sprintf("observing pods in namespace %s that match %s; left out: %d that are there already", o.Namespace, o.Selector, existing)
}

// Submit implements Load: others submit.
func (Observe) Submit(context.Context, kubernetes.Interface, Place, func() time.Time) ([]Submission, error) {
	return nil, nil
}

// Remove implements Load: what others created is theirs.
func (Observe) Remove(context.Context, kubernetes.Interface, Place) error { return nil }

// DryRun implements Load: what others send is not known.
func (Observe) DryRun(context.Context, kubernetes.Interface, Place) (sent, admitted corev1.PodTemplateSpec, err error) {
	return sent, admitted, errors.ErrUnsupported
}

// Rights implements Load: observing needs none of these.
func (Observe) Rights() []Right { return nil }
