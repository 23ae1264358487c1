// Package clusters says what a cluster under test is: the Profile that
// configures it, the Provider that starts it, and the Cluster that podburst
// then measures. It contains no provider; each has its own folder
// (clusters/embedded, clusters/kind, clusters/existing) and implements the
// interfaces below.
//
// The package is deliberately not a general cluster-lifecycle library. It knows
// what a burst needs (clients, metrics, logs, the audit log and the settings
// actually in force) and nothing about workloads.
package clusters
