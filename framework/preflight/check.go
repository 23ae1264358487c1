package preflight

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Status is what a check amounts to.
type Status string

// The statuses.
const (
	OK Status = "ok"
	// Warn: it can be measured, but less can be seen, or there is something to know.
	Warn Status = "warn"
	// Fail: a run cannot work, or would be INVALID.
	Fail Status = "FAIL"
)

// Check is one finding.
type Check struct {
	Status Status
	// Name says in a few words what was checked: "namespaces: create".
	Name string
	// Detail is what was found.
	Detail string
	// Advice is what to do about it; empty if there is nothing to do.
	Advice string
}

// Failed counts the checks that failed.
func Failed(checks []Check) int {
	n := 0
	for _, c := range checks {
		if c.Status == Fail {
			n++
		}
	}
	return n
}

// Write writes the checks as a table, in their order, followed by what to do about
// those that are not ok.
func Write(w io.Writer, checks []Check) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range checks {
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.Status, line(c.Name), line(c.Detail))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var told []string
	for _, c := range checks {
		if c.Status == OK || c.Advice == "" || slices.Contains(told, c.Advice) {
			continue
		}
		if len(told) == 0 {
			fmt.Fprintln(w, "\nWhat to do:")
		}
		told = append(told, c.Advice)
		fmt.Fprintf(w, "- %s (%s): %s\n", line(c.Name), c.Status, line(c.Advice))
	}
	return nil
}

// line is s on one line, without control characters, since it may come from a
// cluster.
func line(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r >= 0x80 && r < 0xa0 }), " ")
}

// listing keeps checks as they are found.
type listing struct{ checks []Check }

func (l *listing) add(status Status, name, advice, format string, args ...any) {
	l.checks = append(l.checks, Check{Status: status, Name: name, Detail: fmt.Sprintf(format, args...), Advice: advice})
}
