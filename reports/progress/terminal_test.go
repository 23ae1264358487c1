package progress

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

// terminal supports as much of a terminal as a Printer may use: it prints, ends lines,
// returns to their start and erases. Anything else, such as a sequence that hides the
// cursor or a color that does not end, is a fault.
type terminal struct {
	mu       sync.Mutex
	columns  int
	rows     []map[int]string // by column: a wide character has one cell
	row, col int
	colored  bool
	sent     strings.Builder
	faults   []string
}

func newTerminal(columns int) *terminal {
	return &terminal{columns: columns, rows: []map[int]string{{}}}
}

func (t *terminal) fault(format string, args ...any) {
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

func (t *terminal) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent.Write(b)
	for s := string(b); s != ""; {
		if after, found := strings.CutPrefix(s, "\x1b["); found {
			i := strings.IndexFunc(after, func(r rune) bool { return r >= '@' })
			if i < 0 {
				t.fault("a sequence that does not end: %q", s)
				break
			}
			t.control(after[:i+1])
			s = after[i+1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		t.put(r)
		s = s[size:]
	}
	return len(b), nil
}

func (t *terminal) control(sequence string) {
	switch {
	case sequence == "J" || sequence == "K":
		for c := range t.rows[t.row] {
			if c >= t.col {
				delete(t.rows[t.row], c)
			}
		}
		if sequence == "J" {
			t.rows = t.rows[:t.row+1]
		}
	case strings.HasSuffix(sequence, "m"):
		t.colored = sequence != "0m"
	default:
		t.fault("sequence %q", sequence)
	}
}

func (t *terminal) put(r rune) {
	switch {
	case r == '\r':
		t.col = 0
	case r == '\n':
		if t.colored {
			t.fault("a line ends in color")
		}
		t.row, t.col = t.row+1, 0
		if t.row == len(t.rows) {
			t.rows = append(t.rows, map[int]string{})
		}
	case r < ' ' || r == 0x7f:
		t.fault("control character %q", r)
	default:
		w := text.RuneWidth(r)
		if t.col+w > t.columns {
			t.put('\n')
		}
		t.rows[t.row][t.col] = string(r)
		t.col += w
	}
}

// lines returns what is on the screen.
func (t *terminal) lines() (lines []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, row := range t.rows {
		var line strings.Builder
		for c := 0; c < t.columns; c++ {
			cell, there := row[c]
			if !there {
				cell = " "
			}
			line.WriteString(cell)
			c += max(text.StringWidth(cell), 1) - 1
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// clean reports whether the cursor is at the start of an empty line, without a color.
func (t *terminal) clean() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.col == 0 && !t.colored && t.row == len(t.rows)-1 && len(t.rows[t.row]) == 0
}
