// Package experiment drives a run: it opens an Arm (cluster, watcher,
// namespace) for a profile, sends bursts to it, and records every one as soon
// as it has ended. It asserts nothing and judges nothing; the Ginkgo suite and
// the CLI both drive their runs through it.
package experiment
