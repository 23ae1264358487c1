// Package slo judges bursts by objectives: limits on a statistic of a phase, kept in a
// strict YAML file (slo.yaml at the repository's root is the default). Judging is a pure
// function of samples, and fails closed: what was not measured, or not for every pod,
// is invalid and never passes.
//
// An objective says how slow is too slow. Whether a change made things slower is
// framework/gate's question, and whether a burst can be trusted at all is
// framework/validity's.
package slo
