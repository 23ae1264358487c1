package document

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/podburst/podburst/internal/document/svg"
)

// luminance is the relative luminance (WCAG 2) of a color, "#rgb" or "#rrggbb".
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	if len(color) == 4 {
		color = "#" + strings.Repeat(color[1:2], 2) + strings.Repeat(color[2:3], 2) + strings.Repeat(color[3:4], 2)
	}
	n, err := strconv.ParseUint(color[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
		c := float64(n>>(8*i)&0xff) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// WCAG 2 requires a contrast of 4.5 for text and of 3 for the marks of a
// figure. Fills are exempt: they touch, and carry numbers.
func TestColorsAreToBeRead(t *testing.T) {
	light, dark, found := strings.Cut(style, "prefers-color-scheme: dark")
	if !found {
		t.Fatal("no dark scheme")
	}
	variable := regexp.MustCompile(`--([a-z0-9-]+): (#[0-9a-f]{3}(?:[0-9a-f]{3})?);`)
	colors := map[string]string{}
	for _, scheme := range []string{light, dark} {
		for _, m := range variable.FindAllStringSubmatch(scheme, -1) {
			colors[m[1]] = m[2]
		}
		for _, c := range []struct {
			text, on string
			want     float64
		}{
			{"ink", "paper", 4.5}, {"soft", "paper", 4.5}, {"link", "paper", 4.5}, {"limit", "paper", 4.5}, {"ink", "tint", 4.5},
			{"good", "good-tint", 4.5}, {"bad", "bad-tint", 4.5}, {"open", "open-tint", 4.5}, {"good", "paper", 4.5}, {"bad", "paper", 4.5}, {"open", "paper", 4.5},
			{"p0", "paper", 3}, {"p1", "paper", 3}, {"p2", "paper", 3}, {"p3", "paper", 3}, {"p4", "paper", 3}, {"p5", "paper", 3}, {"p6", "paper", 3}, {"p7", "paper", 3},
		} {
			if got := contrast(t, colors[c.text], colors[c.on]); got < c.want {
				t.Errorf("%s on %s: contrast %.2f, want %.1f", colors[c.text], colors[c.on], got, c.want)
			}
		}
	}
}

func TestEveryLineHasItsColorAndDash(t *testing.T) {
	for i := range svg.Lines {
		class := ".p" + strconv.Itoa(i)
		if !strings.Contains(style, class+" { stroke") || i > 0 && !strings.Contains(style, ".bold"+class+" { stroke-dasharray") {
			t.Errorf("the style sheet lacks %s", class)
		}
	}
	for i := range 7 {
		if class := ".f" + strconv.Itoa(i); !strings.Contains(style, class+" { fill") || !strings.Contains(style, ".row"+class+" { stroke") {
			t.Errorf("the style sheet lacks %s", class)
		}
	}
}
