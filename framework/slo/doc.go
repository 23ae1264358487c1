// Package slo judges bursts by objectives: limits on a statistic of a phase, kept in a
// strict YAML file (slo.yaml at the repository's root is the default). Judging is a pure
// function of samples and fails closed: what was not measured for every pod is invalid and
// never passes.
//
// An objective says how slow is too slow. framework/gate decides whether a change made
// things slower, and framework/validity whether a burst can be trusted at all.
package slo
