package evidence

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
)

// Waits are waits as a histogram tells them: how many lie between which bounds, and
// their exact sum.
type Waits struct {
	// Count is how many were counted, those of no length as well.
	Count int
	// Sum is the length of all together, in seconds.
	Sum float64
	// classes are in order of length.
	classes []class
}

// class are n waits of more than low and at most high seconds. The high of the last
// is no bucket's bound: it is what the sum leaves for one wait.
type class struct {
	n         float64
	low, high float64
}

// WaitsOf reads a histogram's rise.
func WaitsOf(h exposition.Histogram) (Waits, error) {
	if !(h.Count >= 0) || h.Count > maxCount || !(h.Sum >= 0) || math.IsInf(h.Sum, 0) {
		return Waits{}, ErrTorn
	}
	w := Waits{Count: int(h.Count), Sum: h.Sum}
	low, below, least := 0.0, 0.0, 0.0
	for _, bound := range h.Bounds() {
		if n := h.Buckets[bound] - below; n > 0 {
			w.classes = append(w.classes, class{n, max(0, low), max(0, bound)})
			least += n * max(0, low)
			below = h.Buckets[bound]
		}
		low = bound
	}
	if n := h.Count - below; n > 0 { // a histogram without its +Inf bucket
		if math.IsInf(low, 1) {
			return Waits{}, ErrTorn
		}
		w.classes = append(w.classes, class{n, max(0, low), math.Inf(1)})
		least += n * max(0, low)
	}
	if least > h.Sum*(1+1e-6)+1e-6 {
		return Waits{}, ErrTorn
	}
	// One wait is at most what the sum leaves when all others are as short as they can be.
	rest := max(0, h.Sum-least)
	for i := range w.classes {
		c := &w.classes[i]
		c.high = min(c.high, c.low+rest)
	}
	return w, nil
}

// Longest bounds the longest wait, in seconds. Those of the last class make up what the
// others leave of the sum, so that one of them is at least their mean.
func (w Waits) Longest() (low, high float64) {
	others := 0.0
	for i, c := range w.classes {
		if i == len(w.classes)-1 {
			low, high = max(c.low, (w.Sum-others)/c.n), c.high
		}
		others += c.n * c.high
	}
	return min(low, high), high
}

// Above counts the waits that were certainly longer than limit seconds, and those
// that may have been.
func (w Waits) Above(limit float64) (certain, possible int) {
	for _, c := range w.classes {
		if c.low >= limit {
			certain += int(c.n)
		}
		if c.high > limit {
			possible += int(c.n)
		}
	}
	return certain, possible
}

// Capped bounds the sum of min(wait, most) over the waits, in seconds, when but of
// them (those that count most) may belong to something else, none of these as long as
// longest, and no more than waiters of them had any length. With most infinite it bounds
// the plain sum.
//
// In a token bucket that refills at q tokens a second this sum, with most = 1/q, is
// the time for which some request waited: a request that finds others waiting adds
// the one refill that it needs, and one that finds none adds what is left of the refill.
func (w Waits) Capped(most float64, but int, longest float64, waiters int) (low, high float64) {
	short := 0.0 // those that may be something else's
	for _, c := range w.classes {
		if c.low < longest {
			short += c.n
		}
	}
	certain := max(0, short-float64(max(0, but)))
	for _, c := range w.classes { // of these, the shortest are the burst's own
		n := c.n
		if c.low < longest {
			n = min(c.n, certain)
			certain -= n
		}
		low += n * min(c.low, most)
	}
	left := float64(max(0, waiters))
	for _, c := range slices.Backward(w.classes) {
		n := min(c.n, left)
		left -= n
		high += n * min(c.high, most)
	}
	high = min(high, w.Sum)
	if but <= 0 {
		low = max(low, w.cappedBySum(most))
	}
	return min(low, high), high
}

// cappedBySum is the least that the sum of min(wait, most) can be, for waits that lie in
// their classes and add up to Sum. A wait beyond its class's lower bound adds to it at no
// less than the slope of the chord from bound to bound, for min(wait, most) is concave; the
// least is where what the sum leaves went to the classes with the flattest chords.
func (w Waits) cappedBySum(most float64) float64 {
	type chord struct{ room, slope float64 }
	var chords []chord
	least, rest := 0.0, w.Sum
	for _, c := range w.classes {
		least += c.n * min(c.low, most)
		rest -= c.n * c.low
		if length := c.high - c.low; length > 0 {
			chords = append(chords, chord{c.n * length, (min(c.high, most) - min(c.low, most)) / length})
		}
	}
	slices.SortStableFunc(chords, func(a, b chord) int { return cmp.Compare(a.slope, b.slope) })
	for _, c := range chords {
		d := min(c.room, max(0, rest))
		least += d * c.slope
		rest -= d
	}
	return least
}

// Logged are the waits of more than longer and at most longest seconds that the instance
// logged itself, as spans that end at the line. A longer one than its metrics count is
// no wait of this burst; a longest of 0 is none. client-go logs one a second at most, so there may be others
// between them.
func Logged(b *recording.Burst, instance string, longer, longest float64) (spans span.Set, lines int) {
	var all []span.Span
	for i := range b.Logs {
		line := &b.Logs[i]
		if line.Kind != recording.LogThrottled || line.Instance != instance || line.At.IsZero() {
			continue
		}
		if !(line.WaitSeconds > max(0, longer)) || line.WaitSeconds > maxWait || longest > 0 && line.WaitSeconds > longest*(1+tolerance) {
			continue
		}
		lines++
		all = append(all, span.Span{From: line.At.Add(-time.Duration(line.WaitSeconds * float64(time.Second))), To: line.At})
	}
	return span.Union(all, 0), lines
}

// tolerance is by how much a log and a metric of the same wait may differ.
const tolerance = 0.01

// maxWait is longer than any request waits, in seconds: a day.
const maxWait = 24 * 3600
