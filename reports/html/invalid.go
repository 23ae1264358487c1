package html

import (
	"fmt"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// invalidShown bounds the invalid bursts that are listed.
const invalidShown = 50

// invalid lists every reason to distrust a burst.
func (v *view) invalid() document.Section {
	s := document.Section{ID: "invalid", Heading: "Invalid bursts"}
	if len(v.Bursts) == 0 {
		return s
	}
	invalid := 0
	for i := range v.Bursts {
		b := &v.Bursts[i]
		if b.Valid {
			continue
		}
		if invalid++; invalid > invalidShown {
			continue
		}
		s.Subheading(b.Profile + ", burst " + burstName(b))
		var reasons []string
		for _, p := range b.InvalidReasons {
			reasons = append(reasons, p.Code+": "+p.Detail)
		}
		if len(reasons) == 0 {
			reasons = []string{"no reason was given"}
		}
		a := b.Accounting
		s.Text("Of %s expected: %d ready, %d failed, %d pending, %d lost; %d replaced, %d foreign. The burst ended for: %s.",
			humanize.Count(a.Expected, "pod"), a.Ready, a.Failed, a.Pending, a.Lost, a.Replaced, a.Foreign, string(b.EndReason))
		s.List(reasons)
	}
	switch {
	case invalid == 0:
		s.Text("%s", noneInvalid(len(v.Bursts)))
	case invalid > invalidShown:
		s.Text("%d more invalid bursts are in report.json.", invalid-invalidShown)
	}
	return s
}

func noneInvalid(bursts int) string {
	return fmt.Sprintf("None of %s, warm-ups included, gave a reason to distrust it.", humanize.Count(bursts, "burst"))
}
