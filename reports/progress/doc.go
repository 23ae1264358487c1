// Package progress shows what a run is doing: on a terminal with a redrawn line for the
// running burst, elsewhere with a line for each step; or not at all, or for programs as one
// JSON object per line (see Event). The suite and the CLI write all their progress through
// one Printer, which also lets others write to the same stream, so that no line is torn or
// overwritten.
//
// Widths, colors and the bar's characters come from go-pretty. Its renderer is not used:
// like those of other libraries it draws from a goroutine at any time, and then nobody else
// could write to the terminal, which Ginkgo must.
package progress
