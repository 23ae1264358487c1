package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"
)

const listCostFile = "listcost.json"

// WriteListCost writes or replaces raw/<profile>/listcost.json.
func (w *Writer) WriteListCost(c ListCost) error {
	return w.writeJSON(c, rawFolder, PathName(c.Profile), listCostFile)
}

// readListCost reads a profile's, where there is one.
func (r *Run) readListCost(fsys fs.FS, folder, profile string, limit sizes) error {
	var c ListCost
	err := readJSON(fsys, path.Join(folder, listCostFile), limit.document, &c)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case c.Profile != profile:
		return fmt.Errorf("%s: %s says that it is of profile %q", folder, listCostFile, c.Profile)
	}
	r.ListCosts = append(r.ListCosts, c)
	return nil
}

// ListCostPlan is the plan of a run that measures what listing and watching pods
// costs, and sends no burst.
type ListCostPlan struct {
	// Sizes are the numbers of pods that are listed, in ascending order.
	Sizes []int `json:"sizes"`
	// Rounds is how often each way to list is tried at each size.
	Rounds int `json:"rounds"`
	// InformerRounds is how often each pair of client style and number of
	// consumers is tried at each size.
	InformerRounds int `json:"informerRounds"`
	// Limit is the page size of the ways that ask for pages.
	Limit int `json:"limit"`
	// Consumers are the numbers of consumers that want the same pods.
	Consumers []int `json:"consumers"`
	// Changes is how many pods are changed while the consumers watch.
	Changes int `json:"changes"`
}

// ListCost is what was observed of listing and watching pods on one profile's
// cluster, before any judgment (raw/<profile>/listcost.json). Times are seconds.
type ListCost struct {
	Profile   string       `json:"profile"`
	Plan      ListCostPlan `json:"plan"`
	StartedAt time.Time    `json:"startedAt"`
	// FinishedAt is nil until all sizes were measured.
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
	// AuditUnavailable and MetricsUnavailable say why there are no server times
	// from there; empty where there are.
	AuditUnavailable   string         `json:"auditUnavailable,omitempty"`
	MetricsUnavailable string         `json:"metricsUnavailable,omitempty"`
	Sizes              []ListCostSize `json:"sizes"`
	// Watcher is what the run's own watcher asked of the API server, by
	// resource, from its start on; WatcherSeconds is how long the measurement took
	// before the eyes of it.
	Watcher        map[string]WatcherRequests `json:"watcher,omitempty"`
	WatcherSeconds float64                    `json:"watcherSeconds,omitempty"`
}

// ListCostSize is all that was tried with one number of pods.
type ListCostSize struct {
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

// WatcherRequests are what a watcher asked of the API server for one resource.
type WatcherRequests struct {
	// Lists count first pages only; StreamingLists are watches that begin with
	// all objects, and Watches those that go on from a resourceVersion.
	Lists          int `json:"lists"`
	StreamingLists int `json:"streamingLists"`
	Watches        int `json:"watches"`
	// Relists are full reads after the first sync.
	Relists int   `json:"relists"`
	Errors  int   `json:"errors"`
	Bytes   int64 `json:"bytes"`
}
