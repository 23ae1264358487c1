package causes

import (
	"fmt"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/internal/span"
)

// Burst is a burst of the lab with what podburst says of it.
type Burst struct {
	Cause *Cause
	// Dir is the run's folder.
	Dir      string
	Note     BurstNote
	Recorded recording.Burst
	Profile  recording.Profile
	Timeline timeline.Timeline
	Analysis station.Analysis
	// Processors are those of the machine; 0: not known.
	Processors int
}

// Read reads the bursts of a recording, without warm-ups, and analyzes them.
func Read(dir string) ([]Burst, error) {
	note, err := ReadNote(dir)
	if err != nil {
		return nil, err
	}
	run, err := recording.Read(dir)
	if err != nil {
		return nil, err
	}
	return Judge(dir, run, note)
}

// Judge analyzes the bursts of a run that the note names.
func Judge(dir string, run recording.Run, note Note) ([]Burst, error) {
	var all []Burst
	for _, n := range note.Bursts {
		cause := Named(n.Cause)
		if cause == nil {
			return nil, fmt.Errorf("judge %s: the lab has no cause %q any more", dir, n.Cause)
		}
		i := slices.IndexFunc(run.Bursts, func(b recording.Burst) bool { return !b.Warmup && b.Profile == n.Profile && b.Index == n.Index })
		if i < 0 {
			continue // it was not recorded
		}
		b := Burst{Cause: cause, Dir: dir, Note: n, Recorded: run.Bursts[i], Processors: processors(run)}
		b.Profile, _ = run.Profile(n.Profile)
		b.Timeline = timeline.Build(b.Recorded)
		b.Analysis = station.Analyze(b.Recorded, b.Timeline, b.Profile, b.Processors)
		all = append(all, b)
	}
	return all, nil
}

// Makespan is 0 where not every pod became ready.
func (b *Burst) Makespan() time.Duration {
	d, _ := b.Timeline.Makespan()
	return d
}

// First is the station that podburst names first; nil if it explains nothing.
func (b *Burst) First() *station.Station {
	if b.Cause.observed() {
		return b.observer()
	}
	if b.Analysis.MakespanSeconds == nil || len(b.Analysis.Stations) == 0 {
		return nil
	}
	first := &b.Analysis.Stations[0]
	if first.Part.Seconds <= 0 && first.Station != station.Processors {
		return nil
	}
	return first
}

// observed: the cause is none of the makespan but of the phase that follows it.
func (c *Cause) observed() bool { return c.Names[0].Station == station.ObserverWatch }

// observer is the observer's watch if it is said to have held run_to_observed for most of
// what it was held back, nil otherwise.
func (b *Burst) observer() *station.Station {
	for i := range b.Analysis.Stations {
		if st := &b.Analysis.Stations[i]; st.Station == station.ObserverWatch && seconds(st.Held.HighSeconds) >= WatchDelay/2 {
			return st
		}
	}
	return nil
}

// Right tells whether the station that comes first is the cause. Where nothing was
// injected, it is enough that what is not explained comes first.
func (b *Burst) Right() bool {
	first := b.First()
	if b.Cause.Name == Nothing && b.Analysis.MakespanSeconds != nil && (first == nil || b.Analysis.NotExplainedSeconds >= first.Part.Seconds && first.Station != station.Processors) {
		return true
	}
	return first != nil && slices.ContainsFunc(b.Cause.Names, func(p Place) bool {
		return p.Station == first.Station && (p.Component == "" || string(p.Component) == first.Component)
	})
}

// Nothing is the name of the cause that is none.
const Nothing = "nothing"

