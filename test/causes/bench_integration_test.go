//go:build integration

package causes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
	"github.com/podburst/podburst/test/internal/suite"
)

// injection is how a cause is put into one burst and taken out again. All parts are
// optional.
type injection struct {
	// options change the clusters' provider, wrap the clusters themselves.
	options func(*embedded.Options)
	wrap    func(clusters.Cluster) clusters.Cluster
	// job changes what is sent with the cause.
	job func(*batchv1.Job)
	// start is called before a burst, stop after it, even if start failed.
	start, stop func(context.Context, *bench) error
	// during runs from the submission until ctx ends, which it does when every pod is ready.
	during func(context.Context, *bench) error
}

// bench is the burst that is being sent.
type bench struct {
	testing.TB
	cause     *Cause
	cluster   *embedded.Cluster
	client    kubernetes.Interface
	namespace string
	// burst is the name of its Job.
	burst string

	mu   sync.Mutex
	note BurstNote
}

// works notes when the injected thing was at work.
func (b *bench) works(from, to time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note.Spans = append(b.note.Spans, span.Span{From: from, To: to})
}

// lets notes when a pod was let go.
func (b *bench) lets(pod string, from, to time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.note.Pods == nil {
		b.note.Pods = map[string]span.Span{}
	}
	b.note.Pods[pod] = span.Span{From: from, To: to}
}

// provider starts the cause's clusters.
type provider struct {
	clusters.Provider
	wrap func(clusters.Cluster) clusters.Cluster
}

func (p provider) Create(ctx context.Context, profile clusters.Profile) (clusters.Cluster, error) {
	made, err := p.Provider.Create(ctx, profile)
	if err != nil || p.wrap == nil {
		return made, err
	}
	return p.wrap(made), nil
}

// embeddedOf is the cluster under any wrapping.
func embeddedOf(c clusters.Cluster) *embedded.Cluster {
	if w, ok := c.(interface{ Unwrap() clusters.Cluster }); ok {
		return embeddedOf(w.Unwrap())
	}
	return c.(*embedded.Cluster)
}

// order is the Job that is sent, changed by the injection, which begins with it.
type order struct {
	load.Job
	// begin is called with what the API server has taken.
	begin  func(at load.Place)
	change func(*batchv1.Job)
}

func (o *order) Of(pods int) load.Load {
	same := *o
	same.Job.Pods = pods
	return &same
}

func (o *order) Submit(ctx context.Context, client kubernetes.Interface, at load.Place, now func() time.Time) ([]load.Submission, error) {
	job := o.Object(at)
	o.change(job)
	s := load.Submission{Name: at.Name, Sent: now()}
	created, err := client.BatchV1().Jobs(at.Namespace).Create(ctx, job, metav1.CreateOptions{})
	s.Returned = now()
	if err != nil {
		return []load.Submission{s}, fmt.Errorf("create Job %s: %w", at.Name, err)
	}
	s.UID = string(created.UID)
	o.begin(at)
	return []load.Submission{s}, nil
}

