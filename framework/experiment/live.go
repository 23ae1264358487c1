package experiment

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// Live is the state of a running burst.
type Live struct {
	// Label says which burst it is: "profile tuned, burst 2 of 3".
	Label string
	// Counts are its pods by how far they have come.
	Counts watch.Counts
	// Elapsed is the time since the Job was submitted.
	Elapsed time.Duration
}

// String is one line for people.
func (l Live) String() string {
	return fmt.Sprintf("%s: %.1f s, of %d pods %d created, %d scheduled, %d running, %d ready",
		l.Label, l.Elapsed.Seconds(), l.Counts.Expected, l.Counts.Seen, l.Counts.Scheduled, l.Counts.Running, l.Counts.Ready)
}

// describe says in a few words how a burst ended; its numbers are the reports' work.
func describe(b recording.Burst) string {
	took := b.End.Sub(b.Submit).Seconds()
	switch b.EndReason {
	case recording.EndAllReady:
		return fmt.Sprintf("all %d pods ready, recorded after %.1f s", b.Pods, took)
	case recording.EndDeadline:
		return fmt.Sprintf("not all of %d pods were ready within %.0f s", b.Pods, b.DeadlineSeconds)
	}
	return fmt.Sprintf("ended as %s after %.1f s", b.EndReason, took)
}
