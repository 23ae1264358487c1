package listcost

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/watch"
)

// Observation is what was observed of listing and watching pods on one profile's
// cluster, before it is judged (raw/<profile>/listcost.json). Times are in
// seconds.
type Observation struct {
	Profile string `json:"profile"`
	// Spec is the profile as it was asked for, and Problems is what is in force
	// otherwise.
	Spec     clusters.ProfileSpec `json:"spec"`
	Problems []string             `json:"problems,omitempty"`
	// KubernetesVersion is what the API server reports. Nodes are the workers.
	KubernetesVersion string    `json:"kubernetesVersion,omitempty"`
	Nodes             []string  `json:"nodes,omitempty"`
	Plan              Plan      `json:"plan"`
	StartedAt         time.Time `json:"startedAt"`
	// FinishedAt is nil until all sizes were measured.
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
	// AuditUnavailable and MetricsUnavailable say why there are no server times
	// from there; empty where there are.
	AuditUnavailable   string `json:"auditUnavailable,omitempty"`
	MetricsUnavailable string `json:"metricsUnavailable,omitempty"`
	Sizes              []Size `json:"sizes"`
	// Watcher is what the run's own watcher asked of the API server, by
	// resource, from its start on; WatcherSeconds is how long the measurement took.
	Watcher        map[string]watch.Requests `json:"watcher,omitempty"`
	WatcherSeconds float64                   `json:"watcherSeconds,omitempty"`
}

// Size is all that was tried with one number of pods.
type Size struct {
	// Pods is how many there were, all in one namespace and scheduled by nobody.
	Pods int `json:"pods"`
	// CreateSeconds is how long it took to add what the size before did not have.
	CreateSeconds float64 `json:"createSeconds"`
	// Lists are single tries of a way to list, in the order they were made.
	Lists []ListSample `json:"lists"`
	// Served tells by way what one more list made the API server do.
	Served map[string]ListServed `json:"served,omitempty"`
	// Informers are single tries of a client style, in the order they were made.
	Informers []InformerSample `json:"informers"`
	Load      *Load            `json:"load,omitempty"`
}

// ListSample is one list of all pods, of as many requests as it took.
type ListSample struct {
	Strategy string `json:"strategy"`
	Round    int    `json:"round"`
	// Pages is how many items each answer held, in order; a stream counts as one.
	Pages []int `json:"pages"`
	// Bytes of all bodies after, WireBytes before decompression.
	Bytes     int64 `json:"bytes"`
	WireBytes int64 `json:"wireBytes"`
	// FirstByteSeconds is from sending the first request to the first byte of
	// its answer's body, Seconds to the last item decoded. DecodeSeconds of
	// it went to decoding; of a stream, which is decoded as it comes, it is 0.
	FirstByteSeconds float64 `json:"firstByteSeconds"`
	Seconds          float64 `json:"seconds"`
	DecodeSeconds    float64 `json:"decodeSeconds"`
	// AuditIDs name its requests in the audit log, and ServerSeconds is how
	// long the API server had them, together; nil where the log has not all.
	AuditIDs      []string `json:"auditIDs,omitempty"`
	ServerSeconds *float64 `json:"serverSeconds,omitempty"`
	// Requests are the parameters that were sent, by request, as text.
	Requests []string `json:"requests"`
	// Steps are there for a list of more than 500 ms only.
	Steps []ListStep `json:"steps,omitempty"`
	// Error is why the try failed; its figures then mean nothing.
	Error string `json:"error,omitempty"`
	// Unserved: the server refused the parameters, as one does that lacks a feature.
	Unserved bool `json:"unserved,omitempty"`
}

// ListStep is a step of a list and how long it took.
type ListStep struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// ListServed are the API server's own counters around one list, for the pods
// resource. A counter that it does not have is absent.
type ListServed struct {
	// Counters are differences of metrics of kube-apiserver, by name.
	Counters map[string]float64 `json:"counters"`
}

// InformerSample is one try of a client style: some consumers that each want
// all pods and every change.
type InformerSample struct {
	// Style is a name of framework/listcost: "private" or "shared".
	Style     string `json:"style"`
	Consumers int    `json:"consumers"`
	Round     int    `json:"round"`
	// SyncedSeconds is from the start until each consumer's work queue had
	// handed out every pod.
	SyncedSeconds float64 `json:"syncedSeconds"`
	// ChangesSeconds is from the first change until each consumer had seen all.
	ChangesSeconds float64 `json:"changesSeconds"`
	// Delivered is how many keys all work queues handed out together.
	Delivered int `json:"delivered"`
	// Sync is what was requested until all were synced, and Changes what came
	// while pods changed.
	Sync    []RequestCount `json:"sync"`
	Changes []RequestCount `json:"changes"`
	// OpenWatches is how many watch streams were open when all were synced.
	OpenWatches int `json:"openWatches"`
	// CPUSeconds is the user and system time of the whole client process from
	// the start until synced; nil where the system does not tell.
	CPUSeconds *float64 `json:"cpuSeconds,omitempty"`
	// AllocatedBytes is what the whole client process allocated until synced.
	// LiveBytes is by how much its live heap (after a collection) is larger
	// with the consumers synced than before they started; it may be negative.
	AllocatedBytes int64 `json:"allocatedBytes"`
	LiveBytes      int64 `json:"liveBytes"`
	// Server are differences of kube-apiserver's metrics over the whole try.
	Server map[string]float64 `json:"server,omitempty"`
	Error  string             `json:"error,omitempty"`
}

// RequestCount sums up requests that differ in nothing but their order.
type RequestCount struct {
	// Verb is LIST, WATCH or STREAMING LIST (a WATCH with sendInitialEvents).
	Verb     string `json:"verb"`
	Resource string `json:"resource"`
	// Query are the parameters; values that differ each time are replaced by "*".
	Query    string `json:"query"`
	Accept   string `json:"accept"`
	Requests int    `json:"requests"`
	// Errors are failed requests and those answered with a status from 400 on.
	Errors int `json:"errors"`
	// Bytes of the bodies after, WireBytes before decompression.
	Bytes     int64 `json:"bytes"`
	WireBytes int64 `json:"wireBytes"`
	// Deadline: the client gave the request up after a time (a request timeout).
	Deadline bool `json:"deadline"`
	// MinTimeoutSeconds and MaxTimeoutSeconds are the smallest and largest
	// timeoutSeconds that were asked for; 0 where none was.
	MinTimeoutSeconds float64 `json:"minTimeoutSeconds,omitempty"`
	MaxTimeoutSeconds float64 `json:"maxTimeoutSeconds,omitempty"`
}

// Load is how busy the machine was before and after a size was measured.
type Load struct {
	Before fingerprint.Load `json:"before"`
	After  fingerprint.Load `json:"after"`
}
