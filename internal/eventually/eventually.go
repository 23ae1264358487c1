// Package eventually waits for what sends no signal. It is for tests only.
package eventually

import (
	"testing"
	"time"
)

// Within is how long True waits. It only ends a hanging test: a slow machine
// must not fail one.
const Within = time.Minute

// True asks until the condition holds, and ends the test if it does not Within that time.
func True(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(Within)
	for !condition() {
		select {
		case <-deadline:
			t.Fatalf("%s: not within %s", what, Within)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
