// Package svg draws the figures of a page: panels of paths and texts, axes of time,
// scales and markers. It knows colors by class only (the style sheet is the page's):
// p0 to p7 are lines and markers, f0 to f6 fills.
package svg

// Panel is an SVG image.
type Panel struct {
	// ID is unique on the page. Title and Desc are for readers who cannot see it.
	ID            string
	Title, Desc   string
	Width, Height float64
	Shapes        []Shape
}

// Shape is a path, or a text at a place.
type Shape struct {
	Class string
	Path  string
	// Stroke is the width of a path's stroke; if empty, its class sets it.
	Stroke string
	Text   string
	X, Y   string
}

// Key is an entry of a legend: a line, a filled box or a marker, and what it stands for.
type Key struct {
	Class string
	Path  string
	// Digit is written in a filled box.
	Digit string
	Label string
}

// NewKey is the legend entry for what is drawn in that class.
func NewKey(class string, d Path, label string) Key {
	return Key{Class: class, Path: d.String(), Label: label}
}

// Path draws a path, unless it is empty.
func (p *Panel) Path(class string, d Path) { p.add(Shape{Class: class, Path: d.String()}) }

// Stroke draws a path with a stroke of that width, unless it is empty.
func (p *Panel) Stroke(class string, d Path, width float64) {
	p.add(Shape{Class: class, Path: d.String(), Stroke: place(width)})
}

func (p *Panel) add(s Shape) {
	if s.Path != "" {
		p.Shapes = append(p.Shapes, s)
	}
}

// Rule draws a straight line.
func (p *Panel) Rule(class string, x1, y1, x2, y2 float64) { p.Path(class, Line(x1, y1, x2, y2)) }

// Text writes s with its base line at y.
func (p *Panel) Text(class string, x, y float64, s string) {
	p.Shapes = append(p.Shapes, Shape{Class: class, Text: s, X: place(x), Y: place(y)})
}

// Plot is a panel's area between the axes.
type Plot struct {
	*Panel
	X, Y                     Scale
	Left, Top, Right, Bottom float64
}

// NewPlot is an area of the panel, with scales from edge to edge.
func NewPlot(p *Panel, left, top, right, bottom float64, x, y Scale) *Plot {
	x.Start, x.End, y.Start, y.End = left, right, bottom, top
	return &Plot{Panel: p, X: x, Y: y, Left: left, Top: top, Right: right, Bottom: bottom}
}

// XAxis draws the x axis with its name and ticks and, if grid is set, upward
// lines at the ticks.
func (p *Plot) XAxis(ticks []float64, label func(float64) string, grid bool, name string) {
	for _, t := range ticks {
		x := p.X.At(t)
		if grid {
			p.Rule("grid", x, p.Top, x, p.Bottom)
		}
		p.Text("tick mid", x, p.Bottom+14, label(t))
	}
	p.Rule("axis", p.Left, p.Bottom, p.Right, p.Bottom)
	if name != "" {
		p.Text("name end", p.Right, p.Bottom+28, name)
	}
}

// TimeAxis draws an x axis in seconds with upward lines at about n round times.
func (p *Plot) TimeAxis(n int, name string) {
	u := UnitFor(max(p.X.High, -p.X.Low))
	p.XAxis(u.Ticks(p.X.Low, p.X.High, n), u.Label, true, name)
}

// YAxis draws horizontal lines at the ticks of the y axis.
func (p *Plot) YAxis(ticks []float64, label func(float64) string) {
	for _, t := range ticks {
		y := p.Y.At(t)
		p.Rule("grid", p.Left, y, p.Right, y)
		p.Text("tick end", p.Left-6, y+4, label(t))
	}
}
