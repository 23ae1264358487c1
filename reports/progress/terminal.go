package progress

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Terminal reports whether w is a terminal on which lines can be redrawn.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Colors reports whether w may get colors: it is a terminal, and NO_COLOR
// (https://no-color.org) is not set.
func Colors(w io.Writer) bool {
	return Terminal(w) && os.Getenv("NO_COLOR") == ""
}

// defaultWidth is the width of a terminal that does not report one.
const defaultWidth = 80

// width returns the current number of columns of w.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return defaultWidth
}
