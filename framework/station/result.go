package station

import "time"

// Analysis is what a recording says of where a burst's pods waited.
type Analysis struct {
	// MakespanSeconds is the time from submit to the last pod ready; null where not
	// every pod became ready or nobody knows when the burst was submitted.
	MakespanSeconds *float64 `json:"makespanSeconds"`
	// TailPods are the last pods to become ready, a twentieth of all, over whose way the
	// makespan is split: one pod alone may be an accident.
	TailPods int `json:"tailPods"`
	// Stations are in order of what they and those that follow them account for. Their
	// PartSeconds and NotExplainedSeconds add up to MakespanSeconds.
	Stations            []Station `json:"stations"`
	NotExplainedSeconds float64   `json:"notExplainedSeconds"`
	// Sentences say it for people, the main reason first.
	Sentences []string `json:"sentences"`

	parts        map[id]time.Duration
	bounds, held map[id]interval
	rest         time.Duration
	model        *model
}

// Station is one station during a burst. Times are in seconds.
type Station struct {
	Station Name `json:"station"`
	// Component is where it is: "kube-scheduler", "kubelet" (all of them together);
	// empty for the machine and the observer.
	Component string `json:"component,omitempty"`
	// Phase is the one that it can hold up; "all" for what every write passes.
	Phase string `json:"phase"`
	// Known is false where what it served and how long work waited there could not be
	// told; UnknownReason says why. An unknown station is never called innocent.
	Known         bool   `json:"known"`
	UnknownReason string `json:"unknownReason,omitempty"`
	// Absent: the cluster has no such station (a client without a limiter).
	Absent bool `json:"absent,omitempty"`
	// Served is how many times it served the burst.
	Served int `json:"served"`
	// BusyShare is for how much of its phase's window it was serving, or for a limiter
	// for how much of it some request waited, from 0 to 1 (utilization law); null where unknown.
	BusyShare *float64 `json:"busyShare"`
	// HeldLowSeconds and HeldHighSeconds bound for how much of its phase it was what pods
	// waited for or were served by: the mean over the twentieth of the pods of which the
	// phase took longest. Both ends are measured, and neither exceeds the phase.
	HeldLowSeconds  float64 `json:"heldLowSeconds"`
	HeldHighSeconds float64 `json:"heldHighSeconds"`
	// PartSeconds is the part of the makespan that is accounted to it, between
	// PartLowSeconds and PartHighSeconds. A phase can take long and hold nothing up: pods
	// that are created first may be ready last.
	PartSeconds     float64 `json:"partSeconds"`
	PartLowSeconds  float64 `json:"partLowSeconds"`
	PartHighSeconds float64 `json:"partHighSeconds"`
	// Follows is the station because of which pods wait here; empty for a reason of its own.
	Follows Name `json:"follows,omitempty"`
	// GainLowSeconds and GainHighSeconds bound by how much shorter the makespan would be
	// without the station, by a replay of the burst; null where no replay can tell.
	GainLowSeconds  *float64 `json:"gainLowSeconds"`
	GainHighSeconds *float64 `json:"gainHighSeconds"`
	// Advice is what to set, where the replay predicts that it helps.
	Advice string `json:"advice,omitempty"`
	// Evidence are the observations behind it, one a sentence.
	Evidence []string `json:"evidence"`

	id, leader id
}

// interval is a length of time between two bounds.
type interval struct{ low, high time.Duration }

func (i interval) clamp(d time.Duration) time.Duration { return min(max(d, i.low), i.high) }
func (i interval) middle() time.Duration               { return i.low + (i.high-i.low)/2 }

func (i interval) plus(o interval) interval { return interval{i.low + o.low, i.high + o.high} }
