package clusters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/client-go/rest"
)

// ErrUnsupported is wrapped by the error for anything a provider cannot supply
// (the audit log of a foreign cluster, say). Reports show such a column as
// unavailable, never as 0.
var ErrUnsupported = errors.New("not available from this provider")

// Provider starts clusters of one kind.
type Provider interface {
	// Name is the provider's name as PROVIDER= takes it: "embedded", "kind", "existing".
	Name() string
	// Create starts a cluster for the profile and returns once every node is
	// Ready. If it fails or ctx ends, it removes everything it made; the error
	// says which component failed and shows its last log lines.
	Create(ctx context.Context, profile Profile) (Cluster, error)
}

// Cluster is one running cluster. All methods may be called concurrently.
type Cluster interface {
	// Name is unique on this machine while the cluster lives.
	Name() string
	// Profile is the profile that was requested.
	Profile() Profile
	// Instances lists the processes whose metrics, logs and settings can be read.
	Instances() []Instance
	// WorkerNodes lists the names of the nodes that a burst's pods may land on.
	WorkerNodes() []string
	// RESTConfig returns a fresh client configuration with QPS -1 (no client
	// limiter): the observer must never throttle itself.
	RESTConfig() *rest.Config
	// Metrics returns the instance's Prometheus text exposition.
	Metrics(ctx context.Context, instance Instance) ([]byte, error)
	// Logs opens the instance's log from its beginning.
	Logs(ctx context.Context, instance Instance) (io.ReadCloser, error)
	// AuditLog opens the API server's audit log (audit.k8s.io/v1 Events, one
	// JSON object a line) from its beginning.
	AuditLog(ctx context.Context) (io.ReadCloser, error)
	// EffectiveConfig reads back the limits in force in the live components. Its
	// error names those that could not be read; the rest is returned with it.
	EffectiveConfig(ctx context.Context) (Effective, error)
	// Processes says which process serves each instance now, so that a restart or
	// an exit between two calls is visible.
	Processes(ctx context.Context) ([]Process, error)
	// Collect writes logs, manifests and anything else that explains a failure to
	// dir, without secrets.
	Collect(ctx context.Context, dir string) error
	// Delete stops and removes everything Create made. It is idempotent.
	Delete(ctx context.Context) error
}

// Process is one life of an instance.
type Process struct {
	Instance Instance `json:"instance"`
	// ID differs between two lives of the same instance (a pid, a container id).
	ID string `json:"id"`
	// Running is false once the process has ended.
	Running bool `json:"running"`
	// Exit says how it ended, with its last log lines. It is empty while the
	// process runs.
	Exit string `json:"exit,omitempty"`
}

// Limits is a component's client-side limiter, as it is in force.
type Limits struct {
	// KubeAPIQPS is the sustained rate, in requests a second. 0 or less means that there
	// is no limiter.
	KubeAPIQPS float64 `json:"kubeAPIQPS"`
	// KubeAPIBurst is the token bucket's size, in requests.
	KubeAPIBurst int `json:"kubeAPIBurst" jsonschema:"signed"`
	// Source says where the limits were read back: "configz", "process arguments" or
	// "manifest".
	Source string `json:"source"`
}

// String is QPS and burst, "50/100", or "no limiter".
func (l Limits) String() string {
	if l.KubeAPIQPS <= 0 {
		return "no limiter"
	}
	return fmt.Sprintf("%g/%d", l.KubeAPIQPS, l.KubeAPIBurst)
}

// Refill is how long an empty bucket takes to fill: Burst/QPS, or 0 without a
// limiter.
func (l Limits) Refill() time.Duration {
	if l.KubeAPIQPS <= 0 {
		return 0
	}
	return time.Duration(float64(l.KubeAPIBurst) / l.KubeAPIQPS * float64(time.Second))
}

// Effective holds the limits in force, read back from live components, keyed by
// Instance.String(). An instance that cannot be read is absent.
type Effective map[string]Limits
