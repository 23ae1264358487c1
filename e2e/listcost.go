package e2e

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/recording"
)

// LabelListCost marks the specs that measure lists and watches. They run only where
// LABELS names them, and then alone: what they do would disturb bursts.
const LabelListCost = "list-cost"

// asksForListCost tells whether the filter takes specs because of their label
// list-cost, rather than all specs or all but some. bursts: it takes others, too.
func asksForListCost(filter string, profiles []string) (asked, bursts bool) {
	takes, err := types.ParseLabelFilter(filter)
	if err != nil {
		return false, false // reported where LABELS is parsed
	}
	for _, p := range profiles {
		profile := "profile:" + p
		if takes([]string{profile}) {
			bursts = true
		} else if takes([]string{LabelListCost, profile}) {
			asked = true
		}
	}
	return asked, bursts
}

// parseListCost is the plan of list costs (LIST_PODS, LIST_ROUNDS, LIST_LIMIT).
func parseListCost(text func(name, def string) string) (*recording.ListCostPlan, error) {
	plan := listcost.DefaultPlan()
	if s := text("LIST_PODS", ""); s != "" {
		plan.Sizes = nil
		for _, one := range strings.Split(s, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(one))
			if err != nil || n < 1 || n > 100_000 || len(plan.Sizes) > 0 && n <= plan.Sizes[len(plan.Sizes)-1] {
				return nil, fmt.Errorf("LIST_PODS=%q: want numbers of pods from 1 to 100000 by comma, each larger than the one before, such as 100,500,1000", s)
			}
			plan.Sizes = append(plan.Sizes, n)
		}
	}
	for _, v := range []struct {
		name      string
		into      *int
		low, high int
	}{{"LIST_ROUNDS", &plan.Rounds, 1, 1000}, {"LIST_LIMIT", &plan.Limit, 1, 100_000}} {
		s := text(v.name, "")
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < v.low || n > v.high {
			return nil, fmt.Errorf("%s=%q: want a whole number from %d to %d", v.name, s, v.low, v.high)
		}
		*v.into = n
	}
	return &plan, nil
}
