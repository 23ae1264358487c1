// Package burst runs one burst: it submits a load (framework/load), waits until the
// watcher has seen it end, and records all there is to know about it (watch, audit
// log, Events, metrics, processes, clocks) without judging. If others send the load,
// it submits nothing and does the rest in the same way.
//
// Between the submission and the end it asks the API server for nothing: a
// measurement that polls takes part in what it measures. Whatever costs something
// (metrics, markers) is done right before and right after. What the components use of
// this machine is read from its kernel (framework/usage), which asks none of them.
//
// Cleanup removes a burst and waits until the cluster is as it was: pods gone and the
// components' token buckets full again, so that no burst pays for another. A run uses
// one namespace and one watch.Watcher per cluster.
package burst
