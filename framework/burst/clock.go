package burst

import "time"

// Reading is one reading of the observer's clocks, both at the same instant.
type Reading struct {
	// Wall is the wall clock, in UTC and without a monotonic part.
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

// wall reads the wall clock alone.
func (c Clock) wall() time.Time { return c().Wall }

// step is by how much the wall clock moved against the monotonic one.
func step(from, to Reading) time.Duration {
	return to.Wall.Sub(from.Wall) - (to.Monotonic - from.Monotonic)
}
