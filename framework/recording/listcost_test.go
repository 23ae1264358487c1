package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func listCostRun(t *testing.T) (*Writer, ListCost) {
	t.Helper()
	plan := ListCostPlan{Sizes: []int{10}, Rounds: 1, Limit: 5, Consumers: []int{1}}
	w, err := Create(t.TempDir(), Manifest{ID: "lists", Profiles: []string{"default"}, ListCost: &plan})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteProfile(Profile{Name: "default"}); err != nil {
		t.Fatal(err)
	}
	seconds := 0.25
	return w, ListCost{
		Profile: "default", Plan: plan, StartedAt: time.Unix(0, 7).UTC(), Watcher: map[string]WatcherRequests{"pods": {Lists: 1, Watches: 1}},
		Sizes: []ListCostSize{{Pods: 10, Lists: []ListSample{{Strategy: "full", Pages: []int{10}, Requests: []string{""}, ServerSeconds: &seconds}}, Informers: []InformerSample{}}},
	}
}

func TestListCostsAreReadAsTheyWereWritten(t *testing.T) {
	w, cost := listCostRun(t)
	if err := w.WriteListCost(cost); err != nil {
		t.Fatal(err)
	}
	run, err := Read(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ListCost{cost}, run.ListCosts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&cost.Plan, run.Manifest.ListCost); diff != "" {
		t.Error(diff)
	}
}

func TestListCostsOfAnotherProfileOrNoJSONAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"another profile": {`{"profile": "tuned"}`, "tuned"},
		"no JSON":         {`{"profile": "default"`, "listcost.json"},
	} {
		w, _ := listCostRun(t)
		if err := os.WriteFile(filepath.Join(w.Dir(), "raw", "default", "listcost.json"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(w.Dir()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
