package watch

// Requests are what a watcher asked of the API server for one resource.
type Requests struct {
	// Lists count first pages only. StreamingLists are watches that begin with
	// all objects, and Watches those that go on from a resourceVersion.
	Lists          int `json:"lists"`
	StreamingLists int `json:"streamingLists"`
	Watches        int `json:"watches"`
	// Relists are full reads after the first sync.
	Relists int   `json:"relists"`
	Errors  int   `json:"errors"`
	Bytes   int64 `json:"bytes"`
}

// Requests are what the watcher has asked of the API server since its start, by
// resource ("pods", "nodes", "events"). There are none for a watcher made by
// NewForClient.
func (w *Watcher) Requests() map[string]Requests {
	w.requests.mu.Lock()
	defer w.requests.mu.Unlock()
	all := make(map[string]Requests, len(w.requests.resources))
	for resource, r := range w.requests.resources {
		all[resource] = Requests{
			Lists: r.lists, StreamingLists: r.streamingLists, Watches: r.watches,
			Relists: r.relists, Errors: r.errors, Bytes: r.bytes,
		}
	}
	return all
}
