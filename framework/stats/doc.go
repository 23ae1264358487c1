// Package stats sums up samples the way podburst reports them.
package stats
