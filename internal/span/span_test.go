package span

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func s(from, to int) Span {
	return Span{noon.Add(time.Duration(from) * time.Second), noon.Add(time.Duration(to) * time.Second)}
}

func TestTimeThatTwoSpansShareCountsOnce(t *testing.T) {
	set := Union([]Span{s(5, 7), s(0, 2), s(1, 4), s(9, 8)}, 0)
	if len(set) != 2 || set.Length() != 6*time.Second {
		t.Errorf("%v", set)
	}
	if joined := Union([]Span{s(0, 2), s(3, 4)}, time.Second); len(joined) != 1 || joined.Length() != 4*time.Second {
		t.Errorf("a gap of a second was not bridged: %v", joined)
	}
}

func TestWhatIsCoveredInsideAWindowAndWhatIsLeft(t *testing.T) {
	set := Union([]Span{s(0, 4), s(6, 8), s(10, 12)}, 0)
	if got := set.Within(s(3, 11)); got != 4*time.Second { // 3-4, 6-8, 10-11
		t.Errorf("within: %v", got)
	}
	if got := set.Within(s(4, 6)); got != 0 {
		t.Errorf("a window between two spans holds %v", got)
	}
	left := set.Minus(Union([]Span{s(1, 7), s(11, 20)}, 0)) // 0-1, 7-8, 10-11
	if len(left) != 3 || left.Length() != 3*time.Second {
		t.Errorf("minus: %v", left)
	}
	var none Set
	if none.Length() != 0 || none.Within(s(0, 9)) != 0 || len(none.Minus(set)) != 0 || len(set.Minus(none)) != 3 {
		t.Error("the empty set is not empty")
	}
}

func TestABusyPeriodIsMeasuredBackFromItsEnd(t *testing.T) {
	set := Union([]Span{s(0, 4), s(6, 8)}, 0)
	for at, want := range map[int]time.Duration{4: 4 * time.Second, 7: time.Second, 8: 2 * time.Second, 5: 0, 9: 0, 6: 0, 0: 0} {
		if got := set.EndingAt(noon.Add(time.Duration(at) * time.Second)); got != want {
			t.Errorf("at %d s: %v, want %v", at, got, want)
		}
	}
}
