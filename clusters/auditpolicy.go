package clusters

import (
	"context"
	_ "embed"
)

// AuditPolicy is the API server's audit policy in every cluster that podburst
// starts. It logs who did what and when for every request, and the content of
// the requests that mark a pod's life: creation by the Job controller (the
// response holds the pod's UID), binding by the scheduler, status updates by
// the kubelet. Content is logged for the listed resources only, so never for
// Secrets.
//
//go:embed audit-policy.yaml
var AuditPolicy []byte

// SettingsReader is implemented by a Cluster that can tell which settings of
// its profile are not in force, apart from the client limits (see Mismatches).
type SettingsReader interface {
	// DroppedSettings returns a sentence for each. The error names what could not
	// be read back; the rest is still returned.
	DroppedSettings(ctx context.Context) ([]string, error)
}
