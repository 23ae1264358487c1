// Package burst runs one burst: it submits a load (framework/load), waits until the
// watcher has seen it come to its end, and records all there is to know about it
// (watch, audit log, Events, metrics, processes, clocks) without judging. Of a load
// that others send it submits nothing, and does the rest alike.
//
// Nothing is asked of the API server between the submission and the end: a
// measurement that polls takes part in what it measures. What costs something
// (metrics, markers) comes right before and right after.
//
// Cleanup removes a burst and waits until the cluster is as it was: pods gone,
// and the components' token buckets full again, so that no burst pays for
// another. A run uses one namespace and one watch.Watcher a cluster.
package burst
