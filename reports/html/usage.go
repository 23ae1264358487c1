package html

import (
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
)

// usage shows what components used of their machine in each profile's median burst.
func (v *view) usage() document.Section {
	var all document.Section
	for _, p := range v.profiles {
		if p.median < 0 {
			continue
		}
		b := &v.Bursts[p.median]
		s := reports.UsageSection(b, p.name+", burst "+reports.BurstName(b))
		all.ID, all.Heading = s.ID, s.Heading
		if len(v.profiles) > 1 {
			all.Subheading(p.name)
		}
		all.Blocks = append(all.Blocks, s.Blocks...)
	}
	return all
}
