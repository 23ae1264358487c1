package burst

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	corev1 "k8s.io/api/core/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/cpuprofile"
	"github.com/podburst/podburst/framework/recording"
)

// profiled is a cluster that serves CPU profiles.
type profiled struct {
	*fakeCluster
	instances []clusters.Instance
	// late is how long an answer takes beyond its stretch.
	late time.Duration
	// fails is what an instance answers from its second stretch on.
	fails map[string]error

	mu     sync.Mutex
	asked  map[string][]time.Duration
	begins map[string]time.Time
	ends   map[string]time.Time
}

func (c *profiled) Instances() []clusters.Instance {
	if c.instances == nil {
		return c.fakeCluster.Instances()
	}
	return c.instances
}

func (c *profiled) CPUProfile(ctx context.Context, instance clusters.Instance, d time.Duration) ([]byte, error) {
	name := instance.String()
	c.mu.Lock()
	first := len(c.asked[name]) == 0
	if first {
		c.begins[name] = time.Now()
	}
	c.asked[name] = append(c.asked[name], d)
	c.mu.Unlock()
	if err := c.fails[name]; err != nil && (!first || errors.Is(err, clusters.ErrUnsupported)) {
		return nil, err
	}
	select {
	case <-time.After(d + c.late):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c.mu.Lock()
	c.ends[name] = time.Now()
	c.mu.Unlock()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, DurationNanos: int64(d)}
	var out bytes.Buffer
	err := p.Write(&out)
	return out.Bytes(), err
}

func withProfiles(w *world) *profiled {
	return &profiled{fakeCluster: w.cluster, fails: map[string]error{}, asked: map[string][]time.Duration{}, begins: map[string]time.Time{}, ends: map[string]time.Time{}}
}

// slow is a life in which a pod takes so long to be ready.
func slow(d time.Duration) func(*world, *corev1.Pod, int) {
	return func(w *world, pod *corev1.Pod, _ int) { time.Sleep(d); w.makeReady(pod) }
}

func TestProfilesCoverTheBurstInStretchesThatGrow(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.life = slow(9 * time.Second)
		c := withProfiles(w)
		o := w.options(3)
		o.Cluster, o.Profile, o.Deadline = c, true, time.Minute
		b, err := Run(t.Context(), o)
		if err != nil || len(b.Problems) != 0 || !b.Profiled {
			t.Fatal(err, b.Problems, b.Profiled)
		}
		if len(b.ProfileErrors) != 0 || len(b.CPUProfiles) != len(c.Instances()) {
			t.Errorf("%d profiles of %d, errors %v", len(b.CPUProfiles), len(c.Instances()), b.ProfileErrors)
		}
		for name, asked := range c.asked {
			// 4 s in stretches of 1 s; then a quarter of what there was: 1, 1, 1, 1, 2 ...
			if want := []time.Duration{1, 1, 1, 1, 1, 1, 1, 1, 2}; !slices.EqualFunc(asked, want, func(a, b time.Duration) bool { return a == b*time.Second }) {
				t.Errorf("%s was asked for %v, want %v s", name, asked, want)
			}
			if !c.begins[name].Before(b.Submit) || c.ends[name].Before(b.End) {
				t.Errorf("%s was profiled from %v to %v, the burst is from %v to %v", name, c.begins[name], c.ends[name], b.Submit, b.End)
			}
			read, err := cpuprofile.Read(name, b.CPUProfiles[name])
			if err == nil && read.ProfiledSeconds != 10 {
				t.Errorf("the file of %s covers %v s, want 10", name, read.ProfiledSeconds)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
}

func TestGapsBetweenStretchesAreSaid(t *testing.T) {
	for late, want := range map[time.Duration]string{10 * time.Millisecond: "", 250 * time.Millisecond: "not profiled for 1s of 5s, between its 4 stretches"} {
		inWorld(t, func(t *testing.T, w *world) {
			w.life = slow(4 * time.Second)
			c := withProfiles(w)
			c.late = late
			o := w.options(1)
			o.Cluster, o.Profile = c, true
			b, err := Run(t.Context(), o)
			if got := b.ProfileErrors["kube-scheduler"]; err != nil || got != want || b.CPUProfiles["kube-scheduler"] == nil {
				t.Errorf("late by %v: %q, want %q (%v)", late, got, want, err)
			}
		})
	}
}

func TestAnInstanceWithoutProfilesSaysWhyAndTheBurstGoesOn(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.life = slow(3 * time.Second)
		c := withProfiles(w)
		c.instances = []clusters.Instance{{Component: clusters.KubeAPIServer}, {Component: clusters.KubeScheduler}, {Component: clusters.KubeControllerManager}}
		for i := range maxKubelets + 2 {
			c.instances = append(c.instances, clusters.Instance{Component: clusters.Kubelet, Node: fmt.Sprintf("node-%d", i)})
		}
		for _, i := range c.instances {
			w.cluster.processes[i.String()] = clusters.Process{Instance: i, ID: "1", Running: true}
		}
		c.fails["kube-scheduler"] = fmt.Errorf("%w: no right", clusters.ErrUnsupported)
		c.fails["kube-controller-manager"] = errors.New("connection refused")
		o := w.options(3)
		o.Cluster, o.Profile = c, true
		b, err := Run(t.Context(), o)
		if err != nil || b.EndReason != recording.EndAllReady {
			t.Fatal(err, b.EndReason)
		}
		for name, want := range map[string]string{
			"kube-scheduler": "no right", "kube-controller-manager": "after 1s: connection refused", "kubelet-node-9": "only the first 8 kubelets",
		} {
			if !strings.Contains(b.ProfileErrors[name], want) {
				t.Errorf("%s: %q, want %q", name, b.ProfileErrors[name], want)
			}
		}
		if b.CPUProfiles["kube-scheduler"] != nil || b.CPUProfiles["kube-controller-manager"] == nil || b.CPUProfiles["kubelet-node-0"] == nil || b.ProfileErrors["kube-apiserver"] != "" {
			t.Errorf("profiles of %d instances, errors %v", len(b.CPUProfiles), b.ProfileErrors)
		}
	})
}

func TestAClusterThatServesNoProfilesIsMarkedAsProfiledAllTheSame(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := w.options(3)
		o.Profile = true
		b, err := Run(t.Context(), o)
		if err != nil || !b.Profiled || len(b.CPUProfiles) != 0 || len(b.ProfileErrors) != len(w.cluster.Instances()) {
			t.Errorf("profiled %t, %d profiles, errors %v (%v)", b.Profiled, len(b.CPUProfiles), b.ProfileErrors, err)
		}
	})
}

func TestNothingIsProfiledUnlessAskedFor(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		c := withProfiles(w)
		o := w.options(3)
		o.Cluster = c
		if b, err := Run(t.Context(), o); err != nil || b.Profiled || len(c.asked) != 0 || b.ProfileErrors != nil {
			t.Errorf("profiled %t, asked %v (%v)", b.Profiled, c.asked, err)
		}
	})
}

func TestAnInterruptEndsProfiling(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.life = func(*world, *corev1.Pod, int) {} // never ready
		o := w.options(3)
		o.Cluster, o.Profile, o.Deadline = withProfiles(w), true, 2*time.Hour
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		started := time.Now()
		if _, err := Run(ctx, o); !errors.Is(err, context.DeadlineExceeded) || time.Since(started) > 11*time.Second {
			t.Errorf("error %v after %v", err, time.Since(started))
		}
	})
}
