// Package stats summarizes samples the way podburst reports them. Quantiles are by nearest
// rank, so each is a time that some pod really took. Their intervals come from order
// statistics, which assume no distribution. framework/gate compares sets of bursts.
package stats
