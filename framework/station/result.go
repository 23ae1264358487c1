package station

import (
	"time"

	"github.com/podburst/podburst/framework/stats"
)

// Analysis is what a recording says of where a burst's pods waited.
type Analysis struct {
	// MakespanSeconds is the time from submit to the last pod ready; null where not
	// every pod became ready or nobody knows when the burst was submitted.
	MakespanSeconds *stats.Seconds `json:"-"` // report.json has it as the burst's
	// TailPods is over the way of how many of the last pods to become ready the makespan
	// is split: a twentieth of all, because one pod alone may be an accident.
	TailPods int `json:"tailPods"`
	// Stations are in order of what they and those that follow them account for.
	Stations []Station `json:"stations"`
	// NotExplainedSeconds is what is left of the makespan when the parts of all known
	// stations are taken off.
	NotExplainedSeconds stats.Seconds `json:"notExplainedSeconds"`
	// Sentences say it for people, the main reason first.
	Sentences []string `json:"sentences"`

	parts        map[id]time.Duration
	bounds, held map[id]interval
	rest         time.Duration
	model        *model
	loads        map[id][]float64 // see Strips
}

// Station is one station during a burst. Times are in seconds.
type Station struct {
	// Station is its name: "client-limiter", "status-manager".
	Station Name `json:"station"`
	// Component is where it is: "kube-scheduler", or "kubelet" for all of them together.
	// Absent for the machine's processors and the observer.
	Component string `json:"component,omitempty"`
	// Phase is the one that it can hold up; it is "all" for what every write passes.
	Phase string `json:"phase"`
	// Known is false where it could not be told what it served and how long work waited
	// there; an unknown station is never called innocent.
	Known bool `json:"known"`
	// UnknownReason says why it is not known. Absent where it is.
	UnknownReason string `json:"unknownReason,omitempty"`
	// Absent is true where the cluster has no such station: a client without a limiter.
	Absent bool `json:"absent,omitempty"`
	// Served is how many times it served the burst.
	Served int `json:"served"`
	// BusyShare is for how much of its phase's window it was serving, or for a limiter
	// for how much of it some request waited, from 0 to 1; null where that is unknown.
	BusyShare *float64 `json:"busyShare"`
	// Held is for how much of its phase pods waited for it or were served by it, as the
	// mean over the twentieth of the pods of which the phase took longest. It never exceeds
	// the phase.
	Held Range `json:"held"`
	// Part is the part of the makespan that is accounted to it. A station can hold a phase
	// up and not the makespan: pods that are created first may be ready last.
	Part Part `json:"part"`
	// Follows is the station because of which pods wait here. Absent for a reason of its
	// own.
	Follows Name `json:"follows,omitempty"`
	// FollowsComponent is where that station is. Absent where Component would be.
	FollowsComponent string `json:"followsComponent,omitempty"`
	// Gain is by how much the makespan would be shorter without the station, by a replay
	// of the burst; null where no replay can tell.
	Gain *Range `json:"gain"`
	// Advice is what to set. Absent where no replay predicts that it helps.
	Advice string `json:"advice,omitempty"`
	// Evidence are the observations behind it, one a sentence.
	Evidence []string `json:"evidence"`

	id id
}

// Range is a time between two bounds.
type Range struct {
	// LowSeconds is the least that it can be.
	LowSeconds stats.Seconds `json:"lowSeconds"`
	// HighSeconds is the most that it can be.
	HighSeconds stats.Seconds `json:"highSeconds"`
}

// Part is a part of the makespan, and the bounds that it lies in.
type Part struct {
	// Seconds is what is taken for it; the parts of all stations and what is not explained
	// add up to the makespan.
	Seconds stats.Seconds `json:"seconds"`
	Range
}

// interval is a length of time between two bounds.
type interval struct{ low, high time.Duration }

func (i interval) clamp(d time.Duration) time.Duration { return min(max(d, i.low), i.high) }
func (i interval) middle() time.Duration               { return i.low + (i.high-i.low)/2 }

// bounds are those of the interval. A lower one that nobody could have measured is none.
func (i interval) bounds() Range {
	r := Range{stats.SecondsOf(i.low), stats.SecondsOf(i.high)}
	if r.LowSeconds < shortest {
		r.LowSeconds = 0
	}
	return r
}

func (i interval) plus(o interval) interval { return interval{i.low + o.low, i.high + o.high} }
