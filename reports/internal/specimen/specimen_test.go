package specimen

import "testing"

// A specimen that is accidentally invalid would leave the formats without a burst.
func TestSpecimensAreWhatTheySay(t *testing.T) {
	invalid := map[string]bool{"all invalid": true, "nothing seen": true, "hostile faults": true, "zero bursts": true}
	for name, r := range Extremes(t) {
		valid := 0
		for i := range r.Bursts {
			if b := &r.Bursts[i]; b.Valid && !b.Warmup {
				valid++
			}
		}
		if invalid[name] != (valid == 0) {
			t.Errorf("%s has %d valid bursts", name, valid)
		}
	}
}