// Held is what the cause's own station is said to have held its phase, and whether that
// contains what was injected; known is false where the amount is not known.
func (b *Burst) Held() (low, high time.Duration, contains, known bool) {
	for i := range b.Analysis.Stations {
		st, place := &b.Analysis.Stations[i], b.Cause.Names[0]
		if st.Station != place.Station || place.Component != "" && st.Component != string(place.Component) {
			continue
		}
		low, high = seconds(st.Held.LowSeconds), seconds(st.Held.HighSeconds)
		if b.Cause.Amount == nil {
			return low, high, false, false
		}
		amount, ok := b.Cause.Amount(b)
		return low, high, ok && st.Known && amount.meets(low, high), ok
	}
	return 0, 0, false, b.Cause.Amount != nil
}

// Accounted is the part of the makespan that known stations account for, from 0 to 1.
func (b *Burst) Accounted() float64 {
	if b.Analysis.MakespanSeconds == nil {
		return 0
	}
	return 1 - float64(b.Analysis.NotExplainedSeconds / *b.Analysis.MakespanSeconds)
}

// Useless are advices that would gain nothing: to raise a limit that is no cause.
func (b *Burst) Useless() []string {
	var all []string
	for _, st := range b.Analysis.Stations {
		right := b.Note.Injected && b.Cause.Limiter != "" && st.Component == string(b.Cause.Limiter)
		if st.Station == station.ClientLimiter && st.Advice != "" && !right {
			all = append(all, st.Advice)
		}
	}
	return all
}

// Predicted is what lifting the cause would gain; ok is false where the replay cannot tell.
func (b *Burst) Predicted() (p station.Prediction, ok bool) {
	if b.Cause.WhatIf == nil {
		return p, false
	}
	p = station.WhatIf(&b.Analysis, *b.Cause.WhatIf)
	return p, p.Known
}

// Others is what part of the machine's processors programs used that are neither of the
// cluster nor podburst's, from 0 to 1: what the lab cannot keep away. ok is false without
// samples.
func (b *Burst) Others() (share float64, ok bool) {
	machine, own := time.Duration(0), time.Duration(0)
	window := span.Span{From: b.Recorded.Submit, To: b.Recorded.Submit.Add(b.Makespan())}
	seen := map[string]bool{}
	for _, s := range b.Recorded.Usage {
		if seen[s.Account] {
			continue
		}
		seen[s.Account] = true
		used := usage.Within(b.Recorded.Usage, s.Account, window)
		if s.Account == recording.AccountMachine {
			machine = used.CPU
		} else {
			own += used.CPU
		}
	}
	all := time.Duration(b.Processors) * window.Length()
	if machine == 0 || all <= 0 {
		return 0, false
	}
	return max(0, machine-own).Seconds() / all.Seconds(), true
}

// Said is what Analyze says first, for the list of failures.
func (b *Burst) Said() string {
	if len(b.Analysis.Sentences) == 0 {
		return "nothing"
	}
	return b.Analysis.Sentences[0]
}

func seconds(s stats.Seconds) time.Duration { return time.Duration(float64(s) * float64(time.Second)) }

// String is one line for people who look for what went wrong.
func (b *Burst) String() string {
	line := fmt.Sprintf("%s injected=%t makespan %s, accounted %.3f:", b.Recorded.OrderName(), b.Note.Injected, b.Makespan(), b.Accounted())
	for i := range b.Analysis.Stations {
		if st := &b.Analysis.Stations[i]; i < 4 {
			line += fmt.Sprintf(" %s %s %s", st.Component, st.Station, st.Part.Seconds)
			if st.Follows != "" {
				line += " (follows " + string(st.Follows) + ")"
			}
			line += ";"
		}
	}
	if !b.Note.Injected {
		return line
	}
	low, high, contains, known := b.Held()
	line += fmt.Sprintf(" held %s to %s", low, high)
	if known {
		a, _ := b.Cause.Amount(b)
		line += fmt.Sprintf(", injected %s to %s, contained %t", a.Low, a.High, contains)
	}
	if p, ok := b.Predicted(); ok {
		line += fmt.Sprintf("; gain %s to %s", p.GainLowSeconds, p.GainHighSeconds)
	} else if b.Cause.WhatIf != nil {
		line += "; gain: " + p.UnknownReason
	}
	return line
}
