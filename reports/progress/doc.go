// Package progress tells what a run is doing while it does it: on a terminal by a
// line of the running burst that is drawn anew, else by a line for each step; or not at
// all, or by a JSON object per line for programs (see Event). The suite and the CLI
// write all their progress through one Printer, which also lets others write to the
// same stream, so that no line is torn or drawn over.
//
// Widths, colors and the bar's characters are those of go-pretty. Its own renderer is
// not used: like those of other libraries it draws from a goroutine whenever it likes,
// and nobody else could then write to the terminal, as Ginkgo must.
package progress
