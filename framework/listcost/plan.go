package listcost

import (
	"errors"
	"fmt"
)

// Plan says what is measured, and how often.
type Plan struct {
	// Sizes are the numbers of pods that are listed, in ascending order.
	Sizes []int `json:"sizes"`
	// Rounds is how often each way to list is tried at each size.
	Rounds int `json:"rounds"`
	// InformerRounds is how often each pair of client style and number of
	// consumers is tried at each size.
	InformerRounds int `json:"informerRounds"`
	// Limit is the page size of the ways that ask for pages.
	Limit int `json:"limit"`
	// Consumers are the numbers of consumers that want the same pods.
	Consumers []int `json:"consumers"`
	// Changes is how many pods are changed while the consumers watch.
	Changes int `json:"changes"`
}

// DefaultPlan lists 100, 500 and 1,000 pods 20 times each way, in pages of 500 as
// client-go's pager does, and tries 1 and 4 consumers of each style 10 times: the
// median has a 99 % interval from 8 tries on.
func DefaultPlan() Plan {
	return Plan{
		Sizes: []int{100, 500, 1000}, Rounds: 20, InformerRounds: 10, Limit: 500, Consumers: []int{1, 4}, Changes: 50,
	}
}

// The largest plan that is accepted.
const (
	maxPods   = 100_000
	maxRounds = 1000
)

// Check refuses a plan that cannot be carried out.
func (p Plan) Check() error {
	var errs []error
	last := 0
	for _, n := range p.Sizes {
		if n <= last || n > maxPods {
			errs = append(errs, fmt.Errorf("sizes %v: want numbers of pods from 1 to %d, each larger than the one before", p.Sizes, maxPods))
			break
		}
		last = n
	}
	if len(p.Sizes) == 0 {
		errs = append(errs, errors.New("no size: want at least one number of pods"))
	}
	if p.Rounds < 1 || p.Rounds > maxRounds || p.InformerRounds < 0 || p.InformerRounds > maxRounds {
		errs = append(errs, fmt.Errorf("%d rounds, %d of informers: want 1 to %d, of informers also 0", p.Rounds, p.InformerRounds, maxRounds))
	}
	if p.Limit < 1 || p.Limit > maxPods {
		errs = append(errs, fmt.Errorf("limit %d: want pages of 1 to %d pods", p.Limit, maxPods))
	}
	if p.Changes < 0 {
		errs = append(errs, fmt.Errorf("%d changes: want 0 or more", p.Changes))
	}
	for _, n := range p.Consumers {
		if n < 1 {
			errs = append(errs, fmt.Errorf("%d consumers: want at least 1", n))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("plan list costs: %w", err)
	}
	return nil
}
