package progress

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/podburst/podburst/framework/experiment"
)

// Event is one line of mode JSON. Later versions may add fields, but none changes its
// meaning. An absent field is not known, or has no meaning for the event. docs/progress.md
// lists which event has which.
type Event struct {
	// Time is when it was written: 2026-11-29T18:48:18.123Z, always in UTC.
	Time string `json:"time"`
	// Event is one of run-start, cluster-ready, burst-start, burst-progress,
	// burst-end, step, error and run-end.
	Event string `json:"event"`
	// Message is a sentence for people. All but burst-progress and run-end have one.
	Message string `json:"message,omitempty"`

	// Run and Dir are the run's ID and folder.
	Run string `json:"run,omitempty"`
	Dir string `json:"dir,omitempty"`

	// Profile is the burst's or the cluster's. Burst is its number from 1 among the
	// Bursts planned for the profile (absent: a warm-up), Block its block.
	Profile string `json:"profile,omitempty"`
	Burst   int    `json:"burst,omitempty"`
	Bursts  int    `json:"bursts,omitempty"`
	Block   int    `json:"block,omitempty"`
	Warmup  bool   `json:"warmup,omitempty"`
	Pods    *Pods  `json:"pods,omitempty"`
	// ElapsedSeconds is the time since the burst's submission; of cluster-ready, what
	// the cluster took.
	ElapsedSeconds *float64 `json:"elapsedSeconds,omitempty"`
	// FloorSeconds is the least time in which kube-controller-manager's limiter lets
	// the creations through; EndsInSeconds an estimate of the time that is left.
	FloorSeconds  *float64 `json:"floorSeconds,omitempty"`
	EndsInSeconds *float64 `json:"endsInSeconds,omitempty"`
	// EndReason is why the burst ended, as in the recording: all-ready, deadline, …
	EndReason string `json:"endReason,omitempty"`

	// Verdict and ExitCode are the report's. A command whose answer is not the verdict
	// (calibrate, self-test, sweep) may exit with another code.
	Verdict  string `json:"verdict,omitempty"`
	ExitCode *int   `json:"exitCode,omitempty"`
}

// Pods counts a burst's pods by how far they have come. Each field counts all pods that
// came at least that far, except that Ready counts those that are Ready now.
type Pods struct {
	// Wanted is absent where nobody knows (podburst observe without --pods).
	Wanted    int `json:"wanted,omitempty"`
	Created   int `json:"created"`
	Scheduled int `json:"scheduled"`
	Running   int `json:"running"`
	Ready     int `json:"ready"`
	Failed    int `json:"failed"`
}

// jsonView writes events.
type jsonView struct {
	out *screen
	// told is when the burst with that label was last reported.
	label string
	told  time.Duration
	// rest is the unfinished line of text that others wrote.
	rest []byte
}

func (v *jsonView) step(s experiment.Step) {
	e := Event{Event: "step", Message: s.Message, Run: s.Run, Dir: s.Dir, EndReason: string(s.EndReason)}
	if s.Kind != "" {
		e.Event = string(s.Kind)
	}
	switch s.Kind {
	case experiment.BurstStart, experiment.BurstEnd:
		v.label = ""
		e.burst(s.State)
	case experiment.ClusterReady:
		e.Profile, e.ElapsedSeconds = s.State.Profile, milliseconds(s.State.Elapsed)
	}
	v.write(e)
}

func (v *jsonView) live(l experiment.Live, left *time.Duration) {
	if l.Label == v.label && l.Elapsed >= v.told && l.Elapsed-v.told < time.Second {
		return
	}
	v.label, v.told = l.Label, l.Elapsed
	e := Event{Event: "burst-progress"}
	e.burst(l)
	if left != nil {
		e.EndsInSeconds = milliseconds(left.Round(100 * time.Millisecond))
	}
	v.write(e)
}

// text makes each line a step.
func (v *jsonView) text(b []byte) {
	v.rest = append(v.rest, b...)
	for {
		line, rest, ended := bytes.Cut(v.rest, []byte("\n"))
		if !ended {
			return
		}
		v.rest = rest
		if text := strings.TrimPrefix(string(line), prefix); strings.TrimSpace(text) != "" {
			v.write(Event{Event: "step", Message: text})
		}
	}
}

func (v *jsonView) fail(message string) { v.write(Event{Event: "error", Message: message}) }

func (v *jsonView) end(verdict string, code int) {
	v.write(Event{Event: "run-end", Verdict: verdict, ExitCode: &code})
}

func (v *jsonView) write(e Event) {
	e.Time = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	line, err := json.Marshal(e)
	if err != nil { // no field can cause this
		line = []byte(`{"event":"error","message":"an event could not be encoded"}`)
	}
	v.out.line(string(line))
}

func (e *Event) burst(l experiment.Live) {
	e.Profile, e.Block, e.Warmup = l.Profile, l.Block, l.Warmup
	if !l.Warmup {
		e.Burst, e.Bursts = l.Index, l.Bursts
	}
	c := l.Counts
	e.Pods = &Pods{Wanted: l.Pods, Created: c.Seen, Scheduled: c.Scheduled, Running: c.Running, Ready: c.Ready, Failed: c.Failed}
	e.ElapsedSeconds = milliseconds(l.Elapsed)
	if l.Floor != nil {
		e.FloorSeconds = milliseconds(*l.Floor)
	}
}

// milliseconds is d in seconds, rounded to avoid the noise of binary fractions.
func milliseconds(d time.Duration) *float64 {
	s := math.Round(d.Seconds()*1000) / 1000
	return &s
}
