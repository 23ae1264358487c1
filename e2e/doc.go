// Package e2e is podburst's Ginkgo suite: for each profile one cluster, a warm-up and
// a number of bursts, each judged by the SLOs. It is the only package that asserts,
// and it asserts only on the reports of what was recorded.
//
// The suite runs as a precompiled test binary under exec, so that a signal reaches it
// and every cluster it created is removed. Its exit codes are those of the CLI: 0
// pass, 1 internal error, 2 bad input, 3 invalid, 4 SLO failed, 130 interrupted.
package e2e
