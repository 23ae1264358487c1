package exposition

import (
	"errors"
	"math"
	"strings"
	"testing"
)

const earlier = `# TYPE waits_seconds histogram
waits_seconds_bucket{verb="GET",le="1"} 2
waits_seconds_bucket{verb="GET",le="+Inf"} 3
waits_seconds_sum{verb="GET"} 4
waits_seconds_count{verb="GET"} 3
# TYPE used_total counter
used_total{mode="user"} 5
`

const later = `# TYPE waits_seconds histogram
waits_seconds_bucket{verb="GET",le="1"} 6
waits_seconds_bucket{verb="GET",le="+Inf"} 9
waits_seconds_sum{verb="GET"} 14
waits_seconds_count{verb="GET"} 9
waits_seconds_bucket{verb="PUT",le="1"} 1
waits_seconds_bucket{verb="PUT",le="+Inf"} 1
waits_seconds_sum{verb="PUT"} 0.5
waits_seconds_count{verb="PUT"} 1
# TYPE used_total counter
used_total{mode="user"} 7
used_total{mode="system"} 1
`

func TestAHistogramRisesFromSeriesToSeries(t *testing.T) {
	all, err := Rise([]byte(earlier), []byte(later), "waits_seconds", "")
	if err != nil || all[""].Count != 7 || all[""].Sum != 10.5 || all[""].Buckets[1] != 5 || all[""].Buckets[math.Inf(1)] != 7 {
		t.Errorf("%+v, %v", all, err)
	}
	get, err := Rise([]byte(earlier), []byte(later), "waits_seconds", "verb", Label{"verb", "GET"})
	if err != nil || len(get) != 1 || get["GET"].Count != 6 {
		t.Errorf("%+v, %v", get, err)
	}
	used, err := CounterRise([]byte(earlier), []byte(later), "used_total", "")
	if err != nil || used[""] != 3 {
		t.Errorf("%v, %v", used, err)
	}
}

func TestWhatFellIsNoRise(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     error
	}{
		"one bucket":                        {`GET",le="1"} 6`, `GET",le="1"} 1`, ErrFell},
		"the count":                         {`_count{verb="GET"} 9`, `_count{verb="GET"} 2`, ErrFell},
		"a series that is gone":             {`"GET"`, `"HEAD"`, ErrFell},
		"a bucket below the one before":     {`GET",le="1"} 6`, `GET",le="1"} 10`, ErrTorn},
		"a sum too small for its buckets":   {`_sum{verb="GET"} 14`, `_sum{verb="GET"} 4.5`, ErrTorn},
		"a count beyond the last bucket":    {`_count{verb="GET"} 9`, `_count{verb="GET"} 12`, ErrTorn},
		"a sum that is not a number":        {`_sum{verb="GET"} 14`, `_sum{verb="GET"} NaN`, ErrTorn},
		"a metric that this version lacks":  {"waits_seconds", "others_seconds", ErrNoMetric},
		"a metric that was exposed as else": {"# TYPE waits_seconds histogram", "# TYPE waits_seconds gauge", ErrNoMetric},
	} {
		_, err := Rise([]byte(earlier), []byte(strings.ReplaceAll(later, c.old, c.new)), "waits_seconds", "")
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := CounterRise([]byte(later), []byte(earlier), "used_total", ""); !errors.Is(err, ErrFell) {
		t.Errorf("a counter that fell: %v", err)
	}
}

func FuzzRise(f *testing.F) {
	f.Add([]byte(earlier), []byte(later))
	f.Add([]byte(later), []byte(earlier))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		rose, err := Rise(before, after, "waits_seconds", "verb")
		if err != nil {
			return
		}
		for _, h := range rose {
			if !finite(h.Sum) || h.Sum < 0 || h.Count < 0 {
				t.Errorf("%+v", h)
			}
		}
		if used, err := CounterRise(before, after, "used_total", ""); err == nil && (used[""] < 0 || math.IsNaN(used[""])) {
			t.Errorf("%v", used)
		}
	})
}
