//go:build integration

package existing_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/preflight/rbactest"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/eventually"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/test/internal/suite"
)

const (
	shop         = "shop"
	observerUser = "system:serviceaccount:podburst:podburst-observer"
)

// observer is one running podburst observe.
type observer struct {
	*suite.Process
	t *testing.T
}

// observe starts it and returns once it observes or has ended.
func observe(t *testing.T, kubeconfig string, args ...string) observer {
	t.Helper()
	artifacts := t.TempDir()
	o := observer{suite.StartCommand(t, append([]string{"observe", "--kubeconfig", kubeconfig, "--context", "foreign",
		"--namespace", shop, "--artifacts", artifacts, "--for", "60s", "--settle", "2s"}, args...)...), t}
	o.Artifacts = artifacts
	o.Says("observing pods")
	return o
}

// burst is the burst that was recorded.
func (o observer) burst() (reports.Report, reports.Burst) {
	o.t.Helper()
	r := o.Report()
	if len(r.Bursts) != 1 || r.Bursts[0].Passive == nil {
		o.t.Fatalf("%d bursts, want one passive", len(r.Bursts))
	}
	return r, r.Bursts[0]
}

// output is what a successful command prints.
func output(t *testing.T, arguments ...string) string {
	t.Helper()
	p := suite.StartCommand(t, arguments...)
	if code := p.Exit(); code != verdict.ExitPass {
		t.Errorf("podburst %s: exit code %d", strings.Join(arguments, " "), code)
	}
	return p.Stdout()
}

func (o observer) mustBeInvalid(codes ...string) reports.Burst {
	o.t.Helper()
	if code := o.Exit(); code != verdict.ExitInvalid {
		o.t.Errorf("exit code %d, want %d", code, verdict.ExitInvalid)
	}
	_, b := o.burst()
	for _, code := range codes {
		if !slices.ContainsFunc(b.InvalidReasons, func(p recording.Problem) bool { return p.Code == code }) {
			o.t.Errorf("not %s, but %v", code, b.InvalidReasons)
		}
	}
	return b
}

// people create pods.
type people struct {
	t     *testing.T
	admin kubernetes.Interface
}

// pod is like one of our bursts' pods, with these labels and made by hand.
func (p people) pod(name string, labels map[string]string) *corev1.Pod {
	p.t.Helper()
	template := load.Request{}.Template(nil, corev1.RestartPolicyNever)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Spec: template.Spec}
	made, err := p.admin.CoreV1().Pods(shop).Create(p.t.Context(), pod, metav1.CreateOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	return made
}

func (p people) job(name string, labels map[string]string, pods int) {
	p.t.Helper()
	job := load.Job{Pods: pods}.Object(load.Place{Namespace: shop, Name: name, RunID: "x"})
	job.Labels, job.Spec.Template.Labels = nil, labels
	if _, err := p.admin.BatchV1().Jobs(shop).Create(p.t.Context(), job, metav1.CreateOptions{}); err != nil {
		p.t.Fatal(err)
	}
}

func (p people) awaitReady(pods int) {
	p.t.Helper()
	eventually.True(p.t, fmt.Sprintf("%d pods are ready", pods), func() bool {
		list, err := p.admin.CoreV1().Pods(shop).List(p.t.Context(), metav1.ListOptions{})
		if err != nil {
			p.t.Fatal(err)
		}
		ready := 0
		for _, pod := range list.Items {
			for _, c := range pod.Status.Conditions {
				if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
					ready++
				}
			}
		}
		return ready >= pods
	})
}

