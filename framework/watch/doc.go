// Package watch is the observer: one shared pod informer a cluster, for all
// bursts of a run, which stamps and keeps every change of a burst's pods.
//
// A stamp is taken in the informer's transform, which client-go calls in the
// reflector's goroutine as soon as an event has been decoded (for the initial
// events of a streaming list, too). The transform replaces the pod by a small
// object that holds the recording.Observation, so that neither the informer's
// store nor the queues keep whole pods. What follows (queue, store, handler)
// may be late without spoiling the stamp; how late is counted.
//
// An observer that slows down what it observes, or that loses events unnoticed,
// is worse than none. So the watcher refuses a client with a limiter, never
// polls, does O(1) work an event, and counts everything that could make its
// record incomplete: see recording.WatchHealth. A watch that ends and goes on
// from its last resourceVersion is not a gap; a full read after the first is one.
//
// It also watches nodes and Kubernetes Events, as evidence only: neither is the
// source of a time.
package watch
