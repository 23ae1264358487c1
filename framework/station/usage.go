package station

import "time"

// Usage is what a sampler inside the burst saw of the machine's processors. A burst
// from before there was one has none.
type Usage struct {
	// Processors are how many the machine has.
	Processors int
	// Samples are in order of time.
	Samples []UsageSample
}

// UsageSample is what one component used between two readings.
type UsageSample struct {
	// From and To are the readings' times, by the observer's clock.
	From, To time.Time
	// Component is an instance's name ("kube-apiserver", "kubelet-node-1"), "observer",
	// or "machine" for all that ran, whoever it was.
	Component string
	// CPU is the processor time used, RunQueue the time that its threads were ready to
	// run and had no processor, added up over threads (/proc/<pid>/task/*/schedstat).
	CPU, RunQueue time.Duration
}

// Machine is the component of a sample for all that ran.
const Machine = "machine"

// within sums up the samples of a component inside the window, in proportion where one
// reaches beyond it; covered is the time that has samples.
func (u *Usage) within(component string, from, to time.Time) (cpu, queued, covered time.Duration) {
	if u == nil {
		return 0, 0, 0
	}
	for _, s := range u.Samples {
		whole := s.To.Sub(s.From)
		if s.Component != component || whole <= 0 {
			continue
		}
		begin, end := s.From, s.To
		if begin.Before(from) {
			begin = from
		}
		if end.After(to) {
			end = to
		}
		part := end.Sub(begin)
		if part <= 0 {
			continue
		}
		share := float64(part) / float64(whole)
		cpu += time.Duration(share * float64(max(0, s.CPU)))
		queued += time.Duration(share * float64(max(0, s.RunQueue)))
		covered += part
	}
	return cpu, queued, covered
}
