package clusters

import (
	"context"
	_ "embed"
)

// AuditPolicy is the API server's audit policy of every cluster that podburst
// starts: who did what and when for every request, and the content of those that
// mark a pod's life (made by the Job controller, whose response holds the pod's
// UID; bound by the scheduler; status written by the kubelet). Secrets are never
// written with their content: only the listed resources are.
//
//go:embed audit-policy.yaml
var AuditPolicy []byte

// SettingsReader is implemented by a Cluster that can tell which settings of its
// profile, beside the client limits (see Mismatches), are not in force.
type SettingsReader interface {
	// DroppedSettings returns a sentence for each. The error names what could not
	// be read back; what could is still returned.
	DroppedSettings(ctx context.Context) ([]string, error)
}
