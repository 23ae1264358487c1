package svg

// Lines is how many lines the style sheet can tell apart: classes p0 to p7.
const Lines = 8

// KeyLine is the line of a legend's entry.
func KeyLine() Path { return Line(0, 6, 26, 6) }

// KeyBox is the filled box of a legend's entry.
func KeyBox() Path {
	var d Path
	d.Box(0, 0, 26, 12)
	return d
}

// Marker is the marker of the line of that number; four shapes repeat.
func Marker(number int, x, y, r float64) Path {
	var d Path
	switch number % 4 {
	case 0: // an octagon reads as a disc
		c := r * 0.41
		d.Polygon(x-c, y-r, x+c, y-r, x+r, y-c, x+r, y+c, x+c, y+r, x-c, y+r, x-r, y+c, x-r, y-c)
	case 1:
		d.Box(x-r*.9, y-r*.9, 1.8*r, 1.8*r)
	case 2:
		d.Polygon(x, y-1.2*r, x+1.15*r, y+.9*r, x-1.15*r, y+.9*r)
	default:
		d.Polygon(x, y-1.3*r, x+1.3*r, y, x, y+1.3*r, x-1.3*r, y)
	}
	return d
}

// Cross marks what failed.
func Cross(x, y, r float64) Path {
	d := Line(x-r, y-r, x+r, y+r)
	d.Move(x-r, y+r)
	d.Line(x+r, y-r)
	return d
}
