package exposition

import (
	"errors"
	"math"
	"testing"
)

const text = `# TYPE waits_seconds histogram
waits_seconds_bucket{name="a",le="1"} 6
waits_seconds_bucket{name="a",le="4"} 9
waits_seconds_bucket{name="a",le="+Inf"} 10
waits_seconds_sum{name="a"} 20
waits_seconds_count{name="a"} 10
waits_seconds_bucket{name="b",le="1"} 1
waits_seconds_bucket{name="b",le="4"} 1
waits_seconds_bucket{name="b",le="+Inf"} 1
waits_seconds_sum{name="b"} 0.5
waits_seconds_count{name="b"} 1
# TYPE depth gauge
depth{name="a",priority="1"} 2
depth{name="a",priority="2"} 3
depth{name="b"} 7
# TYPE bad gauge
bad NaN
`

func TestHistogramsAreSummedUpByALabel(t *testing.T) {
	by, err := Histograms([]byte(text), "waits_seconds", "name")
	if err != nil || len(by) != 2 || by["a"].Count != 10 || by["b"].Sum != 0.5 {
		t.Errorf("%+v, %v", by, err)
	}
	all, err := Histograms([]byte(text), "waits_seconds", "")
	if err != nil || all[""].Count != 11 || all[""].Buckets[1] != 7 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestValuesAreSummedUpByALabel(t *testing.T) {
	by, err := Values([]byte(text), "depth", "name")
	if err != nil || by["a"] != 5 || by["b"] != 7 {
		t.Errorf("%v, %v", by, err)
	}
	if _, err := Values([]byte(text), "bad", ""); err == nil {
		t.Error("a value that is no number was taken")
	}
	for _, name := range []string{"absent", "waits_seconds"} { // the latter is no gauge
		if _, err := Values([]byte(text), name, ""); !errors.Is(err, ErrNoMetric) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAQuantileLiesInItsBucket(t *testing.T) {
	by, _ := Histograms([]byte(text), "waits_seconds", "name")
	for _, c := range []struct{ q, low, high float64 }{
		{0.5, 0, 1}, {0.6, 0, 1}, {0.61, 1, 4}, {0.9, 1, 4}, {0.99, 4, math.Inf(1)},
	} {
		if low, high, ok := by["a"].Quantile(c.q); !ok || low != c.low || high != c.high {
			t.Errorf("quantile %g is in (%g, %g], want (%g, %g]", c.q, low, high, c.low, c.high)
		}
	}
	if _, _, ok := (Histogram{}).Quantile(0.5); ok {
		t.Error("no samples have a quantile")
	}
}

func TestSinceAnEarlierReading(t *testing.T) {
	later := Histogram{Count: 3, Sum: 9, Buckets: map[float64]float64{1: 1, 4: 2, math.Inf(1): 3}}
	d, err := later.Since(Histogram{Count: 1, Sum: 0.5, Buckets: map[float64]float64{1: 1, 4: 1, math.Inf(1): 1}})
	if err != nil || d.Count != 2 || d.Sum != 8.5 || d.Longest() != 8.5 {
		t.Errorf("%+v, %v: longest %g", d, err, d.Longest())
	}
	if _, err := d.Since(later); !errors.Is(err, ErrFell) {
		t.Errorf("%v, want that it fell", err)
	}
}

func FuzzHistograms(f *testing.F) {
	f.Add([]byte(text))
	f.Fuzz(func(t *testing.T, data []byte) {
		by, err := Histograms(data, "waits_seconds", "name")
		if err != nil {
			return
		}
		for _, h := range by {
			if math.IsNaN(h.Sum) || h.Sum < 0 {
				t.Errorf("sum %v", h.Sum)
			}
			h.Quantile(0.99)
			h.Longest()
		}
	})
}
