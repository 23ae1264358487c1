package station

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/podburst/podburst/framework/stats"
)

func TestAccountsAddUpToTheMakespanAlsoWhenReadBack(t *testing.T) {
	for name, a := range every(t) {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		read := Analysis{MakespanSeconds: a.MakespanSeconds}
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		for _, from := range []*Analysis{&a, &read} {
			sum, stations := from.NotExplainedSeconds, 0
			for _, account := range from.Accounts() {
				sum += account.Seconds
				stations += 1 + len(account.Followers)
			}
			if math.Abs(float64(sum-*a.MakespanSeconds)) > 1e-6 || stations != len(a.Stations) {
				t.Errorf("%s: %d of %d stations account for %g s of %g s", name, stations, len(a.Stations), sum, *a.MakespanSeconds)
			}
		}
		if first, _ := a.First(); true {
			if again, _ := read.First(); first != again {
				t.Errorf("%s: first is %v, read back %v", name, first, again)
			}
		}
	}
}

func TestWhoFollowsAFollowerCountsWithItsLeader(t *testing.T) {
	makespan := stats.Seconds(10)
	a := Analysis{MakespanSeconds: &makespan, NotExplainedSeconds: 1, Stations: []Station{
		{Station: Processors, Part: Part{Seconds: 1}},
		{Station: Etcd, Component: "etcd", Follows: Processors, Part: Part{Seconds: 3}},
		{Station: StatusManager, Component: "kubelet", Follows: Etcd, FollowsComponent: "etcd", Part: Part{Seconds: 5}},
	}}
	all := a.Accounts()
	if len(all) != 1 || all[0].Seconds != 9 || len(all[0].Followers) != 2 || all[0].Followers[0].Station != StatusManager {
		t.Errorf("%+v", all)
	}
	if first, _ := a.First(); first.String() != "processors (mostly kubelets' status manager), 9.00 s of 10.0 s" {
		t.Errorf("%q", first)
	}
	// Two that follow each other are a fault of the file; nothing may hang.
	a.Stations[0].Follows, a.Stations[0].FollowsComponent = Etcd, "etcd"
	a.Accounts()
}

func TestWhatIsNotExplainedComesFirstWhereItIsTheMost(t *testing.T) {
	a := waited(1, 0)
	if first, ok := a.First(); !ok || first.Station != "" || first.String() != "not explained, 3.00 s of 4.00 s" {
		t.Errorf("%q", first)
	}
}
