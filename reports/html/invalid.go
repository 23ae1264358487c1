package html

import (
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// invalidShown is the largest number of invalid bursts that are listed.
const invalidShown = 50

// invalid lists every reason to distrust a burst.
func (v *view) invalid() document.Section {
	s := document.Section{ID: "invalid", Heading: "Invalid bursts"}
	invalid := 0
	for i := range v.Bursts {
		if b := &v.Bursts[i]; !b.Valid {
			if invalid++; invalid <= invalidShown {
				reports.AddInvalid(&s, b)
			}
		}
	}
	switch {
	case invalid > invalidShown:
		s.Text("%d more invalid bursts are in report.json.", invalid-invalidShown)
	case invalid == 0 && len(v.Bursts) > 0:
		s.Text("None of %s, warm-ups included, gave a reason to distrust it.", humanize.Count(len(v.Bursts), "burst"))
	}
	return s
}
