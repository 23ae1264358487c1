package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/nearest"
)

// Question is what a person wants to have explained of a run.
type Question struct {
	// Profile is the name of a profile. Default: all of them.
	Profile string
	// Burst is the number of a burst. Default: of each profile the valid one with the
	// median makespan.
	Burst int
	// Limits, Without and Faster are a change whose effect is to be predicted (station.ParseScenario).
	// Default: none.
	Limits          string
	Without, Faster []string
}

// Explained is the answer: where the time of each burst went, and what a change would do.
type Explained struct {
	// Run is the id of the run.
	Run string `json:"run"`
	// Bursts are those that were asked for.
	Bursts []ExplainedBurst `json:"bursts"`
}

// ExplainedBurst is one burst of the answer.
type ExplainedBurst struct {
	// Profile and Burst name it.
	Profile string `json:"profile"`
	Burst   int    `json:"burst"`
	// Valid is false where the burst cannot be trusted, and neither can its explanation.
	Valid bool `json:"valid"`
	// MakespanSeconds is the burst's; null where it has none.
	MakespanSeconds *stats.Seconds `json:"makespanSeconds"`
	station.Analysis
	// WhatIf is what a replay predicts; null where none was asked for.
	WhatIf *WhatIf `json:"whatIf"`

	which string
}

// WhatIf is a change and what a replay of the burst predicts for it.
type WhatIf struct {
	// Change says in words what is changed.
	Change string `json:"change"`
	station.Prediction
}

// Explain answers a question about a recorded run.
func Explain(run recording.Run, q Question) (Explained, error) {
	r, err := Build(run, nil)
	if err != nil {
		return Explained{}, err
	}
	names := r.ProfileNames()
	if q.Profile != "" {
		if !slices.Contains(names, q.Profile) {
			return Explained{}, fmt.Errorf("explain run %s: no profile %q%s", r.Run.ID, q.Profile, nearest.Hint(q.Profile, "profiles", names))
		}
		names = []string{q.Profile}
	}
	e := Explained{Run: r.Run.ID, Bursts: []ExplainedBurst{}}
	for _, name := range names {
		i, which, err := r.asked(name, q.Burst)
		if err != nil {
			if len(names) > 1 && q.Burst == 0 {
				continue // another profile may have what was asked for
			}
			return Explained{}, fmt.Errorf("explain run %s: %w", r.Run.ID, err)
		}
		b := &r.Bursts[i]
		one := ExplainedBurst{Profile: name, Burst: b.Index, Valid: b.Valid, MakespanSeconds: b.Analysis.MakespanSeconds, Analysis: b.Analysis, which: which}
		if q.Limits != "" || len(q.Without)+len(q.Faster) > 0 {
			effective := clusters.Effective{}
			if p := r.Profile(name); p != nil {
				effective = p.Effective
			}
			scenario, err := station.ParseScenario(q.Limits, q.Without, q.Faster, effective)
			if err != nil {
				return Explained{}, err
			}
			one.WhatIf = &WhatIf{Change: scenario.String(), Prediction: station.WhatIf(&b.Analysis, scenario)}
		}
		e.Bursts = append(e.Bursts, one)
	}
	if len(e.Bursts) == 0 {
		return Explained{}, fmt.Errorf("explain run %s: it has no valid burst; name one with --profile and --burst to look at it all the same", r.Run.ID)
	}
	return e, nil
}

// asked is the burst of a profile that a question is about: by its number, or the one with
// the median makespan. which says which one it is.
func (r *Report) asked(profile string, number int) (i int, which string, err error) {
	if number == 0 {
		valid := r.valid(profile)
		if i = r.MedianBurst(valid); i < 0 {
			return 0, "", fmt.Errorf("profile %q has no valid burst; name one with --burst to look at it all the same", profile)
		}
		if len(valid) > 1 {
			which = fmt.Sprintf(" (the median makespan of %d valid bursts)", len(valid))
		}
		return i, which, nil
	}
	var numbers []string
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Profile != profile || b.Warmup {
			continue
		}
		if b.Index == number {
			return i, "", nil
		}
		numbers = append(numbers, strconv.Itoa(b.Index))
	}
	return 0, "", fmt.Errorf("profile %q has no burst %d; it has %s", profile, number, humanize.OrDash(strings.Join(numbers, ", ")))
}

// Document is the answer for people.
func (e *Explained) Document() *document.Document {
	d := &document.Document{Title: "podburst explain", Origin: []string{"run " + e.Run}}
	for i := range e.Bursts {
		b := &e.Bursts[i]
		of := fmt.Sprintf("%s, burst %d", humanize.Shorten(b.Profile, 100), b.Burst)
		s := document.Section{ID: "burst-" + strconv.Itoa(i+1), Heading: "Profile " + of + b.which}
		if !b.Valid {
			s.Text("This burst is INVALID: do not trust what it seems to say. podburst report says why.")
		}
		s.Table(StationTable(&b.Analysis, ""))
		s.List(b.Sentences)
		s.Subheading("What was seen")
		s.List(b.seen())
		d.Add(s)
		if b.WhatIf != nil {
			d.Add(b.WhatIf.section(&b.Analysis, of))
		}
	}
	return d
}

// seen are the observations behind the stations, and why others are not known.
func (b *ExplainedBurst) seen() []string {
	var all []string
	for i := range b.Stations {
		st := &b.Stations[i]
		if !st.Known {
			all = append(all, st.Label()+", not known: "+st.UnknownReason)
		}
		for _, one := range st.Evidence {
			all = append(all, st.Label()+": "+one)
		}
	}
	return all
}

// section says what the replay predicts, and how far to trust it.
func (w *WhatIf) section(a *station.Analysis, of string) document.Section {
	s := document.Section{Heading: "What if: " + w.Change + " (" + of + ")", Conclusion: true}
	if !w.Known {
		s.Text("Not known: %s.", w.UnknownReason)
		return s
	}
	s.Text("The makespan would be %s; it was %s.", between(w.MakespanLowSeconds, w.MakespanHighSeconds), *a.MakespanSeconds)
	switch {
	case w.GainLowSeconds > 0:
		s.Text("That is %s shorter.", between(w.GainLowSeconds, w.GainHighSeconds))
	case w.GainHighSeconds < 0:
		s.Text("That is %s longer.", between(-w.GainHighSeconds, -w.GainLowSeconds))
	default:
		s.Text("It may be up to %s shorter or up to %s longer: nothing is certain to change.", w.GainHighSeconds, -w.GainLowSeconds)
	}
	s.Text("A replay of the burst as it was gives %s. What the replay does not know: changes of the number of nodes or pods, and whether the machine will be as busy again.", w.ReplayedSeconds)
	return s
}

// between is an interval in words.
func between(low, high stats.Seconds) string {
	if low.String() == high.String() {
		return low.String()
	}
	return low.String() + " to " + high.String()
}

// WriteJSON writes the answer as JSON.
func (e *Explained) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return fmt.Errorf("write the explanation: %w", err)
	}
	return nil
}
