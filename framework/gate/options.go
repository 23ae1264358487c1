package gate

import "fmt"

const (
	// DefaultAlpha is Options.Alpha unless set.
	DefaultAlpha = 0.05
	// MaxEndpoints is how many endpoints are judged together; each further one costs
	// all of them power.
	MaxEndpoints = 4

	leastPaired   = 6
	leastUnpaired = 4

	// firstShare is the first of two looks' part of alpha. The parts' sum bounds the
	// risk of both together, whatever their correlation. At 8 blocks a p-value is a
	// multiple of 1/256: 0.04 allows what 0.05 does, alone (10/256) and at every step
	// of Holm's method for three endpoints (3/256, 5/256, 10/256), so the chance to
	// extend costs the first look nothing. At 16 the remaining 0.01 is plenty.
	firstShare = 0.8
)

// check fills in defaults.
func (o *Options) check(looks, least int) error {
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Looks == 0 {
		o.Looks = looks
	}
	if o.Look == 0 {
		o.Look = 1
	}
	if o.MinBlocks == 0 {
		o.MinBlocks = least
	}
	switch {
	case !(o.Alpha > 0 && o.Alpha < 0.5):
		return fmt.Errorf("judge: alpha is %v; choose a risk above 0 and below 0.5", o.Alpha)
	case o.Looks < 1 || o.Looks > 2:
		return fmt.Errorf("judge: %d looks; a run is judged once, or extended once and judged twice", o.Looks)
	case o.Look < 1 || o.Look > o.Looks:
		return fmt.Errorf("judge: look %d of %d; every look must be planned before the first", o.Look, o.Looks)
	case o.MinBlocks < least:
		return fmt.Errorf("judge: at least %d blocks asked for; fewer than %d cannot be judged", o.MinBlocks, least)
	}
	return nil
}

// share is the look's part of alpha.
func (o Options) share(look int) float64 {
	switch {
	case o.Looks == 1:
		return o.Alpha
	case look == 1:
		return o.Alpha * firstShare
	}
	return o.Alpha * (1 - firstShare)
}
