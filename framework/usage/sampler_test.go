package usage

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

// fake counts one more millisecond of processor time each time that it is read.
type fake struct {
	reads  map[string]int
	dies   int // when the scheduler's process is gone, in reads
	falls  int // when etcd's counter falls, in reads
	takes  time.Duration
	now    time.Time
	ticks  chan time.Time
	waited chan time.Duration
}

func newFake() *fake {
	return &fake{reads: map[string]int{}, now: time.Unix(1000, 0), ticks: make(chan time.Time), waited: make(chan time.Duration)}
}

func (f *fake) read(name string) Counters {
	f.reads[name]++
	f.now = f.now.Add(f.takes)
	if name == "etcd" && f.falls == f.reads[name] {
		return Counters{}
	}
	return Counters{CPU: time.Duration(f.reads[name]) * time.Millisecond, RunQueue: time.Second, RunQueueKnown: name != "etcd", MemoryBytes: 5}
}

func (f *fake) Account(a clusters.Account) (Counters, error) {
	if a.Name == "kube-scheduler" && f.dies > 0 && f.reads[a.Name] >= f.dies {
		return Counters{}, errors.New("process 7 is gone")
	}
	return f.read(a.Name), nil
}
func (f *fake) Machine() (Counters, error) { return f.read(recording.AccountMachine), nil }

func (f *fake) start(t *testing.T, o Options) *Sampler {
	o.Reader, o.Accounts = f, []clusters.Account{{Name: "etcd"}, {Name: "kube-scheduler"}}
	o.Now = func() time.Time { return f.now }
	o.Spent = func() time.Duration { return f.now.Sub(time.Unix(0, 0)) }
	o.Tick = func(d time.Duration) <-chan time.Time {
		select {
		case f.waited <- d:
		case <-t.Context().Done():
		}
		return f.ticks
	}
	return Start(t.Context(), o)
}

// tick lets so many intervals pass and returns the last one's length.
func (f *fake) tick(n int) (interval time.Duration) {
	for range n {
		interval = <-f.waited
		f.ticks <- f.now
	}
	return interval
}

func stop(f *fake, s *Sampler) ([]recording.UsageSample, map[string]string) {
	go func() {
		for range f.waited { // the interval that Stop cuts short
		}
	}()
	defer close(f.waited)
	return s.Stop()
}

func count(samples []recording.UsageSample, account string) (n int, last recording.UsageSample) {
	for _, s := range samples {
		if s.Account == account {
			n, last = n+1, s
		}
	}
	return n, last
}

func TestEveryAccountIsSampledFromStartToStop(t *testing.T) {
	f := newFake()
	s := f.start(t, Options{})
	f.tick(3)
	samples, failed := stop(f, s)
	if len(failed) > 0 {
		t.Error(failed)
	}
	for _, account := range []string{"etcd", "kube-scheduler", recording.AccountMachine} {
		n, last := count(samples, account)
		// One at the start, three in between, one at the end.
		if n != 5 || last.CPUSeconds != 0.005 || last.MemoryBytes != 5 || (last.RunQueueSeconds != nil) != (account != "etcd") {
			t.Errorf("%s: %d samples, last %+v", account, n, last)
		}
	}
}

func TestAnAccountWhoseProcessEndsHasNoFurtherSamplesAndSaysSo(t *testing.T) {
	f := newFake()
	f.dies = 2
	s := f.start(t, Options{})
	f.tick(3)
	samples, failed := stop(f, s)
	if n, _ := count(samples, "kube-scheduler"); n != 2 || failed["kube-scheduler"] != "after 2 samples: process 7 is gone" {
		t.Errorf("%d samples, %v", n, failed)
	}
	if n, _ := count(samples, "etcd"); n != 5 {
		t.Errorf("%d samples of the account that lives", n)
	}
}

// What threads had used that have ended could be missing from a counter.
func TestAnAccountWhoseCounterFallsHasNoFurtherSamplesAndSaysSo(t *testing.T) {
	f := newFake()
	f.falls = 3
	s := f.start(t, Options{})
	f.tick(3)
	samples, failed := stop(f, s)
	if n, last := count(samples, "etcd"); n != 2 || last.CPUSeconds != 0.002 || failed["etcd"] != "after 2 samples: its processor time fell from 0.002 s to 0.000 s" {
		t.Errorf("%d samples, last %+v, %v", n, last, failed)
	}
}

func TestSamplingThatIsSlowIsDoneLessOften(t *testing.T) {
	f := newFake()
	f.takes = 10 * time.Millisecond // three reads: 30 ms a sample, which at 0.5 % allows one in 6 s
	s := f.start(t, Options{})
	if interval := f.tick(1); interval != 6*time.Second {
		t.Errorf("interval %v", interval)
	}
	stop(f, s)
}

func TestALongBurstHasNoMoreSamplesThanAreAllowed(t *testing.T) {
	f := newFake()
	s := f.start(t, Options{MaxSamples: 8, Interval: time.Second})
	if interval := f.tick(7 + 4 + 1); interval != 4*time.Second {
		t.Errorf("interval %v after two rounds of thinning", interval)
	}
	samples, _ := stop(f, s)
	n, last := count(samples, "etcd")
	if n > 9 || last.CPUSeconds != 0.014 || samples[0].CPUSeconds != 0.001 {
		t.Errorf("%d samples, last %+v", n, last)
	}
}

func TestSamplingEndsWithItsContext(t *testing.T) {
	f := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Reader: f, Now: func() time.Time { return f.now }, Tick: func(time.Duration) <-chan time.Time { return nil }}
	s := Start(ctx, o)
	cancel()
	if samples, _ := s.Stop(); len(samples) != 2 {
		t.Errorf("%d samples", len(samples))
	}
}
