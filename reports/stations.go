package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// worthARow is the part of the makespan from which on a station has a row of its own.
const worthARow = 0.01

// unknownShown is up to how many stations that are not known have a row each.
const unknownShown = 4

// WhereHeading is the heading of what AddStations and the page say.
const WhereHeading = "Where the time went"

// StationTable shows what the stations of a burst account for, the largest first. The
// figures of its column "part" that are not in brackets add up to the makespan.
func StationTable(a *station.Analysis, of string) *document.Table {
	caption := WhereHeading
	if of != "" {
		caption += ": " + of
	}
	t := document.NewTable(caption, "station", "part", "at least", "at most", "its phase held up", "busy", "+ phase", "+gain without it", "+served")
	least := stats.Seconds(0)
	if a.MakespanSeconds != nil {
		least = worthARow * *a.MakespanSeconds
	}
	var rest stats.Seconds
	small := 0
	for _, account := range a.Accounts() {
		if !account.Known {
			continue // below
		}
		if !shown(a, account, least) {
			rest += account.Seconds
			small += 1 + len(account.Followers)
			continue
		}
		// With those that follow it, it can have taken more than alone.
		stationRow(t, account.Station, account.Label(), part(a, account.Seconds), account.Seconds)
		for _, follower := range account.Followers {
			if follower.Known && follower.Part.Seconds >= least {
				stationRow(t, follower, "· "+follower.Label(), "("+follower.Part.Seconds.String()+")", 0)
			}
		}
	}
	filled := func(name string, value any) { t.Row(name, value, "-", "-", "-", "-", "-", "-", "-") }
	if small > 0 && a.MakespanSeconds != nil {
		filled(humanize.Count(small, "other station"), rest)
	}
	if a.MakespanSeconds != nil {
		filled("not explained", a.NotExplainedSeconds)
		filled("makespan", *a.MakespanSeconds)
	}
	notKnown := document.Cell{Text: "not known", Verdict: document.Open}
	if n := unknown(a); n > unknownShown { // the sentences name them
		filled(humanize.Count(n, "station"), notKnown)
	} else {
		for i := range a.Stations {
			if st := &a.Stations[i]; !st.Known {
				filled(st.Label(), notKnown)
			}
		}
	}
	if slices.ContainsFunc(a.Accounts(), func(account station.Account) bool {
		return account.Known && len(account.Followers) > 0 && shown(a, account, least)
	}) {
		t.Note = "In brackets: contained in the line above, because pods wait there only because of it."
	}
	return t
}

// shown tells whether a station has a row of its own: for its part of the makespan, or,
// where there is none, for what it held up.
func shown(a *station.Analysis, account station.Account, least stats.Seconds) bool {
	if a.MakespanSeconds == nil {
		return account.Held.HighSeconds >= 1e-3
	}
	return account.Seconds > 0 && account.Seconds >= least
}

func part(a *station.Analysis, seconds stats.Seconds) any {
	if a.MakespanSeconds == nil {
		return "-"
	}
	return seconds
}

// stationRow is a station's line; most is what its part can be at least at the upper end.
func stationRow(t *document.Table, st *station.Station, label string, part any, most stats.Seconds) {
	low, high := any(st.Part.LowSeconds), any(max(most, st.Part.HighSeconds))
	if part == "-" {
		low, high = "-", "-"
	}
	busy, gain := "-", "-"
	if st.BusyShare != nil {
		busy = humanize.Percent(*st.BusyShare)
	}
	if st.Gain != nil {
		gain = st.Gain.String()
	}
	t.Row(label, part, low, high, st.Held.String(), busy, st.Phase, gain, st.Served)
}

// EvidenceTable has the observations behind each station.
func EvidenceTable(a *station.Analysis, of string) *document.Table {
	t := document.NewTable("Evidence: "+of, "station", " what was seen")
	for i := range a.Stations {
		st := &a.Stations[i]
		if !st.Known {
			t.Row(st.Label(), "not known: "+st.UnknownReason)
		}
		for _, seen := range st.Evidence {
			t.Row(st.Label(), seen)
		}
	}
	return t
}

