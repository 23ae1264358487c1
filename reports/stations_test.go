package reports

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
)

// explained is a valid burst of that makespan, all of it accounted to one station.
func explained(index int, makespan stats.Seconds, name station.Name) Burst {
	b := Burst{Profile: "p", Index: index, Valid: true, MakespanSeconds: &makespan}
	b.Analysis = station.Analysis{
		MakespanSeconds: &makespan, Sentences: []string{string(name)},
		Stations: []station.Station{{Station: name, Known: true, Part: station.Part{Seconds: makespan}}},
	}
	return b
}

func TestAProfileSaysInHowManyBurstsTheSameStationCameFirst(t *testing.T) {
	r := Report{Bursts: []Burst{explained(1, 9, station.Etcd), explained(2, 2, station.Etcd), explained(3, 5, station.Place)}}
	r.Profiles = []Profile{{Name: "p", ValidBursts: 3, Explanation: r.explain("p")}}
	e := r.Profiles[0].Explanation
	// The makespans are 2, 5 and 9 s: the median is burst 3.
	if e.Burst != 3 || e.First.Station != station.Place || e.FirstIn != 1 || e.Sentences[0] != "place" {
		t.Errorf("%+v", e)
	}
	var s document.Section
	r.AddStations(&s, &r.Profiles[0])
	if text := s.Blocks[1].Text; text != "Burst 3 has the median makespan of 3 valid bursts. Most of it: a place to go, first in 1 of 3 bursts." {
		t.Errorf("%q", text)
	}
	// An invalid burst has no say.
	r.Bursts[2].Valid = false
	if e := r.explain("p"); e.Burst != 2 || e.FirstIn != 2 {
		t.Errorf("%+v", e)
	}
	for i := range r.Bursts {
		r.Bursts[i].Valid = false
	}
	if r.explain("p") != nil {
		t.Error("a profile without a valid burst is explained")
	}
}

func TestTheTablesPartsAddUp(t *testing.T) {
	makespan := stats.Seconds(10)
	a := station.Analysis{MakespanSeconds: &makespan, NotExplainedSeconds: 2, Stations: []station.Station{
		{Station: station.Processors, Known: true},
		{Station: station.Etcd, Known: true, Follows: station.Processors, Part: station.Part{Seconds: 6}},
		{Station: station.Place, Known: true, Part: station.Part{Seconds: 1.95}},
		{Station: station.Binding, Known: true, Part: station.Part{Seconds: 0.05}},
		{Station: station.Admission},
	}}
	var got []string
	for _, row := range StationTable(&a, "").Rows {
		got = append(got, row[0].Text+" "+row[1].Text)
	}
	want := "processors 6.00 s|· etcd (6.00 s)|a place to go 1.95 s|1 other station 50 ms|not explained 2.00 s|makespan 10.0 s|admission not known"
	if strings.Join(got, "|") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestWhatTookMostIsNeverNothing(t *testing.T) {
	known := explained(1, 4, station.Etcd)
	unexplained := explained(1, 4, station.Etcd)
	unexplained.Stations[0] = station.Station{Station: station.Etcd}
	unexplained.NotExplainedSeconds = 4
	passive := explained(1, 4, station.Etcd)
	passive.Analysis.MakespanSeconds = nil
	for want, b := range map[string]Burst{
		"etcd, 4.00 s": known, "not explained (1 station not known), 4.00 s": unexplained, "not known": passive,
	} {
		if got := MostOf(&b); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
