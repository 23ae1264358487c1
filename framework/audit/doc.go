// Package audit reads the API server's audit log (audit.k8s.io/v1 Events, one
// JSON object a line) into recording.AuditEvents: the best source of marks
// there is, for every component's writes pass the API server, which stamps them
// with one clock to the microsecond.
//
// The log is written behind (--audit-log-mode=batch), so the reader must know
// when it has caught up. A Marker is a harmless request of the observer's: once
// its own event is in the log, what was answered before it is, too. Its times
// on both sides also bound how far the two clocks are apart.
//
// The package needs of the audit policy: level RequestResponse for creation of
// pods, pods/binding and jobs and for writes of pods/status, and at least
// Metadata for GETs of configmaps in the burst's namespace (the markers).
//
// It has small types of its own: the API server's module is too heavy for the
// dozen fields read here.
package audit
