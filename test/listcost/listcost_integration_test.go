//go:build integration

package listcost_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/test/internal/suite"
)

// smallPlan is the whole measurement in about 20 s.
var smallPlan = recording.ListCostPlan{Sizes: []int{12, 25, 50}, Rounds: 4, InformerRounds: 1, Limit: 10, Consumers: []int{1, 3}, Changes: 5}

// TestListCostsOfALiveCluster counts on a live API server what the documentation
// of Kubernetes and client-go says, and that the suite's own watcher is as frugal
// as it should be.
func TestListCostsOfALiveCluster(t *testing.T) {
	cluster := suite.StartCluster(t, embedded.ProviderName, "default")
	client, err := burst.NewClient(cluster.RESTConfig())
	suite.Must(t, err)
	namespace, err := burst.EnsureNamespace(t.Context(), client, "listcost")
	suite.Must(t, err)
	watcher, err := watch.New(cluster.RESTConfig(), watch.Options{Namespace: namespace})
	suite.Must(t, err)
	suite.Must(t, watcher.Start(t.Context()))
	t.Cleanup(watcher.Stop)

	cost, err := listcost.Measure(t.Context(), listcost.Options{
		Cluster: cluster, Client: client, Namespace: namespace, RunID: "listcost", Plan: smallPlan, Seed: 1,
		Audit: audit.NewCursor(cluster.AuditLog), Progress: func(s string) { t.Log(s) },
	})
	suite.Must(t, err)
	if cost.FinishedAt == nil || len(cost.Sizes) != len(smallPlan.Sizes) || cost.AuditUnavailable != "" || cost.MetricsUnavailable != "" {
		t.Fatalf("finished %v, %d sizes, audit %q, metrics %q", cost.FinishedAt, len(cost.Sizes), cost.AuditUnavailable, cost.MetricsUnavailable)
	}
	if golden.Update() {
		recordAnswers(t, cluster, client)
	}
	t.Run("the suite's watcher reads each resource once", func(t *testing.T) { frugal(t, watcher) })
	for _, size := range cost.Sizes {
		lists(t, size)
		crowds(t, size)
	}
}

// TestARunOfListCostsSendsNoBurstAndHasAVerdict runs the part of the suite that
// LABELS=list-cost asks for.
func TestARunOfListCostsSendsNoBurstAndHasAVerdict(t *testing.T) {
	s := suite.Start(t, "LABELS=list-cost", "LIST_PODS=10,20,40", "LIST_ROUNDS=2", "LIST_LIMIT=10", "PROFILES=default")
	if code := s.Exit(); code != verdict.ExitPass {
		t.Fatalf("exit code %d, want %d\n%s", code, verdict.ExitPass, s.Text())
	}
	r := s.Report()
	if r.Verdict != verdict.Pass || !r.Run.Complete || len(r.Bursts) != 0 || len(r.SLO) != 0 || r.ListCost == nil || len(r.ListCost.Profiles) != 1 {
		t.Fatalf("verdict %s, complete %t, %d bursts, list costs %t: %q", r.Verdict, r.Run.Complete, len(r.Bursts), r.ListCost != nil, r.Reasons)
	}
	for _, c := range r.ListCost.Profiles[0].Checks {
		if c.Verdict == listcost.Fail || c.Verdict == listcost.Invalid {
			t.Errorf("%+v", c)
		}
	}
	for _, want := range []string{"honors a limit with resourceVersion unset", "does not honor a limit with resourceVersion=0"} {
		if !strings.Contains(s.Text(), want) {
			t.Errorf("the table does not say %q", want)
		}
	}
	s.MustLeaveNothing(nil)
}

// recordAnswers writes what the API server answers to each way to list three pods, in
// pages of two, for the tests of framework/listcost.
func recordAnswers(t *testing.T, cluster clusters.Cluster, client kubernetes.Interface) {
	namespace, err := burst.EnsureNamespace(t.Context(), client, "recorded")
	suite.Must(t, err)
	for i := range 3 {
		pod := &corev1.Pod{Spec: burst.Sample(namespace, "x", "recorded", "", 1).Spec.Template.Spec}
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
			query := s.Query(recording.ListCostPlan{Limit: 2}, resume)
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

// frugal: one LIST and one WATCH, or the one streaming list that is both.
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

func lists(t *testing.T, size recording.ListCostSize) {
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
		if s.ServerSeconds == nil && s.Strategy != "streaming" { // whose end is logged when the server notices it
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

func crowds(t *testing.T, size recording.ListCostSize) {
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
