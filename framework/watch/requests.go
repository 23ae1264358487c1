package watch

import "github.com/podburst/podburst/framework/recording"

// Requests are what the watcher has asked of the API server since its start, by
// resource ("pods", "nodes", "events"). Of a watcher made by NewForClient there
// is none.
func (w *Watcher) Requests() map[string]recording.WatcherRequests {
	w.requests.mu.Lock()
	defer w.requests.mu.Unlock()
	all := make(map[string]recording.WatcherRequests, len(w.requests.resources))
	for resource, r := range w.requests.resources {
		all[resource] = recording.WatcherRequests{
			Lists: r.lists, StreamingLists: r.streamingLists, Watches: r.watches,
			Relists: r.relists, Errors: r.errors, Bytes: r.bytes,
		}
	}
	return all
}
