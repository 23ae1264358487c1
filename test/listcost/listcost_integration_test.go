//go:build integration

package listcost_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/testbed"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/test/internal/suite"
)

// smallPlan is the whole measurement in about 20 s.
var smallPlan = listcost.Plan{Sizes: []int{12, 25, 50}, Rounds: 4, InformerRounds: 1, Limit: 10, Consumers: []int{1, 3}, Changes: 5}

// TestListCostsOfALiveCluster checks by counting, on a live API server, what the
// documentation of Kubernetes and client-go says, and that the testbed's watcher is
// as frugal as it should be.
func TestListCostsOfALiveCluster(t *testing.T) {
	profile, err := clusters.Resolve("default")
	suite.Must(t, err)
	bed, err := testbed.Open(t.Context(), testbed.Options{
		Provider: suite.Provider(t, embedded.ProviderName), Profile: profile, RunID: "listcost", Dir: t.TempDir(), Progress: func(s string) { t.Log(s) },
	})
	suite.Must(t, err)
	// By then the test's own context has ended; closing works all the same.
	t.Cleanup(func() { suite.Must(t, bed.Close(context.Background())) })

	cost, err := listcost.Measure(t.Context(), bed, listcost.Options{Plan: smallPlan, Seed: 1, Progress: func(s string) { t.Log(s) }})
	suite.Must(t, err)
	if cost.FinishedAt == nil || len(cost.Sizes) != len(smallPlan.Sizes) || cost.AuditUnavailable != "" || cost.MetricsUnavailable != "" {
		t.Fatalf("finished %v, %d sizes, audit %q, metrics %q", cost.FinishedAt, len(cost.Sizes), cost.AuditUnavailable, cost.MetricsUnavailable)
	}
	if golden.Update() {
		recordAnswers(t, bed.Cluster, bed.Client)
	}
	t.Run("the watcher reads each resource once", func(t *testing.T) { frugal(t, bed.Watcher) })
	for _, size := range cost.Sizes {
		lists(t, size)
		crowds(t, size)
	}
	left, err := bed.Client.CoreV1().Pods(bed.Namespace).List(t.Context(), metav1.ListOptions{})
	suite.Must(t, err)
	if len(left.Items) > 0 {
		t.Errorf("%d pods are left", len(left.Items))
	}
}

func start(t *testing.T, arguments ...string) *suite.Process {
	artifacts := filepath.Join(t.TempDir(), "artifacts")
	p := suite.StartCommand(t, append([]string{"list-cost", "--provider", "embedded", "--artifacts", artifacts}, arguments...)...)
	p.Artifacts = artifacts
	return p
}

// report is the run's listcost.json.
func report(t *testing.T, p *suite.Process) (r listcost.Report) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.Run(), "listcost.json"))
	suite.Must(t, err)
	suite.Must(t, json.Unmarshal(data, &r))
	return r
}

func TestTheCommandMeasuresJudgesAndLeavesNothing(t *testing.T) {
	p := start(t, "--pods", "10,20,40", "--rounds", "2", "--limit", "10")
	if code := p.Exit(); code != verdict.ExitPass {
		t.Fatalf("exit code %d, want %d", code, verdict.ExitPass)
	}
	r := report(t, p)
	if r.Verdict != verdict.Pass || r.Run.FinishedAt == nil || len(r.Profiles) != 1 || !r.Profiles[0].Complete {
		t.Fatalf("verdict %s, finished %v, %d profiles: %q", r.Verdict, r.Run.FinishedAt, len(r.Profiles), r.Reasons)
	}
	for _, c := range r.Profiles[0].Checks {
		if c.Verdict == verdict.Fail || c.Verdict == verdict.Invalid {
			t.Errorf("%+v", c)
		}
	}
	for _, want := range []string{"honors a limit with resourceVersion unset", "does not honor a limit with resourceVersion=0"} {
		if !strings.Contains(p.Stdout(), want) {
			t.Errorf("the table does not say %q", want)
		}
	}
	if failures, errs := p.JUnit(); len(failures)+len(errs) > 0 {
		t.Errorf("JUnit has failures %q and errors %q", failures, errs)
	}
	p.MustLeaveNothing(nil)

	again := suite.StartCommand(t, "list-cost", "--from", p.Run())
	if code := again.Exit(); code != verdict.ExitPass || again.Stdout() != p.Stdout() {
		t.Errorf("the recorded run is shown with exit code %d and differs from the live one: %t", code, again.Stdout() != p.Stdout())
	}
}

func TestASignalLeavesNothingBehindAndKeepsWhatWasMeasured(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			p := start(t, "--pods", "10,20", "--rounds", "2", "--limit", "10")
			p.MustSay("listing 20 pods")
			ports := p.Ports()
			if len(ports) < 5 {
				t.Errorf("only %d open ports found: the check would prove nothing", len(ports))
			}
			p.Signal(signal)
			if code := p.Exit(); code != verdict.ExitInterrupted {
				t.Errorf("exit code %d, want %d", code, verdict.ExitInterrupted)
			}
			p.MustLeaveNothing(ports)
			r := report(t, p)
			if r.Verdict != verdict.Invalid || r.Run.Interrupted == "" || len(r.Profiles) != 1 || r.Profiles[0].Complete {
				t.Errorf("verdict %s, interrupted %q, %d profiles", r.Verdict, r.Run.Interrupted, len(r.Profiles))
			}
			recorded, err := listcost.Read(p.Run())
			if err != nil || len(recorded.Observations) != 1 || len(recorded.Observations[0].Sizes) == 0 || recorded.Observations[0].Sizes[0].Pods != 10 {
				t.Errorf("recorded: %+v, %v", recorded.Observations, err)
			}
		})
	}
}