func isObserved(t *testing.T, f *foreign) {
	manifest := output(t, "rbac", "--passive", "--namespace", shop)
	if _, err := f.admin.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: shop}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	// A controller makes it, too, but in its own time.
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	if _, err := f.admin.CoreV1().ServiceAccounts(shop).Create(t.Context(), account, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	f.apply(manifest)
	kubeconfig := f.kubeconfig("podburst", "podburst-observer")
	web := map[string]string{"app": "web"}
	others := people{t, f.admin}
	for i := range 3 {
		others.pod(fmt.Sprintf("old-%d", i), web)
	}
	others.awaitReady(3)

	t.Run("a job's pods and bare ones, and neither those before nor those beside", func(t *testing.T) {
		began := time.Now()
		o := observe(t, kubeconfig, "--selector", "app=web")
		others := people{t, f.admin}
		others.job("web", web, 20)
		others.job("beside", map[string]string{"app": "cache"}, 3)
		for i := range 5 {
			others.pod(fmt.Sprintf("bare-%d", i), web)
		}
		zero := int64(0)
		if err := f.admin.CoreV1().Pods(shop).Delete(t.Context(), "old-0", metav1.DeleteOptions{GracePeriodSeconds: &zero}); err != nil {
			t.Fatal(err)
		}
		if code := o.Exit(); code != verdict.ExitPass {
			t.Errorf("exit code %d, want %d", code, verdict.ExitPass)
		}
		r, b := o.burst()
		if !b.Valid || b.Pods != 25 || b.Accounting.Ready != 25 || b.Passive.Existing != 3 || b.EndReason != recording.EndSettled {
			t.Errorf("valid %t (%v), %d pods, %+v, passive %+v, ended %s", b.Valid, b.InvalidReasons, b.Pods, b.Accounting, b.Passive, b.EndReason)
		}
		if b.MakespanSeconds != nil || !b.SubmittedAt.IsZero() || len(b.Completion) != 0 || b.SpanSeconds == nil || !(*b.SpanSeconds > 0) {
			t.Errorf("makespan %v, submitted %v, completion %v, span %v", b.MakespanSeconds, b.SubmittedAt, b.Completion, b.SpanSeconds)
		}
		for name, p := range b.Phases {
			submitted := strings.HasPrefix(name, "submit_") || name == "total" || name == "scheduling"
			logged := name == "creation" || name == "startup"
			// Without an audit log both of its marks are one watch event: nothing is measured.
			once := name == "run_to_observed" || name == "run_to_watch"
			if (p == nil) != (submitted || logged || once) {
				t.Errorf("%s is %+v", name, p)
			}
		}
		for _, name := range []string{"create_to_schedule", "pod_startup"} {
			if p := b.Phases[name]; p == nil || p.Count != 25 || p.Missing != 0 || p.Source != "watch" || !(p.P50 > 0) {
				t.Errorf("%s is %+v, want 25 samples by the watch", name, p)
			}
		}
		if len(b.Worst) != 5 || len(r.Profiles[0].Effective) != 0 || len(r.Profiles[0].Nodes) != 2 {
			t.Errorf("worst %v, effective %v, nodes %v", b.Worst, r.Profiles[0].Effective, r.Profiles[0].Nodes)
		}
		for _, says := range []string{"match app=web", "3 that were there before are left out", "When they were submitted is not known",
			"Not known, and so not ruled out", "first create to last ready"} {
			if !strings.Contains(strings.Join(strings.Fields(o.Stdout()), " "), says) {
				t.Errorf("the table does not say %q", says)
			}
		}
		f.mustNotTell(t, o.Stdout(), o.Stderr())
		f.mustOnlyHaveLooked(t, began, manifest)

		again := output(t, "report", "--format", "json", o.Run())
		if reread, err := reports.ReadJSON(strings.NewReader(again)); err != nil || reread.Verdict != r.Verdict || len(reread.SLO) != len(r.SLO) {
			t.Errorf("the recording read again is %s, %v", reread.Verdict, err)
		}
	})

	t.Run("so many as are waited for, with the audit log where it is", func(t *testing.T) {
		o := observe(t, kubeconfig, "-l", "app=counted", "--pods", "4", "--audit-log", f.auditFile(t))
		people{t, f.admin}.job("counted", map[string]string{"app": "counted"}, 4)
		if code := o.Exit(); code != verdict.ExitPass {
			t.Errorf("exit code %d, want %d", code, verdict.ExitPass)
		}
		_, b := o.burst()
		if p := b.Phases["create_to_schedule"]; !b.Valid || b.EndReason != recording.EndAllReady || p == nil || p.Source != "audit" || p.Count != 4 {
			t.Errorf("valid %t (%v), ended %s, create_to_schedule %+v", b.Valid, b.InvalidReasons, b.EndReason, p)
		}
	})

	t.Run("no pod at all is INVALID", func(t *testing.T) {
		b := observe(t, kubeconfig, "-l", "app=wbe", "--for", "3s").mustBeInvalid(recording.ProblemNoSamples)
		if b.Pods != 0 || b.Accounting.Ready != 0 || b.Phases["pod_startup"].Count != 0 {
			t.Errorf("%+v", b.Accounting)
		}
	})

	t.Run("fewer than were waited for is INVALID", func(t *testing.T) {
		o := observe(t, kubeconfig, "-l", "app=few", "--pods", "3", "--for", "5s")
		people{t, f.admin}.job("few", map[string]string{"app": "few"}, 2)
		if b := o.mustBeInvalid(recording.ProblemPodLost); b.Accounting.Lost != 1 || b.Accounting.Ready != 2 {
			t.Errorf("%+v", b.Accounting)
		}
	})

	t.Run("a pod that goes, and one that is labeled later, are INVALID", func(t *testing.T) {
		others := people{t, f.admin}
		old := others.pod("late", map[string]string{"app": "other"})
		others.awaitReady(1)
		time.Sleep(3 * time.Second)
		o := observe(t, kubeconfig, "-l", "app=moving")
		others.pod("goes", map[string]string{"app": "moving"})
		old, err := f.admin.CoreV1().Pods(shop).Get(t.Context(), old.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		old.Labels["app"] = "moving"
		if _, err := f.admin.CoreV1().Pods(shop).Update(t.Context(), old, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := f.admin.CoreV1().Pods(shop).Delete(t.Context(), "goes", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		o.mustBeInvalid(recording.ProblemPodDeleted, recording.ProblemPodLost, recording.ProblemPodLate)
	})

	t.Run("an interrupt leaves a report", func(t *testing.T) {
		o := observe(t, kubeconfig, "-l", "app=none")
		o.Signal(syscall.SIGINT)
		if code := o.Exit(); code != verdict.ExitInterrupted {
			t.Errorf("exit code %d, want %d", code, verdict.ExitInterrupted)
		}
		if r, b := o.burst(); r.Verdict != verdict.Invalid || b.EndReason != recording.EndInterrupted {
			t.Errorf("verdict %s, ended %s", r.Verdict, b.EndReason)
		}
	})

	t.Run("who may not look is told what to ask for", func(t *testing.T) {
		o := observe(t, f.nobody, "-l", "app=web")
		if code := o.Exit(); code != verdict.ExitUsage {
			t.Errorf("exit code %d, want %d", code, verdict.ExitUsage)
		}
		if !strings.Contains(o.Stderr(), "podburst rbac --passive --namespace shop") {
			t.Error("the right that is missing is not named")
		}
		if left, _ := filepath.Glob(filepath.Join(o.Artifacts, "*")); len(left) > 0 {
			t.Errorf("a run was recorded: %v", left)
		}
	})
}

// mustOnlyHaveLooked compares what the observer asked for with its manifest.
func (f *foreign) mustOnlyHaveLooked(t *testing.T, since time.Time, manifest string) {
	t.Helper()
	granted, refused := f.asked(t, observerUser, since)
	for name := range granted {
		if verb := name[strings.LastIndex(name, " ")+1:]; !slices.Contains([]string{"get", "list", "watch"}, verb) {
			t.Errorf("it did more than look: %s", name)
		}
	}
	for name := range refused {
		if name != "nodes/proxy: get" {
			t.Errorf("it was refused %s", name)
		}
	}
	used := slices.Sorted(maps.Keys(granted))
	// Every user may read the version.
	used = slices.DeleteFunc(used, func(name string) bool { return name == "/version: get" })
	if rights := rbactest.Granted(t, manifest); !slices.Equal(rights, used) {
		t.Errorf("the manifest grants\n%v\nand it used\n%v", rights, used)
	}
}
