package specimen

import "testing"

func TestNamedRunsAreValid(t *testing.T) {
	for _, name := range []string{Hostile, "default"} {
		r := Build(t, Named(name))
		if len(r.Bursts) != 1 || !r.Bursts[0].Valid {
			t.Errorf("%q: %+v", name, r.Bursts[0].InvalidReasons)
		}
	}
}
