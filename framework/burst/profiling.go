package burst

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/cpuprofile"
)

const (
	// profileLead is how long before the submission profiling starts, so that it has
	// begun in the components by then.
	profileLead = 300 * time.Millisecond
	// A burst's length is not known beforehand, so it is profiled in stretches, of which
	// the last one goes on after its end. Each is a quarter as long as those before it
	// together, within these bounds.
	shortestStretch, longestStretch = time.Second, 5 * time.Second
	// maxKubelets is how many kubelets are profiled: others do the same work.
	maxKubelets = 8
)

// profiling is the state of profiling the components. Whatever goes wrong with it is
// noted in the recording, and the burst goes on.
type profiling struct {
	stop  chan struct{}
	tasks sync.WaitGroup

	mu     sync.Mutex
	found  map[string][]byte
	errors map[string]string
}

// startProfiling begins to profile all components, side by side.
func (r *runner) startProfiling(ctx context.Context) {
	if !r.Profile {
		return
	}
	p := &r.profiling
	p.stop, p.found, p.errors = make(chan struct{}), map[string][]byte{}, map[string]string{}
	profiler, ok := r.Cluster.(clusters.Profiler)
	kubelets := 0
	for _, instance := range r.Cluster.Instances() {
		if instance.Component == clusters.Kubelet {
			kubelets++
		}
		switch {
		case !ok:
			p.note(instance, nil, clusters.ErrUnsupported.Error())
		case instance.Component == clusters.Kubelet && kubelets > maxKubelets:
			p.note(instance, nil, fmt.Sprintf("only the first %d kubelets are profiled", maxKubelets))
		default:
			p.tasks.Go(func() { p.follow(ctx, profiler, instance, r.SnapshotTimeout) })
		}
	}
	select {
	case <-time.After(profileLead):
	case <-ctx.Done():
	}
}

// follow profiles one instance, stretch by stretch, until the burst has ended.
func (p *profiling) follow(ctx context.Context, profiler clusters.Profiler, instance clusters.Instance, grace time.Duration) {
	var stretches [][]byte
	var so time.Duration
	size := 0
	why := ""
	began := time.Now()
	for more := true; more && why == ""; {
		length := min(max(shortestStretch, (so/4).Truncate(time.Second)), longestStretch)
		data, err := stretch(ctx, profiler, instance, length, grace)
		switch size += len(data); {
		case err != nil && so > 0:
			why = fmt.Sprintf("after %v: %v", so, err)
		case err != nil:
			why = err.Error()
		case size > cpuprofile.MaxSize:
			why = fmt.Sprintf("after %v: the profiles have more than %d bytes together", so, cpuprofile.MaxSize)
		default:
			stretches, so = append(stretches, data), so+length
		}
		select {
		case <-p.stop:
			more = false
		case <-ctx.Done():
			more = false
		default:
		}
	}
	if took := time.Since(began); why == "" && took-so > gapsAllowed(took) {
		why = fmt.Sprintf("not profiled for %v of %v, between its %d stretches", (took - so).Round(10*time.Millisecond), took.Round(10*time.Millisecond), len(stretches))
	}
	var whole []byte
	if len(stretches) > 0 {
		var err error
		if whole, err = cpuprofile.Merge(stretches); err != nil {
			why = err.Error()
		}
	}
	p.note(instance, whole, why)
}

// note keeps an instance's profile, if there is one, and what is missing of it.
func (p *profiling) note(instance clusters.Instance, whole []byte, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if whole != nil {
		p.found[instance.String()] = whole
	}
	if why != "" {
		p.errors[instance.String()] = why
	}
}

// gapsAllowed is how long a process may go without profiling, between one stretch and the
// next, before the recording says so.
func gapsAllowed(of time.Duration) time.Duration { return of / 20 }

func stretch(ctx context.Context, profiler clusters.Profiler, instance clusters.Instance, length, grace time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, length+grace, fmt.Errorf("no profile within %v", length+grace))
	defer cancel()
	return profiler.CPUProfile(ctx, instance, length)
}

// stopProfiling waits for the stretch in which the burst ended. What is measured of the
// cluster after the burst is then measured without profiling.
func (r *runner) stopProfiling() {
	if !r.Profile || r.profiling.stop == nil {
		return
	}
	close(r.profiling.stop)
	r.profiling.tasks.Wait()
	r.burst.CPUProfiles, r.burst.ProfileErrors = r.profiling.found, r.profiling.errors
}
