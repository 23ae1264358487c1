// Package test holds the tests of the whole: they run the suite and the command as
// processes, against live clusters. `make test-integration` runs those tagged
// integration (embedded clusters), `make test-kind` those tagged kind.
//
//	process    what a run of the suite leaves: exit code, report, nothing else
//	faults     each fault done to a live burst makes it invalid
//	existing   clusters that others run: measured, and observed, with few rights
//	limits     the limiters' model against live bursts, and the benchmark of a burst
//	profiled   CPU profiles of a live control plane during a burst
//	causes     one cause of slowness injected at a time, and whether it is named
//	kind       a run on real containers
//	listcost   what lists and watches cost on a live API server
//
// What they share is in internal/suite. Tests of one provider are with the provider.
package test
