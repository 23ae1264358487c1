// Package experiment drives a run: it opens an Arm (cluster, watcher, namespace) for
// a profile, sends bursts to it, and records each as soon as it has ended. It asserts
// and judges nothing; both the Ginkgo suite and the CLI drive their runs through it.
package experiment
