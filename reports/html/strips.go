package html

import (
	"fmt"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// shades is how many shades of full there are: the classes h1 to h5 of the style sheet.
const shades = 5

// shade is the shade of a share from 0 to 1; 0 is none.
func shade(share float64) int {
	switch {
	case !(share > 0.01):
		return 0
	case share >= 1:
		return shades
	}
	return min(shades, 1+int(share*shades))
}

// The figure's measures.
const (
	stripRow, stripTop, stripHeight   = 32.0, 18.0, 10.0
	stripLeft, stripRight, stripWidth = 4.0, 432.0, 440.0
)

// strips draws how full each station was over the median burst of each profile.
func (v *view) strips() *document.Figure {
	f := &document.Figure{
		ID: "fig-stations", Layout: "panels wide", Name: "How full each station was.",
		Caption: []string{
			"Each profile's burst with the median makespan; stations from top to bottom in the order in which a pod meets them, time to the right from the submission to the last pod ready. The darker, the more of that time the station was busy or had pods waiting. At the right its part of the makespan, in brackets together with the stations at which pods wait only because of it.",
			"A station that is dark to the end is where the last pods were. One that is dark above a darker one may only be waiting for it: the sentences say which.",
		},
	}
	for n := 1; n <= shades; n++ {
		f.Legend = append(f.Legend, svg.NewKey(fmt.Sprintf("h%d", n), svg.KeyBox(), fmt.Sprintf("%d to %d %% of the time", (n-1)*100/shades, n*100/shades)))
	}
	f.Legend = append(f.Legend, svg.NewKey("hatch", hatch(0, 0, 26, 12), "not known, or not known when"))
	for _, p := range v.profiles {
		if p.median < 0 {
			continue
		}
		b := &v.Bursts[p.median]
		if all := b.Strips(); len(all) > 0 && b.MakespanSeconds != nil {
			drawStrips(f, p, b, all)
		}
	}
	return f
}

func drawStrips(f *document.Figure, p *profile, b *reports.Burst, all []station.Strip) {
	t := document.NewTable("How full each station was: "+p.name+", burst "+reports.BurstName(b), "station", "part of the makespan", "on average", "fullest", "last at least half full until")
	desc := "One row a station, time on the horizontal axis."
	height := stripRow*float64(len(all)) + 52
	panel := f.Panel(stripWidth, height, "Stations over time: "+p.short, "")
	panel.Text("title", 4, 13, p.short+", burst "+reports.BurstName(b))
	plot := svg.NewPlot(panel, stripLeft, 20, stripRight, height-30, svg.Scale{High: float64(*b.MakespanSeconds)}, svg.Scale{})
	plot.TimeAxis(6, "since the submission")
	var shaded [shades + 1]svg.Path
	var track, unknown svg.Path
	leaders := map[*station.Station]stats.Seconds{}
	for _, account := range b.Accounts() {
		if len(account.Followers) > 0 {
			leaders[account.Station] = account.Seconds
		}
	}
	for row, strip := range all {
		y := 20 + stripRow*float64(row)
		panel.Text("tick", stripLeft, y+14, humanize.Shorten(strip.Label(), 50))
		y += stripTop
		track.Box(stripLeft, y, stripRight-stripLeft, stripHeight)
		part := strip.Part.Seconds.String()
		switch account, leads := leaders[strip.Station]; {
		case !strip.Known:
			part = "not known"
		case leads:
			part = "(" + account.String() + ")"
		}
		panel.Text("end", stripRight, y-4, part)
		if strip.Load == nil {
			unknown.Append(hatch(stripLeft, y, stripRight-stripLeft, stripHeight))
			t.Row(strip.Label(), part, "not known", "-", "-")
			continue
		}
		drawStrip(&shaded, strip.Load, y)
		mean, most, until := summary(strip.Load, float64(*b.MakespanSeconds))
		last := "-"
		if until > 0 {
			last = humanize.Seconds(until)
		}
		t.Row(strip.Label(), part, humanize.Percent(mean), humanize.Percent(most), last)
		if mean >= 0.1 {
			desc += fmt.Sprintf(" %s: busy for %s of it.", humanize.UpperFirst(strip.Label()), humanize.Percent(mean))
		}
	}
	panel.Path("track", track)
	for n := 1; n <= shades; n++ {
		panel.Path(fmt.Sprintf("h%d", n), shaded[n])
	}
	panel.Path("hatch", unknown)
	panel.Desc = desc
	f.Data = append(f.Data, t)
}

// drawStrip draws a row, slices of the same shade as one box.
func drawStrip(shaded *[shades + 1]svg.Path, load []float64, y float64) {
	width := (stripRight - stripLeft) / float64(len(load))
	for from := 0; from < len(load); {
		to := from + 1
		for to < len(load) && shade(load[to]) == shade(load[from]) {
			to++
		}
		if n := shade(load[from]); n > 0 {
			shaded[n].Box(stripLeft+width*float64(from), y, width*float64(to-from), stripHeight)
		}
		from = to
	}
}

// summary is the mean and the most of a strip, and until when, in seconds, a slice of it was
// at least half full; 0 if none was.
func summary(load []float64, makespan float64) (mean, most, until float64) {
	for i, share := range load {
		mean += share / float64(len(load))
		most = max(most, share)
		if share >= 0.5 {
			until = makespan * float64(i+1) / float64(len(load))
		}
	}
	return mean, most, until
}

// hatch fills a box with strokes.
func hatch(x, y, width, height float64) svg.Path {
	var d svg.Path
	const step = 6.0
	for at := 0.0; at+height <= width; at += step {
		d.Move(x+at, y+height)
		d.Line(x+at+height, y)
	}
	return d
}