// recordAnswers writes the API server's answers to each way to list three pods, in
// pages of two, for the tests of framework/listcost.
func recordAnswers(t *testing.T, cluster clusters.Cluster, client kubernetes.Interface) {
	namespace, err := burst.EnsureNamespace(t.Context(), client, "recorded")
	suite.Must(t, err)
	for i := range 3 {
		pod := &corev1.Pod{Spec: load.Request{}.Template(nil, corev1.RestartPolicyNever).Spec}
		pod.Name, pod.Spec.SchedulerName = fmt.Sprintf("pod-%d", i), "nobody"
		_, err := client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{})
		suite.Must(t, err)
	}
	plain, err := rest.HTTPClientFor(cluster.RESTConfig())
	suite.Must(t, err)
	for _, s := range listcost.Strategies() {
		resume := ""
		for page := 1; page == 1 || resume != ""; page++ {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, cluster.RESTConfig().Host+"/api/v1/namespaces/"+namespace+"/pods", nil)
			suite.Must(t, err)
			query := s.Query(listcost.Plan{Limit: 2}, resume)
			if s.Streaming {
				query.Set("timeoutSeconds", "1") // so that it ends by itself
			}
			request.URL.RawQuery = query.Encode()
			request.Header.Set("Accept", s.Accept())
			response, err := plain.Do(request)
			suite.Must(t, err)
			body, err := io.ReadAll(response.Body)
			suite.Must(t, err)
			suite.Must(t, response.Body.Close())
			response.Body = io.NopCloser(bytes.NewReader(body))
			dump, err := httputil.DumpResponse(response, true)
			suite.Must(t, err)
			suite.Must(t, os.WriteFile(fmt.Sprintf("../../framework/listcost/testdata/recorded/%s-%d.http", s.Name, page), dump, 0o644))
			resume = listcost.ContinueOf(body)
		}
	}
}

// frugal: one LIST and one WATCH, or one streaming list that is both.
func frugal(t *testing.T, watcher *watch.Watcher) {
	requests := watcher.Requests()
	for _, resource := range []string{"pods", "nodes", "events"} {
		r := requests[resource]
		one := r.Lists == 1 && r.StreamingLists == 0 && r.Watches == 1 || r.Lists == 0 && r.StreamingLists == 1 && r.Watches == 0
		if !one || r.Relists != 0 || r.Errors != 0 {
			t.Errorf("%s: %+v", resource, r)
		}
	}
	if len(requests) != 3 {
		t.Errorf("it asked for other resources, too: %v", requests)
	}
	h := watcher.Health()
	if h.TotalLists+h.TotalStreamingLists != 1 || h.TotalStreamingLists+h.TotalWatches != 1 || h.Relists != 0 {
		t.Errorf("its health counts %d lists, %d streaming lists, %d watches, %d relists", h.TotalLists, h.TotalStreamingLists, h.TotalWatches, h.Relists)
	}
}

func lists(t *testing.T, size listcost.Size) {
	limit := smallPlan.Limit
	tries := map[string]int{}
	for _, s := range size.Lists {
		tries[s.Strategy]++
		items := 0
		for _, n := range s.Pages {
			items += n
		}
		if s.Error != "" || items != size.Pods {
			t.Errorf("%s of %d pods: %d items, error %q", s.Strategy, size.Pods, items, s.Error)
			continue
		}
		if s.ServerSeconds == nil && s.Strategy != "streaming" { // a stream's end is logged only when the server notices it
			t.Errorf("%s of %d pods: not in the audit log", s.Strategy, size.Pods)
		}
		if want := (size.Pods + limit - 1) / limit; s.Strategy == "paged" && (len(s.Pages) != want || slices.Max(s.Pages) > limit) {
			t.Errorf("%d pods in pages of %d: got pages of %v, want %d", size.Pods, limit, s.Pages, want)
		}
		if s.Strategy == "full" && len(s.Pages) != 1 {
			t.Errorf("without a limit: pages of %v", s.Pages)
		}
	}
	for _, s := range listcost.Strategies() {
		if tries[s.Name] != smallPlan.Rounds {
			t.Errorf("%s: %d tries, want %d", s.Name, tries[s.Name], smallPlan.Rounds)
		}
	}
}

func crowds(t *testing.T, size listcost.Size) {
	for _, s := range size.Informers {
		want := 1
		if s.Style == string(listcost.Private) {
			want = s.Consumers
		}
		reads := 0
		for _, r := range s.Sync {
			if r.Verb != listcost.VerbWatch {
				reads += r.Requests
			}
			if r.Deadline {
				t.Errorf("%s has a request timeout", r.Verb)
			}
		}
		if s.Error != "" || s.OpenWatches != want || reads != want {
			t.Errorf("%s informers of %d consumers: %d watches open, %d full reads, want %d of each; error %q", s.Style, s.Consumers, s.OpenWatches, reads, want, s.Error)
		}
		if least := s.Consumers * (size.Pods + smallPlan.Changes); s.Delivered < least {
			t.Errorf("%s informers: %d keys delivered to %d consumers, want at least %d", s.Style, s.Delivered, s.Consumers, least)
		}
	}
}
