//go:build integration

package faults_test

import (
	"context"
	"errors"
	"sync"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/test/internal/suite"
)

// componentFaults are faults of the control plane and the nodes.
func componentFaults() map[string]func(l *lab) {
	scheduler := clusters.Instance{Component: clusters.KubeScheduler}
	apiServer := clusters.Instance{Component: clusters.KubeAPIServer}
	return map[string]func(l *lab){
		"the scheduler is restarted": func(l *lab) {
			l.invalid(trial{fault: l.restart(scheduler)}, []string{recording.ProblemComponentRestarted})
		},
		"a kubelet is restarted": func(l *lab) {
			kubelet := clusters.Instance{Component: clusters.Kubelet, Node: l.cluster.WorkerNodes()[1]}
			l.invalid(trial{fault: l.restart(kubelet)}, []string{recording.ProblemComponentRestarted}, recording.ProblemNodeNotReady)
		},
		"the scheduler is restarted where processes cannot be seen": func(l *lab) {
			l.invalid(trial{change: func(o *burst.Options) { o.Cluster = unseen{o.Cluster} }, fault: l.restart(scheduler)},
				[]string{recording.ProblemComponentRestarted})
		},
		"the API server is restarted": func(l *lab) {
			b := l.invalid(trial{fault: l.restart(apiServer)}, []string{recording.ProblemComponentRestarted, recording.ProblemWatchGap},
				// It was killed with part of its audit log still in memory; the list
				// after that may show pods past a mark; and the kubelets may have
				// missed a heartbeat.
				recording.ProblemAuditGap, recording.ProblemPodLate, recording.ProblemMarkMissing, recording.ProblemNodeNotReady)
			if b.Accounting.Ready != burstSize {
				l.Errorf("accounting %+v: the run did not survive it", b.Accounting)
			}
		},
		"the scheduler stops":  func(l *lab) { l.stops(scheduler) },
		"the API server stops": func(l *lab) { l.stops(apiServer) },
		"the profile is not what runs": func(l *lab) {
			tuned, err := clusters.Resolve("tuned")
			suite.Must(l.T, err)
			run, arm := l.experiment(tuned, burstSize, nil)
			suite.Must(l.T, arm.Burst(l.Context(), 1))
			suite.Must(l.T, arm.Close(l.Context()))
			report, err := reports.Build(run.Run(), nil)
			suite.Must(l.T, err)
			l.wantInvalid(report.Bursts[0], report, []string{recording.ProblemSettingsMismatch})
		},
	}
}

// restart is a fault: another process serves the instance afterward.
func (l *lab) restart(instance clusters.Instance) func(context.Context, live) error {
	return func(ctx context.Context, _ live) error {
		if err := l.cluster.StopComponent(ctx, instance); err != nil {
			return err
		}
		return l.cluster.StartComponent(ctx, instance)
	}
}

// stops kills the instance in the middle of an experiment's burst, which must end
// long before its deadline and be recorded.
func (l *lab) stops(instance clusters.Instance) {
	// 100 pods cannot be created before the first progress report: the Job
	// controller's own limiter stretches them over seconds.
	const many = 100
	var once sync.Once
	stopped := make(chan error, 1)
	run, arm := l.experiment(l.cluster.Profile(), many, func(state experiment.Live) {
		if state.Counts.Seen > 0 {
			once.Do(func() { go func() { stopped <- l.cluster.StopComponent(l.Context(), instance) }() })
		}
	})
	failed := arm.Burst(l.Context(), 1)
	suite.Must(l.T, <-stopped)
	suite.Must(l.T, l.cluster.StartComponent(l.Context(), instance))
	if failed == nil {
		l.Error("the arm is said to be of use still")
	}
	suite.Must(l.T, arm.Close(l.Context()))
	suite.Must(l.T, burst.DeleteRunNamespace(l.Context(), l.admin, run.Run().Manifest.ID))
	report, err := reports.Build(run.Run(), nil)
	suite.Must(l.T, err)
	l.wantInvalid(report.Bursts[0], report, []string{recording.ProblemComponentExited, recording.ProblemPodLost},
		append(mixed, recording.ProblemPodPending, recording.ProblemNoSamples, recording.ProblemWatchGap, recording.ProblemAuditGap,
			// When the burst is given up, the audit log may show a pod as ready that
			// the watch has not shown yet.
			recording.ProblemMarkMissing)...)
}

// experiment opens the lab's cluster as if it had been started for the profile.
func (l *lab) experiment(profile clusters.Profile, size int, progress func(experiment.Live)) (*experiment.Experiment, *experiment.Arm) {
	l.Helper()
	run, err := experiment.Start(experiment.Options{
		Plan:     experiment.Plan{Spec: burst.Spec{Load: load.Job{Pods: size}}, Bursts: 1, Profiles: []clusters.Profile{profile}, Artifacts: l.TempDir()},
		Provider: lender{l.cluster}, Live: progress,
	})
	suite.Must(l.T, err)
	arm, err := run.Open(l.Context(), profile)
	suite.Must(l.T, err)
	return run, arm
}

// lender is the provider of a cluster that already exists, and stays.
type lender struct{ cluster *embedded.Cluster }

func (lender) Name() string { return embedded.ProviderName }

func (p lender) Create(_ context.Context, profile clusters.Profile) (clusters.Cluster, error) {
	return lent{p.cluster, profile}, nil
}

type lent struct {
	clusters.Cluster
	profile clusters.Profile
}

func (c lent) Profile() clusters.Profile  { return c.profile }
func (lent) Delete(context.Context) error { return nil }

// unseen is a cluster that gives metrics but not its processes.
type unseen struct{ clusters.Cluster }

func (unseen) Processes(context.Context) ([]clusters.Process, error) {
	return nil, errors.Join(clusters.ErrUnsupported)
}
