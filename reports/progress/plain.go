package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/podburst/podburst/framework/experiment"
)

// interval is the time between the lines about a burst that takes long.
const interval = 15 * time.Second

// plainView writes lines.
type plainView struct {
	out *screen
	// next is when to report the running burst; label says which burst that is.
	label string
	next  time.Duration
}

func (v *plainView) step(s experiment.Step) { v.out.line(prefix + sentence(s.Message)) }

func (v *plainView) live(l experiment.Live, left *time.Duration) {
	if l.Label != v.label || l.Elapsed < v.next-interval {
		v.label, v.next = l.Label, interval
	}
	if l.Elapsed < v.next {
		return
	}
	v.next = l.Elapsed.Truncate(interval) + interval
	parts := []string{l.String()}
	if l.Floor != nil {
		parts = append(parts, "floor "+seconds(*l.Floor))
	}
	if left != nil {
		parts = append(parts, "ends in "+about(*left))
	}
	v.out.line(prefix + sentence(strings.Join(parts, ", ")))
}

func (v *plainView) text(b []byte) { v.out.text(b) }

func (v *plainView) fail(message string) { fail(v.out, message) }

func (v *plainView) end(string, int) { v.out.erase() }

// quietView writes errors only.
type quietView struct{ out *screen }

func (quietView) step(experiment.Step)                 {}
func (quietView) live(experiment.Live, *time.Duration) {}
func (quietView) text([]byte)                          {}
func (v quietView) fail(message string)                { fail(v.out, message) }
func (quietView) end(string, int)                      {}

// fail writes an error. Lines stay lines: of several errors, each has its own.
func fail(out *screen, message string) {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	out.line(prefix + strings.Join(lines, "\n"))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// about rounds an estimate to its real precision.
func about(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 9.95:
		return fmt.Sprintf("about %.1f s", max(s, 0.1))
	case s < 99.5:
		return fmt.Sprintf("about %.0f s", s)
	}
	return fmt.Sprintf("about %.0f min", d.Minutes())
}
