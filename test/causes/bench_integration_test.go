//go:build integration

package causes

import (
	"context"
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
	pods      int
	in        *injection
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

// plan is what is sent to the clusters of one run.
type plan struct {
	// causes have one profile in common, and so many pods a burst.
	causes []*Cause
	pods   int
	// bursts of each; lifted: as many without it.
	bursts int
	lifted bool
	// warmup is the warm-up's number of pods, seed that of the order.
	warmup    int
	seed      int64
	artifacts string
}

// one is a burst of the plan.
type one struct {
	cause    *Cause
	injected bool
}

// order are the bursts in blocks of one of each kind, in random order.
func (p plan) order() []one {
	random := rand.New(rand.NewPCG(uint64(p.seed), uint64(len(p.causes[0].Name))))
	var all []one
	for range p.bursts {
		var block []one
		for _, c := range p.causes {
			block = append(block, one{c, true})
			if p.lifted && c.Name != Nothing {
				block = append(block, one{c, false})
			}
		}
		random.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
		all = append(all, block...)
	}
	return all
}

// run sends the plan's bursts and returns the run's folder.
func run(t testing.TB, p plan) string {
	t.Helper()
	r := &runner{TB: t, pods: p.pods, injections: map[*Cause]*injection{}, note: Note{Seed: p.seed}}
	path, err := binary()
	suite.Must(t, err)
	options := embedded.Options{Binary: path, Progress: func(line string) { t.Log(line) }}
	starts := provider{}
	for _, c := range p.causes {
		r.injections[c] = &injection{}
		if inject := injections[c.Name]; inject != nil {
			r.injections[c] = inject(t)
		}
		if in := r.injections[c]; in.options != nil {
			in.options(&options)
		}
		if in := r.injections[c]; in.wrap != nil {
			starts.wrap = in.wrap
		}
	}
	starts.Provider = embedded.New(options)
	profiles := p.causes[0].Profiles()
	if !p.lifted {
		profiles = profiles[:1]
	}
	all := p.order()
	r.run, err = experiment.Start(experiment.Options{
		Plan: experiment.Plan{
			Spec:     burst.Spec{Load: &order{Job: load.Job{Pods: p.pods}, begin: r.begin, change: r.change}},
			Profiles: profiles, Bursts: len(all) / len(profiles), Warmup: p.warmup, Seed: p.seed, Artifacts: p.artifacts,
		},
		Provider: starts, Environment: fingerprint.Read(os.DirFS("/"), fingerprint.Commit()),
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
	for _, profile := range profiles {
		arm, err := r.run.Open(t.Context(), profile)
		suite.Must(t, err)
		arms = append(arms, arm)
		if p.warmup > 0 {
			suite.Must(t, arm.Warmup(t.Context()))
		}
	}
	sent := map[*experiment.Arm]int{}
	for _, next := range all {
		arm := arms[0]
		if !next.injected {
			arm = arms[len(arms)-1]
		}
		sent[arm]++
		if err := r.send(t.Context(), arm, sent[arm], next); err != nil {
			t.Errorf("%s, burst %d: %v", next.cause.Name, sent[arm], err)
			return r.run.Dir()
		}
	}
	suite.Must(t, r.run.Finish())
	return r.run.Dir()
}

// binary is the control plane, looked for once: the sources may change while the lab runs.
var binary = sync.OnceValues(func() (string, error) {
	return builder.Binary(context.Background(), builder.Options{Output: os.Stderr})
})

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
