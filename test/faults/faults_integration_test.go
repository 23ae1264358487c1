//go:build integration

package faults_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/test/internal/suite"
)

// TestEveryFaultMakesItsBurstInvalid provokes the reasons in docs/validity.md on one
// live cluster. After each fault, a clean burst shows that the cluster survived it,
// and that the fault was the reason and not the test itself.
func TestEveryFaultMakesItsBurstInvalid(t *testing.T) {
	l := newLab(t)
	t.Run("none", func(t *testing.T) { l.on(t).clean() })
	for _, faults := range []map[string]func(*lab){podFaults(), admissionFaults(), observerFaults(), componentFaults()} {
		for _, name := range slices.Sorted(maps.Keys(faults)) {
			t.Run(name, func(t *testing.T) {
				l := l.on(t)
				faults[name](l)
				if !t.Failed() {
					l.clean()
				}
			})
		}
	}
}

// burstSize is how many pods a burst has here.
const burstSize = 8

// lab is one live cluster and what a run keeps for it.
type lab struct {
	*testing.T
	cluster *embedded.Cluster
	admin   kubernetes.Interface
	watcher *watch.Watcher
	cursor  *audit.Cursor
	// settings are in force.
	settings clusters.Effective
	// generous is an objective that every burst meets: without one, no run passes.
	generous []slo.Objective

	runID, namespace string
	index            *int
}

func newLab(t *testing.T) *lab {
	made := suite.StartCluster(t, embedded.ProviderName, "default")
	l := &lab{T: t, cluster: made.(*embedded.Cluster), cursor: audit.NewCursor(made.AuditLog), runID: "faults", index: new(int),
		generous: []slo.Objective{{Name: "any", Phase: slo.Makespan, Stat: "max", Limit: metav1.Duration{Duration: time.Hour}}}}
	var err error
	l.admin, err = burst.NewClient(made.RESTConfig())
	suite.Must(t, err)
	l.settings, err = made.EffectiveConfig(t.Context())
	suite.Must(t, err)
	l.namespace, err = burst.EnsureNamespace(t.Context(), l.admin, l.runID)
	suite.Must(t, err)
	l.watcher = l.watch(made, watch.Options{})
	return l
}

// on is the lab, for another test.
func (l lab) on(t *testing.T) *lab { l.T = t; return &l }

// watch starts a watcher that stops when the test ends.
func (l *lab) watch(cluster clusters.Cluster, o watch.Options) *watch.Watcher {
	l.Helper()
	o.Namespace = l.namespace
	w, err := watch.New(cluster.RESTConfig(), o)
	suite.Must(l.T, err)
	suite.Must(l.T, w.Start(l.Context()))
	l.T.Cleanup(w.Stop)
	return w
}

// trial is one burst and what is done to it.
type trial struct {
	change  func(o *burst.Options)
	job     func(j *load.Job)
	watcher *watch.Watcher
	// fault is done to a burst when all its pods have been seen and none can be
	// scheduled: they wait for a label on the first node. Afterward the node gets it,
	// unless closed. nil: nothing holds the pods.
	fault  func(ctx context.Context, b live) error
	closed bool
}

// live is a running burst. Its ID is also the name of its Job.
type live struct {
	id      string
	tracker *watch.Tracker
}

const gateLabel = "podburst.dev/test-gate"

