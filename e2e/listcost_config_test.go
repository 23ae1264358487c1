package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Only a filter that names list-cost runs it: not the empty one, and not one that
// leaves something else out.
func TestListCostsAreMeasuredOnlyWhenTheyAreNamed(t *testing.T) {
	for labels, want := range map[string]struct{ asked, refused bool }{
		"":                               {false, false},
		"profile:tuned":                  {false, false},
		"!profile:default":               {false, false},
		"!list-cost":                     {false, false},
		"list-cost":                      {true, false},
		"list-cost && profile:default":   {true, false},
		"list-cost && !profile:tuned":    {true, false},
		"/^list/":                        {true, false},
		"list-cost || profile:tuned":     {false, true},
		"list-cost || !profile:default":  {false, true},
		"(list-cost, profile:default)":   {false, true},
		"list-cost && profile:elsewhere": {false, false},
	} {
		c, err := ParseConfig(environment(map[string]string{"LABELS": labels}), time.Unix(0, 7))
		if (c.ListCost != nil) != want.asked || (err != nil) != want.refused {
			t.Errorf("LABELS=%q: asked %t, error %v; want %t, refused %t", labels, c.ListCost != nil, err, want.asked, want.refused)
		}
		if want.refused && !strings.Contains(err.Error(), "two runs") {
			t.Errorf("LABELS=%q: %v", labels, err)
		}
	}
}

func TestThePlanOfListCosts(t *testing.T) {
	parse := func(vars map[string]string) (Config, error) {
		vars["LABELS"] = LabelListCost
		return ParseConfig(environment(vars), time.Unix(0, 7))
	}
	c, err := parse(map[string]string{})
	if err != nil {
		t.Fatal(err)
	}
	if p := c.ListCost; !slices.Equal(p.Sizes, []int{100, 500, 1000}) || p.Rounds != 20 || p.Limit != 500 || !slices.Equal(c.Profiles, []string{"default"}) {
		t.Errorf("%+v of %v", p, c.Profiles)
	}
	c, err = parse(map[string]string{"LIST_PODS": "50, 5000", "LIST_ROUNDS": "3", "LIST_LIMIT": "10", "PROFILES": "tuned,default"})
	if err != nil {
		t.Fatal(err)
	}
	if p := c.ListCost; !slices.Equal(p.Sizes, []int{50, 5000}) || p.Rounds != 3 || p.Limit != 10 || !slices.Equal(c.Profiles, []string{"tuned", "default"}) {
		t.Errorf("%+v of %v", p, c.Profiles)
	}
	for name, vars := range map[string]map[string]string{
		"LIST_PODS":          {"LIST_PODS": "100,50"},
		"LIST_PODS=\"x\"":    {"LIST_PODS": "x"},
		"LIST_PODS=\"0\"":    {"LIST_PODS": "0"},
		"LIST_ROUNDS":        {"LIST_ROUNDS": "0"},
		"LIST_LIMIT":         {"LIST_LIMIT": "-1"},
		"not compared":       {"BASE": "default", "HEAD": "tuned"},
		"objectives are for": {"SLO": "slo.yaml"},
	} {
		if _, err := parse(vars); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
