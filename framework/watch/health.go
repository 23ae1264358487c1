package watch

import (
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/procfs"
)

// tally holds counts since the watcher's start; a window's are the difference of two.
type tally struct {
	requests              requests
	events, late, dropped int
	cpu                   time.Duration
}

func (w *Watcher) tallyLocked() tally {
	now := w.tally
	now.dropped += w.events.droppedCount()
	now.requests = w.requests.counts(podsResource)
	now.cpu, _ = procfs.SelfCPU()
	return now
}

// Health is how the watcher has fared since its start. Lists and watches are those of
// pods; nodes and Events are evidence and may be listed again.
func (w *Watcher) Health() recording.WatchHealth {
	w.mu.RLock()
	delay := w.maxDelay
	w.mu.RUnlock()
	return w.health(tally{}, delay)
}

func (w *Watcher) health(before tally, maxDelay time.Duration) recording.WatchHealth {
	w.mu.RLock()
	now := w.tallyLocked()
	w.mu.RUnlock()
	broken := now.requests.errors - before.requests.errors
	if before.requests.down {
		broken++ // it was down when the window began
	}
	return recording.WatchHealth{
		Lists:               now.requests.lists - before.requests.lists,
		StreamingLists:      now.requests.streamingLists - before.requests.streamingLists,
		Watches:             now.requests.watches - before.requests.watches,
		WatchErrors:         broken,
		Throttled:           now.requests.throttled - before.requests.throttled,
		Relists:             now.requests.relists - before.requests.relists,
		Events:              now.events - before.events,
		Late:                now.late - before.late,
		Dropped:             now.dropped - before.dropped,
		MaxDelaySeconds:     maxDelay.Seconds(),
		CPUSeconds:          (now.cpu - before.cpu).Seconds(),
		TotalLists:          now.requests.lists,
		TotalStreamingLists: now.requests.streamingLists,
		TotalWatches:        now.requests.watches,
	}
}
