package recording

import (
	"slices"
	"time"
)

// Passive is a burst that others sent: podburst submitted nothing and watched the pods
// that match a selector.
type Passive struct {
	// Selector is the label selector of the pods, as kubectl takes it.
	Selector string `json:"selector"`
	// Began is when observing began, by the observer's clock. Pods that matched before are
	// left out.
	Began time.Time `json:"began"`
	// Existing is how many pods matched before and were left out.
	Existing int `json:"existing"`
	// Wanted is how many pods were waited for; 0 means as many as came.
	Wanted int `json:"wanted"`
	// SettleSeconds is how long nothing had to change before the burst counted as over.
	SettleSeconds float64 `json:"settleSeconds"`
	// EventsUnavailable says why Events could not be watched, without which image pulls
	// cannot be told. Empty if they were watched.
	EventsUnavailable string `json:"eventsUnavailable,omitempty"`
	// NodesUnavailable says why nodes could not be watched. Empty if they were.
	NodesUnavailable string `json:"nodesUnavailable,omitempty"`
}

// Began is when the burst began by the observer's clock: its submission, or, for a
// passive burst, the start of observing.
func (b Burst) Began() time.Time {
	if b.Passive != nil {
		return b.Passive.Began
	}
	return b.Submit
}

// Passive tells whether the run observed bursts that others sent.
func (r Run) Passive() bool {
	return slices.ContainsFunc(r.Bursts, func(b Burst) bool { return b.Passive != nil })
}
