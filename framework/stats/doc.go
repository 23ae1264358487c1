// Package stats sums up samples the way podburst reports them. Quantiles are by nearest
// rank, so that each is a time some pod really took, and their intervals come from order
// statistics, which assume no distribution. Comparing two sets of bursts is
// framework/gate's work.
package stats
