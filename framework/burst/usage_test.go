package burst

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/usage"
)

// counted is a cluster whose processes run on this machine.
type counted struct {
	*fakeCluster
	err error
}

func (c counted) Accounts(context.Context) ([]clusters.Account, error) {
	return []clusters.Account{{Name: "kube-scheduler", PIDs: []int{7}}, {Name: "kubelet-node-1", PIDs: []int{8}}}, c.err
}

// counters count one millisecond of processor time for each one that passes.
type counters struct {
	started  time.Time
	readings int
	// scheduler ends after so many readings of all; 0: never.
	endsAfter int
	broken    bool
}

func (c *counters) Account(a clusters.Account) (usage.Counters, error) {
	if c.readings++; c.endsAfter > 0 && c.readings > c.endsAfter && a.Name == "kube-scheduler" {
		return usage.Counters{}, errors.New("process 7 has ended")
	}
	return c.Machine()
}

func (c *counters) Machine() (usage.Counters, error) {
	if c.broken {
		return usage.Counters{}, errors.New("no /proc")
	}
	return usage.Counters{CPU: time.Since(c.started), MemoryBytes: 5}, nil
}

// within is the samples' first and last time of an account.
func within(b recording.Burst, account string) (n int, first, last time.Time) {
	for _, s := range b.Usage {
		if s.Account != account {
			continue
		}
		if n++; n == 1 {
			first = s.At
		}
		last = s.At
	}
	return n, first, last
}

func TestUsageIsSampledFromTheSubmissionToTheEnd(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.life = func(w *world, pod *corev1.Pod, _ int) { time.Sleep(time.Second); w.makeReady(pod) }
		o := w.options(3)
		o.Cluster = counted{fakeCluster: w.cluster}
		o.NewUsage = func() usage.Reader { return &counters{started: time.Now()} }
		b, err := Run(t.Context(), o)
		if err != nil || len(b.Problems) != 0 {
			t.Fatal(err, b.Problems)
		}
		for _, account := range []string{"kube-scheduler", "kubelet-node-1", recording.AccountObserver, recording.AccountMachine} {
			// The burst takes 1.05 s: at its start, after each half of a second (fewer if
			// sampling is slow here), at its end.
			if n, first, last := within(b, account); n < 2 || n > 4 || first.After(b.Submit) || !last.Equal(b.End) {
				t.Errorf("%s: %d samples from %v to %v, the burst was from %v to %v", account, n, first, last, b.Submit, b.End)
			}
		}
		if b.UsageUnavailable != "" || len(b.UsageErrors) != 0 {
			t.Errorf("%q, %v", b.UsageUnavailable, b.UsageErrors)
		}
	})
}

func TestWhatCannotBeSampledIsToldAndHarmsNothing(t *testing.T) {
	for name, test := range map[string]struct {
		cluster func(*fakeCluster) clusters.Cluster
		reader  usage.Reader
		samples bool
		says    string
	}{
		"a cluster that others run": {func(c *fakeCluster) clusters.Cluster { return c }, &counters{}, false, "not available on a cluster that others run"},
		"a provider that cannot tell": {func(c *fakeCluster) clusters.Cluster {
			return counted{c, fmt.Errorf("%w: it is elsewhere", clusters.ErrUnsupported)}
		}, &counters{}, false, "it is elsewhere"},
		"a machine that tells nothing": {func(c *fakeCluster) clusters.Cluster { return counted{fakeCluster: c} }, &counters{broken: true}, false, "nothing could be read: no /proc"},
		"nobody asks for it":           {func(c *fakeCluster) clusters.Cluster { return counted{fakeCluster: c} }, nil, false, "not asked for"},
		"a process that ends":          {func(c *fakeCluster) clusters.Cluster { return counted{fakeCluster: c} }, &counters{endsAfter: 3}, true, "after 1 sample: process 7 has ended"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				o := w.options(3)
				o.Cluster = test.cluster(w.cluster)
				o.NewUsage = func() usage.Reader { return test.reader }
				b, err := Run(t.Context(), o)
				if err != nil || len(b.Problems) != 0 || b.EndReason != recording.EndAllReady {
					t.Errorf("ended %s with %v, %v", b.EndReason, b.Problems, err)
				}
				if said := b.UsageUnavailable + b.UsageErrors["kube-scheduler"]; !strings.Contains(said, test.says) || test.samples != (len(b.Usage) > 0) || test.samples != (b.UsageUnavailable == "") {
					t.Errorf("%d samples; said %q, %v", len(b.Usage), b.UsageUnavailable, b.UsageErrors)
				}
			})
		})
	}
}

func TestUsageIsSampledWhileOthersSendABurst(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := w.observing()
		defer o.Watcher.Stop()
		o.Cluster = counted{fakeCluster: w.cluster}
		o.Load = load.Observe{Namespace: namespace, Selector: "app=web", Settle: 5 * time.Second}
		o.NewUsage = func() usage.Reader { return &counters{started: time.Now()} }
		o.OnBegin = func(int) { go w.others(10, nil) }
		b, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		// 5.13 s: at the beginning, after each of ten halves of a second at most, at the end.
		if n, first, last := within(b, recording.AccountMachine); n < 2 || n > 12 || first.After(b.Began()) || !last.Equal(b.End) {
			t.Errorf("%d samples from %v to %v, observed from %v to %v", n, first, last, b.Began(), b.End)
		}
	})
}

// Of a load that is refused, what was used until then is recorded.
func TestSamplingEndsWithABurstThatIsRefused(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := w.options(3)
		o.Cluster = counted{fakeCluster: w.cluster}
		o.NewUsage = func() usage.Reader { return &counters{started: time.Now()} }
		w.client.PrependReactor("create", "jobs", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, errors.New("connection refused")
		})
		b, err := Run(t.Context(), o)
		if n, _, _ := within(b, recording.AccountMachine); err == nil || b.EndReason != recording.EndRefused || n != 2 {
			t.Errorf("%d samples, ended %s, %v", n, b.EndReason, err)
		}
	})
}
