package html

import (
	"math"
	"strconv"
)

// path writes the data of an SVG path in relative steps of a tenth of a unit, the
// finest that a screen shows. Steps are differences of rounded places, so that
// rounding does not add up.
type path struct {
	data []byte
	// x and y are the pen's place, in tenths.
	x, y int
}

func (p path) String() string { return string(p.data) }

func tenths(v float64) int {
	if !finite(v) {
		return 0
	}
	return int(math.Round(10 * min(max(v, -1e5), 1e5)))
}

// number writes tenths as SVG reads them: "12.3", "12", "-.5".
func (p *path) number(t int) {
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

func (p *path) pair(x, y int) {
	p.number(x)
	if y >= 0 {
		p.data = append(p.data, ' ')
	}
	p.number(y)
}

// move lifts the pen.
func (p *path) move(x, y float64) {
	p.x, p.y = tenths(x), tenths(y)
	p.data = append(p.data, 'M')
	p.pair(p.x, p.y)
}

// line draws to a place; one that is not a tenth away takes no byte.
func (p *path) line(x, y float64) {
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

func (p *path) close() { p.data = append(p.data, 'z') }

func (p *path) polygon(xy ...float64) {
	p.move(xy[0], xy[1])
	for i := 2; i+1 < len(xy); i += 2 {
		p.line(xy[i], xy[i+1])
	}
	p.close()
}

func (p *path) box(x, y, width, height float64) {
	p.polygon(x, y, x+width, y, x+width, y+height, x, y+height)
}

// maxSteps bounds the steps of a curve.
const maxSteps = 120

// steps draws the share of sorted values at or below each value, from (left, y(0))
// on: after the k-th of n it is at y(k). Of more than maxSteps values it draws
// evenly chosen ones, the first and the last among them, each at its own height.
func (p *path) steps(sorted []float64, left float64, x func(float64) float64, y func(k int) float64) {
	n := len(sorted)
	if n == 0 {
		return
	}
	p.move(left, y(0))
	for i := range min(n, maxSteps) {
		k := i
		if n > maxSteps {
			k = i * (n - 1) / (maxSteps - 1)
		}
		p.line(x(sorted[k]), float64(p.y)/10)
		p.line(x(sorted[k]), y(k+1))
	}
}