// Explanation is what the bursts of a profile say together of where their time went.
type Explanation struct {
	// Burst is the number of the valid burst with the median makespan. The sentences are
	// that burst's: numbers of one burst belong together, which medians of each would not.
	Burst int `json:"burst"`
	// First is what accounts for most of that burst's makespan; null where it has none.
	First *station.First `json:"first"`
	// FirstIn is in how many of the profile's valid bursts the same station came first.
	FirstIn int `json:"firstIn"`
	// Sentences say where the time of that burst went.
	Sentences []string `json:"sentences"`
}

// explain returns what the profile's valid bursts say together; nil if there are none.
func (r *Report) explain(profile string) *Explanation {
	valid := r.valid(profile)
	median := r.MedianBurst(valid)
	if median < 0 {
		return nil
	}
	b := &r.Bursts[median]
	e := &Explanation{Burst: b.Index, Sentences: notNil(b.Sentences)}
	first, ok := b.Analysis.First()
	if !ok {
		return e
	}
	e.First = &first
	for _, i := range valid {
		if other, ok := r.Bursts[i].Analysis.First(); ok && other.Same(first) {
			e.FirstIn++
		}
	}
	return e
}

// MostOf says what took most of a burst's makespan, in a few words, and how much of it.
func MostOf(b *Burst) string {
	first, ok := b.Analysis.First()
	if !ok {
		return "not known"
	}
	name := first.Name()
	if n := unknown(&b.Analysis); n > 0 && first.Station == "" {
		name += fmt.Sprintf(" (%s not known)", humanize.Count(n, "station"))
	}
	return name + ", " + first.Seconds.String()
}

// unknown counts the stations that are not known.
func unknown(a *station.Analysis) int {
	n := 0
	for i := range a.Stations {
		if !a.Stations[i].Known {
			n++
		}
	}
	return n
}

// AddStations adds where the time of the profile's median burst went.
func (r *Report) AddStations(s *document.Section, p *Profile) {
	e := p.Explanation
	if e == nil {
		return
	}
	median := r.MedianBurst(r.valid(p.Name))
	if median < 0 {
		return
	}
	b := &r.Bursts[median]
	s.Table(StationTable(&b.Analysis, "burst "+BurstName(b)))
	if line := e.which(p); line != "" {
		s.Text("%s", line)
	}
	s.List(append(slices.Clone(e.Sentences), unread(b)...))
}

// which says whose sentences these are, and in how many bursts they would begin alike.
func (e *Explanation) which(p *Profile) string {
	if p.ValidBursts < 2 {
		return ""
	}
	line := fmt.Sprintf("Burst %d has the median makespan of %d valid bursts.", e.Burst, p.ValidBursts)
	if e.First != nil {
		line += fmt.Sprintf(" Most of it: %s, first in %d of %d bursts.", e.First.Name(), e.FirstIn, p.ValidBursts)
	}
	return line
}

// unreadShown is how many reasons for missing metrics are listed.
const unreadShown = 3

// unread says which components' metrics could not be read, so that no one takes them for
// zero. What the provider cannot give at all is the stations' to say.
func unread(b *Burst) []string {
	why := map[string][]string{}
	for name, reason := range b.MetricsErrors {
		why[reason] = append(why[reason], name)
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		names := why[reason]
		slices.Sort(names)
		if n := len(names) - unreadShown; n > 0 {
			names = append(names[:unreadShown:unreadShown], fmt.Sprintf("%d more", n))
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", humanize.And(names), humanize.Shorten(reason, 200)))
	}
	if n := len(parts) - unreadShown; n > 0 {
		parts = append(parts[:unreadShown:unreadShown], fmt.Sprintf("%d more reasons", n))
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"Metrics that could not be read: " + strings.Join(parts, "; ") + "."}
}

// processors is how many the machine has, by the environment's fingerprint; 0 if it does
// not say.
func processors(environment json.RawMessage) int {
	var machine struct {
		CPUs int `json:"cpus"`
	}
	if json.Unmarshal(environment, &machine) != nil {
		return 0
	}
	return max(0, machine.CPUs)
}
