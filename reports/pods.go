package reports

import (
	"encoding/json"
	"io"
	"time"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Timeline returns what Bursts[i] was computed from, read-only. It is nil for a report read
// from report.json, which holds no individual pods.
func (r *Report) Timeline(i int) *timeline.Timeline {
	if i < 0 || i >= len(r.timelines) {
		return nil
	}
	return &r.timelines[i]
}

// Duration returns how long a phase of p, a pod of Timeline(i), took as the statistics
// count it: for pod_startup, without what its SLI leaves out. See timeline.Pod.Duration.
func (r *Report) Duration(i int, p *timeline.Pod, ph timeline.Phase) (d time.Duration, from, to timeline.Stamp, ok bool) {
	d, from, to, ok = p.Duration(ph)
	if ok && i >= 0 && i < len(r.subtracted) {
		d = startup(ph, d, r.subtracted[i][p.UID])
	}
	return d, from, to, ok
}

// podLine is one line of pods.jsonl: a pod's life, for people and for jq. It is derived
// data and is never read back.
type podLine struct {
	UID         string                      `json:"uid"`
	Name        string                      `json:"name"`
	Node        string                      `json:"node,omitempty"`
	Outcome     timeline.Outcome            `json:"outcome"`
	Restarts    int                         `json:"restarts,omitempty"`
	Deleted     bool                        `json:"deleted,omitempty"`
	Late        bool                        `json:"late,omitempty"`
	Replacement bool                        `json:"replacement,omitempty"`
	Phases      map[string]stats.Seconds    `json:"phases"`
	Marks       map[timeline.Mark][]podMark `json:"marks"`
}

type podMark struct {
	At                time.Time       `json:"at"`
	Source            timeline.Source `json:"source"`
	ResolutionSeconds stats.Seconds   `json:"resolutionSeconds"`
	SinceSeconds      stats.Seconds   `json:"sinceSeconds,omitempty"`
}

// WritePods writes pods.jsonl of Bursts[i]. It writes nothing if Timeline is nil.
func (r *Report) WritePods(w io.Writer, i int) error {
	t := r.Timeline(i)
	if t == nil {
		return nil
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for j := range t.Pods {
		p := &t.Pods[j]
		line := podLine{
			UID: p.UID, Name: p.Name, Node: p.Node, Outcome: p.Outcome, Restarts: p.Restarts,
			Deleted: p.Deleted, Late: p.Late, Replacement: p.Replacement,
			Phases: podPhases(p, r.subtracted[i][p.UID]), Marks: map[timeline.Mark][]podMark{},
		}
		for m, stamps := range p.Marks {
			for _, s := range stamps {
				line.Marks[timeline.Mark(m)] = append(line.Marks[timeline.Mark(m)], podMark{
					At: s.At, Source: s.Source, ResolutionSeconds: stats.SecondsOf(s.Resolution), SinceSeconds: stats.SecondsOf(s.Since),
				})
			}
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