// run sends n bursts with the cause and, if both is set, as many without it, in random
// order, and returns the run's folder.
func run(t testing.TB, cause *Cause, make func(testing.TB) *injection, n int, both bool, seed int64, artifacts string) string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), uint64(len(cause.Name))))
	in := &injection{}
	if make != nil {
		in = make(t)
	}
	r := &runner{TB: t, cause: cause, in: in, note: Note{Cause: cause.Name, Seed: seed}}
	profiles := cause.Profiles()
	if !both {
		profiles = profiles[:1]
	}
	per := n
	if both && len(profiles) == 1 && cause.Name != Nothing {
		per = 2 * n
	}
	path, err := binary()
	suite.Must(t, err)
	options := embedded.Options{Binary: path, Progress: func(line string) { t.Log(line) }}
	if in.options != nil {
		in.options(&options)
	}
	r.run, err = experiment.Start(experiment.Options{
		Plan: experiment.Plan{
			Spec:     burst.Spec{Load: &order{Job: load.Job{Pods: cause.pods()}, begin: r.begin, change: r.change}},
			Profiles: profiles, Bursts: per, Warmup: 10, Seed: seed, Artifacts: artifacts,
		},
		Provider: provider{embedded.New(options), in.wrap}, Environment: fingerprint.Read(os.DirFS("/"), fingerprint.Commit()),
		Machine: func() recording.LoadSample { return recording.LoadSample(fingerprint.ReadLoad(os.DirFS("/"))) },
		Live:    r.live,
	})
	suite.Must(t, err)
	var arms []*experiment.Arm
	defer func() {
		for _, arm := range arms {
			// The test's own context may have ended.
			suite.Must(t, arm.Close(context.WithoutCancel(t.Context())))
		}
	}()
	for _, p := range profiles {
		arm, err := r.run.Open(t.Context(), p)
		suite.Must(t, err)
		arms = append(arms, arm)
		suite.Must(t, arm.Warmup(t.Context()))
	}
	sent := map[*experiment.Arm]int{}
	for range n {
		kinds := []bool{true}
		if both && cause.Name != Nothing {
			kinds = append(kinds, false)
		}
		random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		for _, injected := range kinds {
			arm := arms[0]
			if !injected {
				arm = arms[len(arms)-1]
			}
			sent[arm]++
			if err := r.send(t.Context(), arm, sent[arm], injected); err != nil {
				t.Errorf("%s, burst %d: %v", cause.Name, sent[arm], err)
				return r.run.Dir()
			}
		}
	}
	suite.Must(t, r.run.Finish())
	return r.run.Dir()
}

// binary is the control plane, looked for once: the sources may change while the lab runs.
var binary = sync.OnceValues(func() (string, error) {
	return builder.Binary(context.Background(), builder.Options{Output: os.Stderr})
})

// runner sends a cause's bursts.
type runner struct {
	testing.TB
	cause *Cause
	in    *injection
	run   *experiment.Experiment
	note  Note

	mu sync.Mutex
	// now is the burst that is being sent; nil during a warm-up and without the cause.
	now *bench
	// end ends the injection's part during the burst; done has its error.
	end  context.CancelFunc
	done chan error
}

func (r *runner) send(ctx context.Context, arm *experiment.Arm, index int, injected bool) (err error) {
	b := &bench{TB: r.TB, cause: r.cause, cluster: embeddedOf(arm.Cluster), client: arm.Client, namespace: arm.Namespace}
	b.note = BurstNote{Profile: arm.Record.Name, Index: index, Injected: injected}
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		r.note.Bursts = append(r.note.Bursts, b.note)
		err = errors.Join(err, r.note.Write(r.run.Dir()))
	}()
	if !injected {
		return arm.Burst(ctx, index)
	}
	r.set(b)
	defer r.set(nil)
	defer func() {
		err = errors.Join(err, r.finish())
		if r.in.stop != nil {
			err = errors.Join(err, r.in.stop(context.WithoutCancel(ctx), b))
		}
	}()
	if r.in.start != nil {
		if err := r.in.start(ctx, b); err != nil {
			return err
		}
	}
	return arm.Burst(ctx, index)
}

func (r *runner) set(b *bench) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = b
}

func (r *runner) change(job *batchv1.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && r.in.job != nil {
		r.in.job(job)
	}
}

// begin starts what is done during a burst.
func (r *runner) begin(at load.Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return
	}
	b := r.now
	b.burst = at.Name
	if r.in.during == nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	r.end, r.done = cancel, make(chan error, 1)
	go func() { r.done <- r.in.during(ctx, b) }()
}

// live ends the injection when every pod is ready, before metrics are read.
func (r *runner) live(state experiment.Live) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if state.Pods > 0 && state.Counts.Ready >= state.Pods && r.end != nil && !state.Warmup {
		r.end()
	}
}

// finish waits for what is done during a burst.
func (r *runner) finish() error {
	r.mu.Lock()
	end, done := r.end, r.done
	r.end, r.done = nil, nil
	r.mu.Unlock()
	if end == nil {
		return nil
	}
	end()
	return <-done
}

// chosen are the causes that -only names.
func chosen(t testing.TB) []*Cause {
	t.Helper()
	if *onlyFlag == "" {
		return All()
	}
	var list []*Cause
	for _, name := range strings.Split(*onlyFlag, ",") {
		found := false
		for _, c := range All() {
			if c.Name == name {
				list, found = append(list, c), true
			}
		}
		if !found {
			t.Fatalf("-only: there is no cause %q", name)
		}
	}
	return list
}
