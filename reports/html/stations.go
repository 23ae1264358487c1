package html

import (
	"cmp"
	"slices"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
)

// stations shows where the time of each profile's median burst went.
func (v *view) stations() document.Section {
	s := document.Section{ID: "stations", Heading: reports.WhereHeading}
	if f := v.strips(); len(f.Panels) > 0 {
		s.Figure(f)
	} else if len(v.Bursts) > 0 && !v.timed {
		s.Command("podburst report --format html RUN", "The picture of how full each station was over time needs the recording, and this page was made from report.json:")
	}
	for _, p := range v.profiles {
		if p.median < 0 || p.result == nil {
			continue
		}
		if len(v.profiles) > 1 {
			s.Subheading(p.name)
		}
		v.AddStations(&s, p.result)
		b := &v.Bursts[p.median]
		s.Fold("Evidence of each station: "+p.name, reports.EvidenceTable(&b.Analysis, p.name+", burst "+reports.BurstName(b)))
	}
	if len(s.Blocks) > 0 {
		s.Text("A station is a place where a pod is served and may wait. Part: what is accounted to it of the time from submission until the last pods were ready; the parts add up to the makespan. Its phase held up: for how long it held that phase up, for the pods of which the phase took longest. A station that is not known is not ruled out.")
	}
	var sentences []string
	for i := range v.Moves {
		sentences = append(sentences, v.Moves[i].Sentence)
	}
	s.List(sentences)
	return s
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
