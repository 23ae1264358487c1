package humanize

import (
	"math"
	"strings"
	"testing"
)

func TestSecondsFromANanosecondToDays(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 ms", 1e-10: "0 ms", 1e-9: "1 ns", 640e-9: "640 ns", 1e-6: "1 µs", 180e-6: "180 µs",
		0.9994e-3: "999 µs", 0.9996e-3: "1.0 ms", 3.44e-3: "3.4 ms", 12.4e-3: "12 ms", 0.9994: "999 ms", 0.9996: "1.00 s",
		1.474: "1.47 s", 9.996: "10.0 s", 74.52: "74.5 s", 163.3: "163 s", 599: "599 s", 600: "10 min", 725: "12 min 5 s",
		7199.9: "2 h", 7200: "2 h", 12000: "3 h 20 min", 48 * 3600: "2 d", 52 * 3600: "2 d 4 h",
		-0.0034: "-3.4 ms", -725: "-12 min 5 s", math.Inf(1): "-", math.NaN(): "-",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("Seconds(%g) = %q, want %q", s, got, want)
		}
	}
}

func TestTwoTimesThatDifferNeverReadAlike(t *testing.T) {
	for _, c := range []struct {
		a, b         float64
		wantA, wantB string
	}{
		{4.342515, 4.343, "4.3425 s", "4.343 s"},
		{1.2, 5, "1.20 s", "5.00 s"},
		{2, 2, "2.00 s", "2.00 s"},
		{5.000000001, 5, "5.000000001 s", "5 s"},
		{0.0120001, 0.012, "0.0120001 s", "0.012 s"},
	} {
		if a, b := Apart(c.a, c.b); a != c.wantA || b != c.wantB {
			t.Errorf("Apart(%g, %g) = %q, %q, want %q, %q", c.a, c.b, a, b, c.wantA, c.wantB)
		}
	}
}

func TestNoPartOrOverrunHasAnExponent(t *testing.T) {
	for ratio, want := range map[float64]string{1.2: "20 %", 2.1: "110 %", 7.9: "690 %", 12.04: "a factor of 12", 1.035: "3.5 %", 1.00012: "0.012 %", 1e9: "a factor of 1000000000"} {
		if got := Overrun(ratio); got != want {
			t.Errorf("Overrun(%g) = %q, want %q", ratio, got, want)
		}
	}
	for part, want := range map[float64]string{0.1: "10 %", 0.0725: "7.25 %", 0.99996: "99.99 %", 1: "100 %", 12: "1200 %", 0: "0 %", -0.05: "-5 %"} {
		if got := Percent(part); got != want {
			t.Errorf("Percent(%g) = %q, want %q", part, got, want)
		}
	}
}

func TestTextFromOutsideStaysOnItsLine(t *testing.T) {
	if got := Printable("a\nb\x1b[31m\u202ec"); strings.ContainsAny(got, "\n\x1b\u202e") {
		t.Errorf("%q", got)
	}
	if got := Shorten("ääää", 3); got != "ää…" {
		t.Errorf("%q", got)
	}
	if Shorten("ääää", 4) != "ääää" || UpperFirst("") != "" || UpperFirst("run") != "Run" || OrDash("") != "-" || And([]string{"a", "b", "c"}) != "a, b and c" || And(nil) != "" {
		t.Error("a text was changed that fits")
	}
	for n, want := range map[int64]string{800: "800 B", 73114: "71.4 KiB", 7 << 20: "7.0 MiB", 3 << 29: "1.5 GiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
	if Count(1, "pod") != "1 pod" || Count(0, "pod") != "0 pods" {
		t.Error("count")
	}
}
