package html

import (
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// cpuProfiles shows which code of the components used the processors, in one burst of each
// profile: the median one, or the first that was profiled.
func (v *view) cpuProfiles() document.Section {
	s := document.Section{ID: "processors", Heading: "What the processors were used for"}
	for _, p := range v.profiles {
		burst := v.profiledBurst(p)
		if burst < 0 {
			continue
		}
		if len(s.Blocks) == 0 {
			s.Text("%s", v.ProfiledNote())
			s.Text("Samples of what each component's processor time went into, a hundred in a second of it: a few samples say nothing. They begin shortly before the submission and end with the stretch of 1 to 5 s in which the burst ended.")
		}
		b := &v.Bursts[burst]
		s.Subheading(humanize.Shorten(p.name, 100) + ", burst " + reports.BurstName(b))
		s.Table(reports.ComponentTable(b.CPUProfiles))
		for i := range b.CPUProfiles {
			c := &b.CPUProfiles[i]
			s.Fold(humanize.Shorten(c.Component, 60)+": functions and packages", reports.ShareTables(c)...)
		}
		s.Command("go tool pprof -http localhost: FILE.pb.gz", "The files are in the run's folder, in %s/pprof. To look at one:", b.Path)
	}
	return s
}

// profiledBurst is the index of the burst that is shown; -1 if none was profiled.
func (v *view) profiledBurst(p *profile) int {
	if p.median >= 0 && len(v.Bursts[p.median].CPUProfiles) > 0 {
		return p.median
	}
	for _, i := range p.recorded {
		if len(v.Bursts[i].CPUProfiles) > 0 {
			return i
		}
	}
	return -1
}
