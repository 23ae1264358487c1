package progress

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	style "github.com/jedib0t/go-pretty/v6/progress"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/podburst/podburst/framework/experiment"
)

// liveView draws the running burst below the lines of plainView.
type liveView struct {
	plainView
	width  func() int
	colors bool
}

func (v *liveView) live(l experiment.Live, left *time.Duration) {
	// The last column stays free: some terminals start a new line after it, others do not.
	v.out.draw(line(l, left, v.width()-1, v.colors))
}

// Columns of the bar and of a profile's name when space is short.
const (
	widestBar, narrowBar, leastBar = 30, 10, 5
	longestName                    = 24
)

// parts are the parts of a line; empty ones are left out.
type parts struct {
	name, ready, failed, phases, elapsed, floor, left string
	bar                                               int
}

// line is the burst in at most so many columns. Parts that do not fit are left out, in the
// order of fits, and the bar takes the remaining space. Which parts are left out depends on
// the widest that the burst's line can become, so that the parts do not jump about.
func line(l experiment.Live, left *time.Duration, columns int, colors bool) string {
	p, widest := all(l, left), all(l, nil)
	if l.Pods > 0 {
		estimate := 10 * time.Minute // as wide as an estimate gets
		widest = all(l, &estimate)
	}
	for _, narrower := range fits {
		if widest.columns() <= columns {
			break
		}
		narrower(&p, l)
		narrower(&widest, l)
	}
	if over := columns - widest.columns(); widest.bar > 0 && over > 0 {
		p.bar = min(widest.bar+over, widestBar)
	}
	paint := plainly
	if colors {
		paint = colored
	}
	return text.Trim(p.join(bar(l, p.bar, paint), paint), columns)
}

func all(l experiment.Live, left *time.Duration) parts {
	c, digits := l.Counts, len(strconv.Itoa(l.Pods))
	p := parts{
		name: name(l), ready: fmt.Sprintf("%*d/%d ready", digits, c.Ready, l.Pods), elapsed: seconds(l.Elapsed), bar: narrowBar,
		phases: fmt.Sprintf("created %*d scheduled %*d running %*d", digits, c.Seen, digits, c.Scheduled, digits, c.Running),
	}
	if l.Pods == 0 {
		p.ready, p.bar = fmt.Sprintf("%d ready", c.Ready), 0
	}
	if c.Failed > 0 {
		p.failed = fmt.Sprintf("%d failed", c.Failed)
	}
	if l.Floor != nil {
		p.floor = "floor " + seconds(*l.Floor)
	}
	if left != nil {
		p.left = "ends in " + about(*left)
	}
	return p
}

// fits narrow a line; they are applied one after the other until it fits.
var fits = []func(p *parts, l experiment.Live){
	func(p *parts, _ experiment.Live) {
		if estimate, there := strings.CutPrefix(p.left, "ends in "); there {
			p.left = estimate + " left"
		}
	},
	func(p *parts, l experiment.Live) {
		if l.Pods > 0 { // otherwise no bar shows them
			p.phases = ""
		}
	},
	func(p *parts, l experiment.Live) { p.name = shortName(l) },
	func(p *parts, _ experiment.Live) { p.bar = min(p.bar, leastBar) },
	func(p *parts, _ experiment.Live) { p.floor = "" },
	func(p *parts, _ experiment.Live) { p.bar = 0 },
	func(p *parts, _ experiment.Live) { p.phases = "" },
	func(p *parts, _ experiment.Live) { p.left = "" },
	func(p *parts, _ experiment.Live) { p.name = "" },
	func(p *parts, _ experiment.Live) { p.elapsed = "" },
}

// name says which burst it is, at the start of its line.
func name(l experiment.Live) string {
	profile := printable(l.Profile)
	switch {
	case l.Warmup:
		return profile + " warm-up"
	case l.Block > 0:
		return fmt.Sprintf("%s block %d", profile, l.Block)
	case l.Bursts > 1:
		return fmt.Sprintf("%s burst %d of %d", profile, l.Index, l.Bursts)
	}
	return profile
}

func shortName(l experiment.Live) string {
	profile := text.Snip(printable(l.Profile), longestName, "…")
	switch {
	case l.Warmup:
		return profile + " warm-up"
	case l.Block > 0:
		return fmt.Sprintf("%s #%d", profile, l.Block)
	case l.Bursts > 1:
		return fmt.Sprintf("%s %d/%d", profile, l.Index, l.Bursts)
	}
	return profile
}

// columns is how wide the line is.
func (p *parts) columns() int {
	bar := strings.Repeat(style.StyleCharsBlocks.Unfinished, p.bar)
	return text.StringWidthWithoutEscSequences(p.join(bar, plainly))
}

func (p *parts) join(bar string, paint painter) string {
	var shown []string
	for _, part := range []string{
		p.name, bar, paint(p.ready, text.Bold), paint(p.failed, text.FgRed), p.phases, p.elapsed, p.floor, p.left,
	} {
		if part != "" {
			shown = append(shown, part)
		}
	}
	return strings.Join(shown, "  ")
}

// bar shows the pods in so many cells: ready, running, created and not yet created.
func bar(l experiment.Live, cells int, paint painter) string {
	if cells == 0 || l.Pods == 0 {
		return ""
	}
	chars := style.StyleCharsBlocks
	var b strings.Builder
	done := 0
	for _, part := range []struct {
		pods  int
		char  string
		color text.Color
	}{
		{l.Counts.Ready, chars.Finished, text.FgGreen},
		{l.Counts.Running, chars.Finished75, text.FgCyan},
		{l.Counts.Seen, chars.Finished50, text.FgYellow},
		{l.Pods, chars.Unfinished, text.Faint},
	} {
		if upTo := min(part.pods*cells/l.Pods, cells); upTo > done {
			b.WriteString(paint(strings.Repeat(part.char, upTo-done), part.color))
			done = upTo
		}
	}
	return b.String()
}

// painter colors a text.
type painter func(s string, color text.Color) string

func plainly(s string, _ text.Color) string { return s }

// colored does not check the environment, as Color.Sprint does: that was done already.
func colored(s string, color text.Color) string {
	if s == "" {
		return ""
	}
	return color.EscapeSeq() + s + text.EscapeReset
}
