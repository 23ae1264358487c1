package recording

import (
	"slices"
	"time"
)

// Passive is what there is to know of a burst that others sent: podburst submitted
// nothing, and saw pods come that match a selector.
type Passive struct {
	// Selector is the label selector of the pods, as kubectl takes it.
	Selector string `json:"selector"`
	// Began is the observer's clock when observing began. Pods that matched
	// before are left out; Existing is how many there were.
	Began    time.Time `json:"began"`
	Existing int       `json:"existing"`
	// Wanted is how many pods were waited for; 0: as many as came.
	Wanted int `json:"wanted"`
	// SettleSeconds is for how long nothing may change before the burst counts as over.
	SettleSeconds float64 `json:"settleSeconds"`
	// EventsUnavailable says why no Events could be watched: image pulls cannot
	// be told then. NodesUnavailable says why no nodes could. Empty where they were.
	EventsUnavailable string `json:"eventsUnavailable,omitempty"`
	NodesUnavailable  string `json:"nodesUnavailable,omitempty"`
}

// Began is when the burst began by the observer's clock: its submission, or for a
// passive burst when observing began.
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
