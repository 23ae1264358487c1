package humanize

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Seconds writes a time given in seconds with two to three digits: "640 ns",
// "180 µs", "3.4 ms", "12 ms", "1.47 s", "74.5 s", "163 s", "12 min 5 s", "3 h
// 20 min", "2 d 4 h". Zero is "0 ms"; infinity and NaN are "-".
func Seconds[T ~float64](seconds T) string {
	s := float64(seconds)
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return "-"
	}
	switch abs := math.Abs(s); {
	case abs < 0.5e-9:
		return "0 ms"
	case abs < 0.9995e-6:
		return fmt.Sprintf("%.0f ns", s*1e9)
	case abs < 0.9995e-3:
		return fmt.Sprintf("%.0f µs", s*1e6)
	case abs < 9.95e-3:
		return fmt.Sprintf("%.1f ms", s*1e3)
	case abs < 0.9995:
		return fmt.Sprintf("%.0f ms", s*1e3)
	case abs < 9.995:
		return fmt.Sprintf("%.2f s", s)
	case abs < 99.95:
		return fmt.Sprintf("%.1f s", s)
	case abs < 599.5:
		return fmt.Sprintf("%.0f s", s)
	case abs < 2*3600-0.5:
		return twoUnits(s, 60, "min", 1, "s")
	case abs < 48*3600-30:
		return twoUnits(s, 3600, "h", 60, "min")
	}
	return twoUnits(s, 24*3600, "d", 3600, "h")
}

// twoUnits writes s in a large and a small unit, rounded to the small one.
func twoUnits(s, large float64, largeName string, small float64, smallName string) string {
	sign := ""
	if s < 0 {
		sign, s = "-", -s
	}
	steps := math.Round(s / small)
	per := large / small
	whole := math.Floor(steps / per)
	rest := steps - whole*per
	if rest == 0 {
		return fmt.Sprintf("%s%.0f %s", sign, whole, largeName)
	}
	return fmt.Sprintf("%s%.0f %s %.0f %s", sign, whole, largeName, rest, smallName)
}

// Duration writes d as Seconds does.
func Duration(d time.Duration) string { return Seconds(d.Seconds()) }

// Apart writes two times so that they can be told apart: as Seconds does, or,
// if that gives the same text for different times, in seconds with as many
// digits as needed.
func Apart(a, b float64) (string, string) {
	x, y := Seconds(a), Seconds(b)
	if x != y || a == b {
		return x, y
	}
	for digits := 4; digits <= 17; digits++ {
		x, y = fixed(a, digits), fixed(b, digits)
		if x != y {
			break
		}
	}
	return x + " s", y + " s"
}

// fixed prints that many significant digits without an exponent.
func fixed(v float64, digits int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		rounded = v
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Significant prints three digits, or all before the point, without an exponent.
func Significant(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	scale := math.Pow(10, float64(min(decimals, 12)))
	return strconv.FormatFloat(math.Round(v*scale)/scale, 'f', -1, 64)
}

// Percent writes a fraction of one as a percentage, with three digits and at
// most two after the point: "7.25 %". Near 100 % it rounds down: a confidence
// of 99.996 % is not 100 %.
func Percent(part float64) string {
	if part > 0.99 && part < 1 {
		return strconv.FormatFloat(math.Floor(part*1e4)/100, 'f', -1, 64) + " %"
	}
	return Significant(math.Round(part*1e4)/100) + " %"
}

// Overrun writes by how much a ratio exceeds 1: "20 %", "112 %", and from a
// ratio of ten on "a factor of 12".
func Overrun(ratio float64) string {
	if ratio >= 10 {
		return "a factor of " + Significant(ratio)
	}
	over := (ratio - 1) * 100
	if over >= 10 {
		return fmt.Sprintf("%.0f %%", over)
	}
	return fixed(over, 2) + " %"
}

// Bytes writes a number of bytes: "800 B", "71.4 KiB", "7.0 MiB", "1.5 GiB".
func Bytes(n int64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch abs := math.Abs(float64(n)); {
	case abs < kib:
		return fmt.Sprintf("%d B", n)
	case abs < mib:
		return fmt.Sprintf("%.1f KiB", float64(n)/kib)
	case abs < gib:
		return fmt.Sprintf("%.1f MiB", float64(n)/mib)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/gib)
}

// Count is "1 pod" or "3 pods".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
