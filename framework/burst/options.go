package burst

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/framework/watch"
)

// DefaultDeadline is how long a burst has if nothing else is asked for.
const DefaultDeadline = 2 * time.Minute

// Spec is what a burst is.
type Spec struct {
	// Load is what is sent.
	Load load.Load
	// Deadline is how long the pods have from the submission. Default:
	// DefaultDeadline.
	Deadline time.Duration
}

// Check returns an error for what could not work on any cluster.
func (s Spec) Check() error {
	if s.Load == nil {
		return errors.New("no load: say what is sent")
	}
	if s.Deadline == 0 {
		s.Deadline = DefaultDeadline
	}
	err := s.Load.Check()
	switch settle := s.Load.Terms().Settle; {
	case s.Deadline < 0:
		err = errors.Join(err, fmt.Errorf("a deadline of %v: want more than 0", s.Deadline))
	case settle > s.Deadline:
		err = errors.Join(err, fmt.Errorf("settled after %v: that is longer than the %v of the whole burst", settle, s.Deadline))
	}
	return err
}

// Options of a burst. Spec.Load, Cluster, Client, Watcher, RunID and Namespace are required.
type Options struct {
	Spec
	// Cluster gives metrics, processes and the nodes' names.
	Cluster clusters.Cluster
	// Client submits and marks; it must not have a limiter (see NewClient).
	Client kubernetes.Interface
	// Watcher is the cluster's, started, for Namespace; if others send the pods, for
	// the load's selector.
	Watcher *watch.Watcher
	// Audit is the cluster's cursor, the same for all its bursts:
	// audit.NewCursor(cluster.AuditLog). nil: the audit log is not read, and
	// the recording says AuditUnavailable.
	Audit            *audit.Cursor
	AuditUnavailable string

	// RunID goes into the label of the run; Namespace must exist (EnsureNamespace).
	RunID, Namespace string
	// Index, Block and Warmup are the burst's place in the run (recording.Burst).
	// Profile and Index together name the burst, and must be new in the namespace.
	Index, Block int
	Warmup       bool

	// Abort ends the burst with the error received, because waiting on is pointless
	// (a component has exited, say). nil: never.
	Abort <-chan error
	// OnBegin is called right before the submission with the number of the load's
	// pods that already exist. If others send the load, measuring starts here. It
	// must return at once. nil: no call.
	OnBegin func(existing int)
	// OnProgress is called every 250 ms and at the burst's end, by the goroutine that
	// waits: it must return at once. nil: no call.
	OnProgress func(counts watch.Counts, elapsed time.Duration)

	// AuditTimeout bounds the wait for the audit log to catch up. Default: 30 s.
	AuditTimeout time.Duration
	// SnapshotTimeout bounds reading metrics and processes. Default: 15 s.
	SnapshotTimeout time.Duration
	// MaxClockStep is how far the wall clock may move against the monotonic one
	// during the burst; default 5 ms (both are slewed alike, so only steps differ).
	// MaxClockOffset is how far the API server's clock may be from the observer's;
	// default 5 ms.
	MaxClockStep, MaxClockOffset time.Duration
	// NewUsage makes a reader of what processes use of this machine, for one burst. If
	// it returns nil, nothing is sampled, and the recording says so. Default: one of
	// the kernel's counters.
	NewUsage func() usage.Reader
	// Profile asks for CPU profiles of the components over the burst, which makes it
	// slower.
	Profile bool
	// Clock stamps what the burst itself does. Default: SystemClock().
	Clock Clock
}

// NewClient makes a client for Options.Client: it names the observer in the audit log
// and refuses a configuration with a limiter (QPS must be -1).
func NewClient(config *rest.Config) (kubernetes.Interface, error) {
	if config.QPS >= 0 || config.RateLimiter != nil {
		return nil, fmt.Errorf("make a client for %s: it would have a limiter (QPS %v): set QPS to -1, the observer must never throttle itself", config.Host, config.QPS)
	}
	config = rest.CopyConfig(config)
	config.UserAgent = watch.UserAgent()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", config.Host, err)
	}
	return client, nil
}

func (o *Options) setDefaults() {
	setDuration(&o.Deadline, DefaultDeadline)
	setDuration(&o.AuditTimeout, 30*time.Second)
	setDuration(&o.SnapshotTimeout, 15*time.Second)
	setDuration(&o.MaxClockStep, 5*time.Millisecond)
	setDuration(&o.MaxClockOffset, 5*time.Millisecond)
	if o.NewUsage == nil {
		o.NewUsage = kernel
	}
	if o.Clock == nil {
		o.Clock = SystemClock()
	}
	if o.Audit == nil && o.AuditUnavailable == "" {
		o.AuditUnavailable = "not asked for"
	}
}

func setDuration(d *time.Duration, value time.Duration) {
	if *d == 0 {
		*d = value
	}
}

// plan is what is known of the burst before it is submitted.
func (o *Options) plan() (recording.Burst, error) {
	if o.Cluster == nil || o.Client == nil || o.Watcher == nil || o.Namespace == "" || o.RunID == "" {
		return recording.Burst{}, errors.New("plan burst: Cluster, Client, Watcher, RunID and Namespace are required")
	}
	if err := o.Spec.Check(); err != nil {
		return recording.Burst{}, fmt.Errorf("plan burst: %w", err)
	}
	if problems := validation.IsValidLabelValue(o.RunID); len(problems) > 0 {
		return recording.Burst{}, fmt.Errorf("plan burst: run ID %q cannot be a label: %s", o.RunID, strings.Join(problems, "; "))
	}
	terms := o.Load.Terms()
	b := recording.Burst{
		Profile:          o.Cluster.Profile().Metadata.Name,
		Index:            o.Index,
		Block:            o.Block,
		Warmup:           o.Warmup,
		Pods:             terms.Pods,
		Namespace:        o.Namespace,
		DeadlineSeconds:  o.Deadline.Seconds(),
		WorkerNodes:      o.Cluster.WorkerNodes(),
		AuditUnavailable: o.AuditUnavailable,
		Profiled:         o.Profile,
	}
	b.BurstID = b.Profile + "-" + b.Folder()
	if terms.Others() {
		// Other runs may have used their namespace, and their marks are in the same
		// audit log.
		b.BurstID += "-" + strings.ToLower(o.RunID)
	}
	o.Load.Describe(&b)
	if problems := validation.IsDNS1123Label(b.BurstID); len(problems) > 0 {
		return b, fmt.Errorf("plan burst: %q cannot name an object: %s; rename the profile", b.BurstID, strings.Join(problems, "; "))
	}
	return b, nil
}
