package station

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
)

// Account is what a station accounts for of the makespan, together with those at which
// pods wait only because of it.
type Account struct {
	*Station
	// Seconds are the parts of the station and its followers, in seconds.
	Seconds stats.Seconds
	// Followers are in order of their parts, the largest first.
	Followers []*Station
}

// Accounts are those of the stations that follow no other, the largest first. With
// NotExplainedSeconds they add up to the makespan. They need nothing but what
// report.json holds.
func (a *Analysis) Accounts() []Account {
	var all []Account
	at := map[id]int{}
	for i := range a.Stations {
		if st := &a.Stations[i]; a.root(st) == st {
			at[st.key()] = len(all)
			all = append(all, Account{Station: st, Seconds: st.Part.Seconds})
		}
	}
	for i := range a.Stations {
		st := &a.Stations[i]
		if root := a.root(st); root != st {
			leader := &all[at[root.key()]]
			leader.Seconds += st.Part.Seconds
			leader.Followers = append(leader.Followers, st)
		}
	}
	for i := range all {
		slices.SortStableFunc(all[i].Followers, func(x, y *Station) int { return order(y.Part.Seconds, x.Part.Seconds) })
	}
	slices.SortStableFunc(all, func(x, y Account) int { return order(y.Seconds, x.Seconds) })
	return all
}

func order(x, y stats.Seconds) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// root is the station that st follows in the end: itself, if it follows none, or if the
// chain has no end, which only a file can say.
func (a *Analysis) root(st *Station) *Station {
	root := st
	for range a.Stations { // no chain is longer
		leader := a.find(id{root.Follows, clusters.Component(root.FollowsComponent)})
		if root.Follows == "" || leader == nil {
			return root
		}
		root = leader
	}
	return st
}

func (a *Analysis) find(k id) *Station {
	for i := range a.Stations {
		if a.Stations[i].key() == k {
			return &a.Stations[i]
		}
	}
	return nil
}

func (st *Station) key() id { return id{st.Station, clusters.Component(st.Component)} }

// Title names the station as a sentence does: "kube-scheduler's client-side limiter",
// "the kubelets' status manager", "etcd".
func (st *Station) Title() string { return st.title() }

// Label names the station in a table: "kube-scheduler's limiter", "kubelets' status manager".
func (st *Station) Label() string {
	label := strings.TrimPrefix(st.title(), "the ")
	return strings.Replace(label, "client-side limiter", "limiter", 1)
}

// First is what accounts for most of a burst's makespan.
type First struct {
	// Station is the station that accounts for most of it, with those that follow it.
	// Absent where the largest part is not explained.
	Station Name `json:"station,omitempty"`
	// Component is where the station is. Absent where the station has none.
	Component string `json:"component,omitempty"`
	// Through is the station at which more than half of that was spent, where pods wait
	// there only because of the first one. Absent where there is none.
	Through Name `json:"through,omitempty"`
	// Seconds is what the station accounts for, or what is not explained.
	Seconds stats.Seconds `json:"seconds"`
	// MakespanSeconds is the burst's makespan.
	MakespanSeconds stats.Seconds `json:"makespanSeconds"`
}

// First is what accounts for most of the makespan; ok is false for a burst that has none.
func (a *Analysis) First() (f First, ok bool) {
	if a.MakespanSeconds == nil {
		return First{}, false
	}
	f = First{Seconds: a.NotExplainedSeconds, MakespanSeconds: *a.MakespanSeconds}
	accounts := a.Accounts()
	if len(accounts) == 0 || accounts[0].Seconds <= 0 || accounts[0].Seconds < a.NotExplainedSeconds {
		return f, true
	}
	most := accounts[0]
	f.Station, f.Component, f.Seconds = most.Station.Station, most.Component, most.Seconds
	if len(most.Followers) > 0 && 2*most.Followers[0].Part.Seconds > most.Seconds {
		f.Through = most.Followers[0].Station
	}
	return f, true
}

// Same tells whether both name the same station.
func (f First) Same(o First) bool { return f.Station == o.Station && f.Component == o.Component }

// String is for people: "processors (mostly container runtime), 39.8 s of 41.1 s".
func (f First) String() string { return f.Name() + ", " + f.Of() }

// Of is the part: "39.8 s of 41.1 s".
func (f First) Of() string { return fmt.Sprintf("%s of %s", f.Seconds, f.MakespanSeconds) }

// Name is the station alone: "processors (mostly container runtime)".
func (f First) Name() string {
	if f.Station == "" {
		return "not explained"
	}
	st := Station{Station: f.Station, Component: f.Component}
	if f.Through == "" {
		return st.Label()
	}
	through := Station{Station: f.Through}
	return fmt.Sprintf("%s (mostly %s)", st.Label(), through.Label())
}

// String is for people: "8.10 s to 37.8 s", "at most 5.3 ms", "no time".
func (r Range) String() string {
	switch {
	case r.HighSeconds < shortest:
		return "no time"
	case r.LowSeconds <= 0:
		return "at most " + r.HighSeconds.String()
	case r.LowSeconds.String() == r.HighSeconds.String():
		return r.LowSeconds.String()
	}
	return r.LowSeconds.String() + " to " + r.HighSeconds.String()
}