// run sends the trial's burst, cleans up after it, and judges it as its own run.
func (l *lab) run(ctx context.Context, tr trial) (reports.Burst, reports.Report, error) {
	l.Helper()
	*l.index++
	gate := strconv.Itoa(*l.index)
	w := tr.watcher
	if w == nil {
		w = l.watcher
	}
	o := burst.Options{
		Cluster: l.cluster, Client: l.admin, Watcher: w, Audit: l.cursor, RunID: l.runID, Namespace: l.namespace,
		Index: *l.index, Spec: burst.Spec{Deadline: 30 * time.Second},
	}
	job := load.Job{Pods: burstSize}
	done := make(chan error, 1)
	if tr.fault == nil {
		done <- nil
	} else {
		job.NodeSelector = map[string]string{gateLabel: gate}
		started := false
		o.OnProgress = func(c watch.Counts, _ time.Duration) {
			if started || c.Seen < job.Pods {
				return
			}
			started = true
			id := o.Cluster.Profile().Metadata.Name + "-" + recording.Burst{Index: o.Index}.Folder()
			b := live{id: id, tracker: w.Tracker(id)}
			go func() {
				err := tr.fault(l.Context(), b)
				if err == nil && !tr.closed {
					err = l.open(gate)
				}
				done <- err
			}()
		}
	}
	if tr.job != nil {
		tr.job(&job)
	}
	o.Load = job
	if tr.change != nil {
		tr.change(&o)
	}
	recorded, failed := burst.Run(ctx, o)
	select {
	case err := <-done:
		suite.Must(l.T, err)
	case <-time.After(time.Minute):
		l.Fatalf("the fault was not done to burst %s, which ended as %s", recorded.BurstID, recorded.EndReason)
	}
	// Only bursts that are compared need full buckets, so do not wait for them.
	suite.Must(l.T, burst.Cleanup(l.Context(), &recorded, burst.CleanupOptions{Load: job, Client: l.admin, Watcher: w}))
	report := l.judge(recorded)
	return report.Bursts[0], report, failed
}

// open lets a burst's pods onto the first node.
func (l *lab) open(gate string) error {
	patch := fmt.Sprintf(`{"metadata":{"labels":{%q:%q}}}`, gateLabel, gate)
	_, err := l.admin.CoreV1().Nodes().Patch(l.Context(), l.cluster.WorkerNodes()[0], types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// judge reports on a run with only that burst.
func (l *lab) judge(b recording.Burst) reports.Report {
	l.Helper()
	finished := b.End
	report, err := reports.Build(recording.Run{
		Manifest: recording.Manifest{ID: l.runID, StartedAt: b.Submit, FinishedAt: &finished, Provider: embedded.ProviderName,
			Profiles: []string{b.Profile}, BurstsPerProfile: 1, PodsPerBurst: b.Pods, Order: []string{b.OrderName()}},
		Profiles: []recording.Profile{{Name: b.Profile, Provider: embedded.ProviderName, Spec: l.cluster.Profile(), Effective: l.settings}},
		Bursts:   []recording.Burst{b},
	}, l.generous)
	suite.Must(l.T, err)
	return report
}

// clean sends a burst without a fault.
func (l *lab) clean() {
	l.Helper()
	b, report, err := l.run(l.Context(), trial{})
	suite.Must(l.T, err)
	if !b.Valid || report.Verdict != verdict.Pass || b.Accounting.Ready != burstSize {
		l.Errorf("a clean burst is invalid: %v; accounting %+v, verdict %q", b.InvalidReasons, b.Accounting, report.Verdict)
	}
}

// invalid sends the trial's burst and requires it to be invalid for all of the codes,
// and for no others except those that may follow from them.
func (l *lab) invalid(tr trial, codes []string, follow ...string) reports.Burst {
	l.Helper()
	b, report, _ := l.run(l.Context(), tr)
	l.wantInvalid(b, report, codes, follow...)
	return b
}

func (l *lab) wantInvalid(b reports.Burst, report reports.Report, codes []string, follow ...string) {
	l.Helper()
	if b.Valid || report.Verdict != verdict.Invalid || report.Verdict.ExitCode(false) != verdict.ExitInvalid {
		l.Errorf("valid %t, verdict %q, want an invalid run", b.Valid, report.Verdict)
	}
	if !b.Accounting.Balanced() || b.Accounting.Expected != b.Pods {
		l.Errorf("%d pods were asked for, the accounting is %+v", b.Pods, b.Accounting)
	}
	var got []string
	for _, reason := range b.InvalidReasons {
		l.Logf("%s: %s", reason.Code, reason.Detail)
		got = append(got, reason.Code)
		if !slices.Contains(codes, reason.Code) && !slices.Contains(follow, reason.Code) {
			l.Errorf("%s is no reason to expect of this fault", reason.Code)
		}
	}
	for _, code := range codes {
		if !slices.Contains(got, code) {
			l.Errorf("reasons are %v, want %s", got, code)
		}
	}
}

// eventually asks until the answer is yes, for things that a cluster does by itself.
func (l *lab) eventually(ctx context.Context, what string, is func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		yes, err := is()
		if yes {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s: not within 30 s", what), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
