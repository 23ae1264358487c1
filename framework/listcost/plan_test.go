package listcost

import "testing"

func TestAPlanThatCannotWorkIsRefused(t *testing.T) {
	if err := DefaultPlan().Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Plan){
		"no sizes":                  func(p *Plan) { p.Sizes = nil },
		"descending":                func(p *Plan) { p.Sizes = []int{5, 3} },
		"the same":                  func(p *Plan) { p.Sizes = []int{5, 5} },
		"no pods":                   func(p *Plan) { p.Sizes = []int{0} },
		"too many pods":             func(p *Plan) { p.Sizes = []int{100_001} },
		"no round":                  func(p *Plan) { p.Rounds = 0 },
		"too many rounds":           func(p *Plan) { p.Rounds = 1001 },
		"fewer than no informers":   func(p *Plan) { p.InformerRounds = -1 },
		"no limit":                  func(p *Plan) { p.Limit = 0 },
		"a limit above all numbers": func(p *Plan) { p.Limit = 100_001 },
		"fewer than no changes":     func(p *Plan) { p.Changes = -1 },
		"no consumers":              func(p *Plan) { p.Consumers = []int{0} },
	} {
		p := DefaultPlan()
		change(&p)
		if p.Check() == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
}
