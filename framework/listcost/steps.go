package listcost

import (
	"time"

	utiltrace "k8s.io/utils/trace"
)

// SlowList is how long a list must take for its steps to be recorded and logged. The
// threshold and the wording are the API server's. They are logged by klog at
// verbosity 2, which is the API server's default but not that of other programs.
const SlowList = 500 * time.Millisecond

// steps is what a list did and when.
type steps struct {
	trace *utiltrace.Trace
	now   func() time.Time
	slow  time.Duration
	began time.Time
	last  time.Time
	all   []ListStep
}

func newSteps(now func() time.Time, slow time.Duration, strategy, namespace string) *steps {
	began := now()
	return &steps{
		now: now, slow: slow, began: began, last: began,
		trace: utiltrace.New("List", utiltrace.Field{Key: "strategy", Value: strategy}, utiltrace.Field{Key: "namespace", Value: namespace}),
	}
}

// step notes what has just been done.
func (s *steps) step(name string) {
	s.trace.Step(name)
	now := s.now()
	s.all = append(s.all, ListStep{Name: name, Seconds: now.Sub(s.last).Seconds()})
	s.last = now
}

// slowSteps are the steps of a slow list, which it also logs; otherwise nil.
func (s *steps) slowSteps() []ListStep {
	s.trace.LogIfLong(s.slow)
	if s.last.Sub(s.began) < s.slow {
		return nil
	}
	return s.all
}
