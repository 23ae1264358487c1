package recording

import "testing"

func TestStolenTimeIsAShareOfTheBurst(t *testing.T) {
	for name, c := range map[string]struct {
		before, after LoadSample
		want          float64
		ok            bool
	}{
		"a tenth":            {LoadSample{1, 1000, 50}, LoadSample{1, 1200, 70}, 0.1, true},
		"none":               {LoadSample{1, 1000, 50}, LoadSample{1, 1200, 50}, 0, true},
		"not known":          {LoadSample{OneMinute: 1}, LoadSample{OneMinute: 2}, 0, false},
		"no time passed":     {LoadSample{1, 1000, 50}, LoadSample{1, 1000, 50}, 0, false},
		"counters went back": {LoadSample{1, 1000, 50}, LoadSample{1, 1200, 10}, 0, false},
	} {
		if got, ok := (Load{c.before, c.after}).Stolen(); got != c.want || ok != c.ok {
			t.Errorf("%s: %g, %t", name, got, ok)
		}
	}
}
