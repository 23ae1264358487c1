// Package audit reads the API server's audit log (audit.k8s.io/v1 Events, one JSON
// object per line) into recording.AuditEvents. It is the best source of marks there
// is: every component's writes pass the API server, which stamps them with one clock
// to the microsecond.
//
// The log lags behind (--audit-log-mode=batch), so the reader must know when it has
// caught up. A Marker is a harmless request by the observer: once its own event is in
// the log, everything answered before it is, too. Its times on both sides also bound
// the difference between the two clocks.
//
// The audit policy must log: at level RequestResponse, the creation of pods,
// pods/binding and jobs, and writes of pods/status; at Metadata or above, GETs of
// configmaps in the burst's namespace (the markers).
//
// The package has small types of its own: the API server's module is too heavy for
// the dozen fields read here.
package audit
