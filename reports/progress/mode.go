package progress

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/internal/nearest"
)

// Mode is a way to show progress.
type Mode string

// The modes.
const (
	// Auto is Live on a terminal, and Plain elsewhere or if CI is set.
	Auto Mode = "auto"
	// Live draws the running burst on a line of its own, below the steps. Without a
	// terminal to draw on, it is the same as Plain.
	Live Mode = "live"
	// Plain writes a line for each step, and one every 15 s of a burst.
	Plain Mode = "plain"
	// Quiet writes errors only.
	Quiet Mode = "quiet"
	// JSON writes events, an object per line.
	JSON Mode = "json"
)

// Modes returns the names of the modes.
func Modes() []string {
	return []string{string(Auto), string(Live), string(Plain), string(Quiet), string(JSON)}
}

// ParseMode parses such a name.
func ParseMode(word string) (Mode, error) {
	if !slices.Contains(Modes(), word) {
		return "", fmt.Errorf("%q%s", word, nearest.Hint(word, "modes of progress", Modes()))
	}
	return Mode(word), nil
}
