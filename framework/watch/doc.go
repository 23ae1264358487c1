// Package watch is the observer: one shared pod informer per cluster, for all bursts
// of a run, which stamps and keeps every change of a burst's pods.
//
// The stamp is taken in the informer's transform, which client-go calls in the
// reflector's goroutine as soon as an event is decoded (the initial events of a
// streaming list, too). The transform replaces the pod with a small object that holds
// the recording.Observation, so that neither the informer's store nor its queues keep
// whole pods. What follows (queue, store, handler) may be late without spoiling the
// stamp; how late is recorded.
//
// An observer that slows down what it observes, or loses events unnoticed, is worse
// than none. So the watcher refuses a client with a limiter, never polls, does O(1)
// work per event, and counts everything that could make its record incomplete: see
// recording.WatchHealth. A watch that ends and resumes from its last resourceVersion
// is not a gap; a full read after the first is.
//
// It also watches nodes and Kubernetes Events, but only as evidence: no time is taken
// from either.
package watch
