// Package span does set arithmetic on spans of time: unions, intersections and
// their lengths, from which busy time is computed.
package span

import (
	"slices"
	"time"
)

// Span is the time from From to To. A span that ends before it begins is empty.
type Span struct{ From, To time.Time }

// Length is To - From, at least 0.
func (s Span) Length() time.Duration { return max(0, s.To.Sub(s.From)) }

// Set is a list of spans, in order and apart from each other. Make one with Union.
type Set []Span

// Union joins spans that touch, overlap, or are at most gap apart. It sorts
// spans in place.
func Union(spans []Span, gap time.Duration) Set {
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From) })
	var set Set
	for _, s := range spans {
		if s.Length() == 0 {
			continue
		}
		if n := len(set); n > 0 && s.From.Sub(set[n-1].To) <= gap {
			if s.To.After(set[n-1].To) {
				set[n-1].To = s.To
			}
			continue
		}
		set = append(set, s)
	}
	return set
}

// Length is the time that the set covers.
func (set Set) Length() time.Duration {
	var sum time.Duration
	for _, s := range set {
		sum += s.Length()
	}
	return sum
}

// Within is how much of window the set covers.
func (set Set) Within(window Span) time.Duration {
	var sum time.Duration
	for _, s := range set.from(window) {
		if !s.From.Before(window.To) {
			break
		}
		sum += s.and(window).Length()
	}
	return sum
}

// Clip is the part of the set inside window.
func (set Set) Clip(window Span) Set {
	var clipped Set
	for _, s := range set.from(window) {
		if !s.From.Before(window.To) {
			break
		}
		if s = s.and(window); s.Length() > 0 {
			clipped = append(clipped, s)
		}
	}
	return clipped
}

// from is the set starting at the first span that ends inside window or after it.
func (set Set) from(window Span) Set {
	first, _ := slices.BinarySearchFunc(set, window.From, func(s Span, t time.Time) int {
		if s.To.After(t) {
			return 1
		}
		return -1
	})
	return set[first:]
}

// and is the part of s inside window.
func (s Span) and(window Span) Span {
	if s.From.Before(window.From) {
		s.From = window.From
	}
	if s.To.After(window.To) {
		s.To = window.To
	}
	return s
}

// Minus is the part of the set that other does not cover.
func (set Set) Minus(other Set) Set {
	var rest Set
	for _, s := range set {
		for _, o := range other.Clip(s) {
			if o.From.After(s.From) {
				rest = append(rest, Span{s.From, o.From})
			}
			s.From = o.To
		}
		if s.Length() > 0 {
			rest = append(rest, s)
		}
	}
	return rest
}

// EndingAt is how long the set had covered time without a break up to t.
func (set Set) EndingAt(t time.Time) time.Duration {
	i, _ := slices.BinarySearchFunc(set, t, func(s Span, t time.Time) int {
		if s.To.Before(t) {
			return -1
		}
		return 1
	})
	if i == len(set) || !set[i].From.Before(t) {
		return 0
	}
	return t.Sub(set[i].From)
}
