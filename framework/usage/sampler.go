package usage

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/procfs"
)

// Counters are what an account's processes have used since they started.
type Counters struct {
	CPU time.Duration
	// RunQueue is meaningful where RunQueueKnown.
	RunQueue      time.Duration
	RunQueueKnown bool
	MemoryBytes   int64
}

// Reader reads counters from the kernel.
type Reader interface {
	// Account sums up the counters of the account's processes. If one of them has
	// ended, that is an error: its counters are gone, and the sum would fall.
	Account(a clusters.Account) (Counters, error)
	// Machine is the whole machine's.
	Machine() (Counters, error)
}

// Options of a sampler. Reader and Accounts are required.
type Options struct {
	Reader   Reader
	Accounts []clusters.Account
	// Interval between samples. Default: 500 ms. It grows where sampling itself would
	// take more than MaxShare, and as a burst lasts, so that MaxSamples are enough.
	Interval time.Duration
	// MaxShare is the part of one processor that sampling may take. Default: 0.005.
	MaxShare float64
	// MaxSamples of one account. Default: 512.
	MaxSamples int
	// Now and Tick are the clock; defaults: time.Now and time.After.
	Now  func() time.Time
	Tick func(time.Duration) <-chan time.Time
	// Spent is the processor time that the calling thread has used. Default: the
	// kernel's, or, where it does not tell, the time that passes, which is more.
	Spent func() time.Duration
}

// Sampler takes samples until it is stopped.
type Sampler struct {
	options Options
	stop    context.CancelFunc
	done    chan struct{}

	samples [][]recording.UsageSample // by account, the machine last
	// failed says by account why it has no further samples.
	failed map[string]string
}

// Start takes a first sample and goes on in the background until Stop, or until ctx ends.
func Start(ctx context.Context, o Options) *Sampler {
	if o.Interval <= 0 {
		o.Interval = 500 * time.Millisecond
	}
	if o.MaxShare <= 0 {
		o.MaxShare = 0.005
	}
	if o.MaxSamples <= 0 {
		o.MaxSamples = 512
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tick == nil {
		o.Tick = time.After
	}
	if o.Spent == nil {
		began := time.Now()
		o.Spent = func() time.Duration {
			if cpu, ok := procfs.ThreadCPU(); ok {
				return cpu
			}
			return time.Since(began)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	s := &Sampler{options: o, stop: stop, done: make(chan struct{}), samples: make([][]recording.UsageSample, len(o.Accounts)+1), failed: map[string]string{}}
	cost := s.sample()
	go s.run(ctx, cost)
	return s
}

// Stop takes a last sample and returns all, account by account in the order of time.
// failed says by account why its samples end early; it is empty as a rule.
func (s *Sampler) Stop() (samples []recording.UsageSample, failed map[string]string) {
	s.stop()
	<-s.done
	s.sample()
	for _, account := range s.samples {
		samples = append(samples, account...)
	}
	return samples, s.failed
}

func (s *Sampler) run(ctx context.Context, cost time.Duration) {
	defer close(s.done)
	interval := s.options.Interval
	for {
		interval = max(interval, time.Duration(float64(cost)/s.options.MaxShare))
		select {
		case <-ctx.Done():
			return
		case <-s.options.Tick(interval):
		}
		cost = s.sample()
		if len(s.samples[len(s.samples)-1]) >= s.options.MaxSamples {
			s.thin()
			interval *= 2
		}
	}
}

// sample reads every account once and returns the processor time that it took.
func (s *Sampler) sample() time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := s.options.Spent()
	for i := range s.samples {
		name := recording.AccountMachine
		if i < len(s.options.Accounts) {
			name = s.options.Accounts[i].Name
		}
		if s.failed[name] != "" {
			continue
		}
		var c Counters
		var err error
		if i < len(s.options.Accounts) {
			c, err = s.options.Reader.Account(s.options.Accounts[i])
		} else {
			c, err = s.options.Reader.Machine()
		}
		if n := len(s.samples[i]); err == nil && n > 0 {
			err = fell(s.samples[i][n-1], c)
		}
		if err != nil {
			s.failed[name] = reason(len(s.samples[i]), err)
			continue
		}
		sample := recording.UsageSample{At: s.options.Now(), Account: name, CPUSeconds: c.CPU.Seconds(), MemoryBytes: c.MemoryBytes}
		if c.RunQueueKnown {
			wait := c.RunQueue.Seconds()
			sample.RunQueueSeconds = &wait
		}
		s.samples[i] = append(s.samples[i], sample)
	}
	return s.options.Spent() - began
}

// reason says why an account has no further samples.
func reason(samples int, err error) string {
	if samples == 0 {
		return err.Error()
	}
	return fmt.Sprintf("after %s: %v", humanize.Count(samples, "sample"), err)
}

// fell is an error if a counter is below what it was.
func fell(was recording.UsageSample, c Counters) error {
	switch {
	case c.CPU.Seconds() < was.CPUSeconds:
		return fmt.Errorf("its processor time fell from %.3f s to %.3f s", was.CPUSeconds, c.CPU.Seconds())
	case was.RunQueueSeconds != nil && c.RunQueueKnown && c.RunQueue.Seconds() < *was.RunQueueSeconds:
		return fmt.Errorf("its time in the run queue fell from %.3f s to %.3f s", *was.RunQueueSeconds, c.RunQueue.Seconds())
	}
	return nil
}

// thin drops every second sample but the first and the last: counters lose nothing by it
// but resolution.
func (s *Sampler) thin() {
	for i, all := range s.samples {
		kept := all[:0]
		for k := range all {
			if k%2 == 0 || k == len(all)-1 {
				kept = append(kept, all[k])
			}
		}
		s.samples[i] = kept
	}
}
