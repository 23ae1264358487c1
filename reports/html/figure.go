package html

import (
	"strconv"
)

// figure is one or more panels with what they mean.
type figure struct {
	// ID is unique on the page; the ids of panels begin with it.
	ID     string
	Number int
	// Layout is "solo" (one panel beside its caption) or "panels" (small
	// multiples above it), Size how wide the latter are.
	Layout string
	Panels []*panel
	Legend []key
	// Caption says what is drawn: axes, units, n, definitions. The first
	// sentence is the figure's name.
	Name    string
	Caption []string
	Data    []*table
}

// panel is an SVG image.
type panel struct {
	ID            string
	Title, Desc   string
	Width, Height float64
	Shapes        []shape
}

// shape is a path, or a text at a place.
type shape struct {
	Class string
	Path  string
	// Stroke is the width of a path's stroke; empty for that of its class.
	Stroke string
	Text   string
	X, Y   string
}

// key is an entry of a legend: a line (Line), a filled box with its number
// (Fill) or a marker, and what it stands for.
type key struct {
	Class string
	Path  string
	// Digit is the number of a phase.
	Digit string
	Label string
}

func (f *figure) panel(width, height float64, title, desc string) *panel {
	p := &panel{
		ID: f.ID + "-" + strconv.Itoa(len(f.Panels)+1), Title: title, Desc: desc, Width: width, Height: height,
	}
	f.Panels = append(f.Panels, p)
	return p
}

func (p *panel) path(class string, d path) {
	if len(d.data) > 0 {
		p.Shapes = append(p.Shapes, shape{Class: class, Path: d.String()})
	}
}

func (p *panel) rule(class string, x1, y1, x2, y2 float64) {
	var d path
	d.move(x1, y1)
	d.line(x2, y2)
	p.path(class, d)
}

func (p *panel) text(class string, x, y float64, s string) {
	p.Shapes = append(p.Shapes, shape{Class: class, Text: s, X: place(x), Y: place(y)})
}

func place(v float64) string {
	var d path
	d.number(tenths(v))
	return d.String()
}

// plot is the area of a panel between its axes.
type plot struct {
	*panel
	x, y                     scale
	left, top, right, bottom float64
}

// timeAxis draws the x axis with lines upward at round times.
func (p *plot) timeAxis(n int, name string) {
	u := unitFor(max(p.x.high, -p.x.low))
	for _, t := range u.ticks(p.x.low, p.x.high, n) {
		x := p.x.at(t)
		p.rule("grid", x, p.top, x, p.bottom)
		p.text("tick mid", x, p.bottom+14, u.label(t))
	}
	p.rule("axis", p.left, p.bottom, p.right, p.bottom)
	if name != "" {
		p.text("name end", p.right, p.bottom+28, name)
	}
}
