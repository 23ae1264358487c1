package experiment

import (
	"fmt"

	"github.com/podburst/podburst/framework/recording"
)

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
