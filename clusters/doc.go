// Package clusters says what a cluster under test is: the Profile that
// configures it, the Provider that starts it, and the Cluster that podburst
// then measures. It holds no provider itself; each lives in a folder of its
// own (clusters/embedded, clusters/kind, clusters/existing) and satisfies the
// interfaces below.
//
// The package is deliberately not a general cluster-lifecycle library: it
// knows just what a burst needs (clients, metrics, logs, the audit log and the
// settings that are really in force) and nothing about workloads.
package clusters
