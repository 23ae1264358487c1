package burst

import "time"

// Reading is one reading of both of the observer's clocks at the same instant.
type Reading struct {
	// Wall is the wall clock, in UTC, without a monotonic part.
	Wall time.Time
	// Monotonic is the time since some fixed instant; it never steps.
	Monotonic time.Duration
}

// Clock reads the clocks.
type Clock func() Reading

// SystemClock reads the system's clocks.
func SystemClock() Clock {
	start := time.Now()
	return func() Reading {
		now := time.Now()
		return Reading{Wall: now.Round(0).UTC(), Monotonic: now.Sub(start)}
	}
}

func (c Clock) wall() time.Time { return c().Wall }

// step is how far the wall clock moved against the monotonic one.
func step(from, to Reading) time.Duration {
	return to.Wall.Sub(from.Wall) - (to.Monotonic - from.Monotonic)
}
