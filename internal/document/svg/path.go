package svg

import (
	"math"
	"strconv"
)

// Path is the data of an SVG path in relative steps of a tenth of a unit, the
// finest that a screen shows. Steps are differences of rounded positions, so
// that rounding errors do not add up.
type Path struct {
	data []byte
	// x and y are the pen's place, in tenths.
	x, y int
}

// String is the d attribute.
func (p Path) String() string { return string(p.data) }

// To draws to a place; the first call begins the line there.
func (p *Path) To(x, y float64) {
	if len(p.data) == 0 {
		p.Move(x, y)
		return
	}
	p.Line(x, y)
}

// Append adds the drawing of other.
func (p *Path) Append(other Path) {
	p.data = append(p.data, other.data...)
	p.x, p.y = other.x, other.y
}

// Line is a straight line.
func Line(x1, y1, x2, y2 float64) Path {
	var d Path
	d.Move(x1, y1)
	d.Line(x2, y2)
	return d
}

// place is a coordinate as SVG reads it.
func place(v float64) string {
	var d Path
	d.number(tenths(v))
	return d.String()
}

func tenths(v float64) int {
	if !finite(v) {
		return 0
	}
	return int(math.Round(10 * min(max(v, -1e5), 1e5)))
}

// number writes tenths as SVG reads them: "12.3", "12", "-.5".
func (p *Path) number(t int) {
	if t < 0 {
		p.data = append(p.data, '-')
		t = -t
	}
	if t >= 10 || t == 0 {
		p.data = strconv.AppendInt(p.data, int64(t/10), 10)
	}
	if t%10 != 0 {
		p.data = append(p.data, '.', byte('0'+t%10))
	}
}

func (p *Path) pair(x, y int) {
	p.number(x)
	if y >= 0 {
		p.data = append(p.data, ' ')
	}
	p.number(y)
}

// Move lifts the pen.
func (p *Path) Move(x, y float64) {
	p.x, p.y = tenths(x), tenths(y)
	p.data = append(p.data, 'M')
	p.pair(p.x, p.y)
}

// Line draws to a place. One less than a tenth away adds nothing.
func (p *Path) Line(x, y float64) {
	dx, dy := tenths(x)-p.x, tenths(y)-p.y
	switch {
	case dx == 0 && dy == 0:
		return
	case dy == 0:
		p.data = append(p.data, 'h')
		p.number(dx)
	case dx == 0:
		p.data = append(p.data, 'v')
		p.number(dy)
	default:
		p.data = append(p.data, 'l')
		p.pair(dx, dy)
	}
	p.x, p.y = p.x+dx, p.y+dy
}

func (p *Path) close() { p.data = append(p.data, 'z') }

// Polygon draws a closed line through the places x, y, x, y, and so on.
func (p *Path) Polygon(xy ...float64) {
	p.Move(xy[0], xy[1])
	for i := 2; i+1 < len(xy); i += 2 {
		p.Line(xy[i], xy[i+1])
	}
	p.close()
}

// Box draws a rectangle.
func (p *Path) Box(x, y, width, height float64) {
	p.Polygon(x, y, x+width, y, x+width, y+height, x, y+height)
}

// MaxSteps limits the steps of a curve.
const MaxSteps = 120

// Steps draws the share of sorted values at or below each value, from (left,
// y(0)) on: after the k-th of n it is at y(k). With more than MaxSteps values
// it draws an even selection that includes the first and the last, each at its
// own height.
func (p *Path) Steps(sorted []float64, left float64, x func(float64) float64, y func(k int) float64) {
	n := len(sorted)
	if n == 0 {
		return
	}
	p.Move(left, y(0))
	for i := range min(n, MaxSteps) {
		k := i
		if n > MaxSteps {
			k = i * (n - 1) / (MaxSteps - 1)
		}
		p.Line(x(sorted[k]), float64(p.y)/10)
		p.Line(x(sorted[k]), y(k+1))
	}
}
