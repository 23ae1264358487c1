package experiment

import (
	"fmt"

	"github.com/podburst/podburst/framework/recording"
)

// describe says in a few words how a burst ended; numbers are left to the reports.
func describe(b recording.Burst) string {
	took := b.End.Sub(b.Began()).Seconds()
	switch b.EndReason {
	case recording.EndAllReady:
		return fmt.Sprintf("all %d pods ready, recorded after %.1f s", b.Pods, took)
	case recording.EndSettled:
		return fmt.Sprintf("%d pods came, and nothing has changed for %.0f s, recorded after %.1f s", b.Pods, b.Passive.SettleSeconds, took)
	case recording.EndDeadline:
		if len(b.Watch) == 0 {
			return fmt.Sprintf("no pod came within %.0f s", b.DeadlineSeconds)
		}
		return fmt.Sprintf("not all of %d pods were ready within %.0f s", b.Pods, b.DeadlineSeconds)
	}
	return fmt.Sprintf("ended as %s after %.1f s", b.EndReason, took)
}
