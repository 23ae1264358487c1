package reports

import (
	"fmt"
	"maps"
	"slices"

	"github.com/podburst/podburst/framework/cpuprofile"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// cpuProfiles reads the burst's profiles, by the name of the process. One that cannot be
// read says why.
func cpuProfiles(b *recording.Burst) []cpuprofile.Breakdown {
	names := map[string]bool{}
	for name := range b.CPUProfiles {
		names[name] = true
	}
	for name := range b.ProfileErrors {
		names[name] = true
	}
	var all []cpuprofile.Breakdown
	for _, name := range slices.Sorted(maps.Keys(names)) {
		data, found := b.CPUProfiles[name]
		c := cpuprofile.Missing(name, b.ProfileErrors[name])
		if found {
			read, err := cpuprofile.Read(name, data)
			if read.Unavailable = b.ProfileErrors[name]; err != nil {
				read.Unavailable = err.Error()
			}
			c = read
		}
		all = append(all, c)
	}
	return all
}

// Comparable tells whether the burst's numbers may be put beside those of other bursts: it
// is valid, no warm-up, and was not profiled.
func (b *Burst) Comparable() bool { return b.Valid && !b.Warmup && !b.Profiled }

// ProfiledNote says that bursts were profiled; empty if none was.
func (r *Report) ProfiledNote() string {
	n := 0
	for i := range r.Bursts {
		if r.Bursts[i].Profiled && !r.Bursts[i].Warmup {
			n++
		}
	}
	recorded, _ := r.counted()
	switch n {
	case 0:
		return ""
	case recorded:
		return "The components were profiled during every burst, which slows them: these numbers are never compared with others."
	}
	return "The components were profiled during " + humanize.Count(n, "burst") + " of this run, which slows them: their numbers are never compared with others."
}

// ShareTables show what a component used the processor for: functions, then packages.
func ShareTables(c *cpuprofile.Breakdown) []*document.Table {
	var all []*document.Table
	for _, list := range []struct {
		what, by string
		shares   []cpuprofile.Share
	}{
		{"function", "own code", c.FunctionsByFlat}, {"function", "own code and what it called", c.FunctionsByCumulative},
		{"package", "own code", c.PackagesByFlat}, {"package", "own code and what it called", c.PackagesByCumulative},
	} {
		t := document.NewTable(fmt.Sprintf("%s: each %s by the processor time of its %s", humanize.Shorten(c.Component, 60), list.what, list.by),
			list.what, "own code", "of all", "with what it called", "of all")
		for _, s := range list.shares {
			t.Row(s.Name, s.FlatSeconds, ofAll(s.FlatSeconds, c), s.CumulativeSeconds, ofAll(s.CumulativeSeconds, c))
		}
		all = append(all, t)
	}
	return all
}

func ofAll(seconds stats.Seconds, c *cpuprofile.Breakdown) string {
	if c.SampledSeconds == nil || *c.SampledSeconds <= 0 {
		return "-"
	}
	return humanize.Percent(float64(seconds / *c.SampledSeconds))
}

// ComponentTable lists what was sampled of each component.
func ComponentTable(components []cpuprofile.Breakdown) *document.Table {
	t := document.NewTable("Processor time that was sampled, by component", "component", "profiled for", "processor time", "samples", " most of it in its own code", " what is missing")
	for i := range components {
		c := &components[i]
		most := "-"
		if len(c.PackagesByFlat) > 0 {
			most = humanize.Shorten(c.PackagesByFlat[0].Name, 80) + " " + ofAll(c.PackagesByFlat[0].FlatSeconds, c)
		}
		t.Row(c.Component, c.ProfiledSeconds, c.SampledSeconds, c.Samples, most, humanize.Shorten(humanize.OrDash(c.Unavailable), 300))
	}
	return t
}
