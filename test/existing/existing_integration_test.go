//go:build integration

package existing_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	files "github.com/podburst/podburst"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/preflight"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/eventually"
)

// request is one request in the foreign cluster's audit log.
type request struct {
	Verb string
	URI  string `json:"requestURI"`
	User struct{ Username string }
	Ref  struct {
		Resource, Subresource, APIGroup string
	} `json:"objectRef"`
	Status struct{ Code int } `json:"responseStatus"`
	At     time.Time          `json:"requestReceivedTimestamp"`
}

func (r request) permission() preflight.Permission {
	if r.Ref.Resource == "" {
		path, _, _ := strings.Cut(r.URI, "?")
		return preflight.Permission{Verb: r.Verb, Path: path}
	}
	return preflight.Permission{Verb: r.Verb, Group: r.Ref.APIGroup, Resource: r.Ref.Resource, Subresource: r.Ref.Subresource}
}

// asked lists, by name, the rights that a user asked for since then, and those that
// were refused.
func (f *foreign) asked(t *testing.T, user string, since time.Time) (granted, refused map[string]bool) {
	t.Helper()
	log, err := f.cluster.AuditLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	granted, refused = map[string]bool{}, map[string]bool{}
	decoder := json.NewDecoder(log)
	for {
		var r request
		if err := decoder.Decode(&r); err != nil {
			return granted, refused // the end, or a line being written
		}
		if r.User.Username != user || r.At.Before(since) {
			continue
		}
		if r.Status.Code == 403 {
			refused[r.permission().String()] = true
		} else {
			granted[r.permission().String()] = true
		}
	}
}

// Both ways to look at a cluster that others run, on one such cluster.
func TestAClusterThatOthersRun(t *testing.T) {
	f := startForeign(t, "embedded", "default")
	t.Run("is measured with the rights of the manifest", func(t *testing.T) { isMeasured(t, f.on(t)) })
	t.Run("is observed by looking alone", func(t *testing.T) { isObserved(t, f.on(t)) })
}

func isMeasured(t *testing.T, f *foreign) {

	t.Run("doctor passes for the manifest's user", func(t *testing.T) {
		code, out := doctor(t, f.podburst)
		if code != verdict.ExitPass || strings.Contains(out, string(preflight.Fail)) {
			t.Errorf("exit code %d:\n%s", code, out)
		}
		for _, says := range []string{"free pod slots", "changes nothing of the pods", "nodes/proxy: get", "limits in force"} {
			if !strings.Contains(out, says) {
				t.Errorf("the table lacks %q:\n%s", says, out)
			}
		}
		f.mustNotTell(t, out)
		f.mustBeAsBefore(t)
	})

	t.Run("doctor names what a user without rights lacks", func(t *testing.T) {
		code, out := doctor(t, f.nobody)
		if code != verdict.ExitUsage {
			t.Errorf("exit code %d, want %d", code, verdict.ExitUsage)
		}
		for _, p := range preflight.Permissions() {
			if !p.Optional && !strings.Contains(out, p.String()) {
				t.Errorf("%q is not named:\n%s", p, out)
			}
		}
		f.mustNotTell(t, out)
	})

	t.Run("the policy confines changes to the run's namespaces", func(t *testing.T) {
		provider, err := existing.New(existing.Options{Kubeconfig: f.podburst, Context: "foreign"})
		if err != nil {
			t.Fatal(err)
		}
		user, err := kubernetes.NewForConfig(provider.RESTConfig())
		if err != nil {
			t.Fatal(err)
		}
		// The API server needs a moment to notice a new policy.
		eventually.True(t, "the policy refuses a Job in namespace default", func() bool {
			job := load.Job{Pods: 1}.Object(load.Place{Namespace: "default", Name: "intruder", RunID: "x"})
			_, err = user.BatchV1().Jobs("default").Create(t.Context(), job, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			return err != nil && strings.Contains(err.Error(), "nothing outside the namespaces podburst-*")
		})
		other := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team-a"}}
		if _, err := f.admin.CoreV1().Namespaces().Create(t.Context(), other, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := user.CoreV1().Namespaces().Delete(t.Context(), other.Name, metav1.DeleteOptions{}); err == nil || !strings.Contains(err.Error(), "podburst-*") {
			t.Errorf("the deletion of another's namespace: %v", err)
		}
	})

	t.Run("a run is valid by the watch alone, and its namespace goes", func(t *testing.T) {
		began := time.Now()
		s := f.run(t)
		if code := s.Exit(); code != verdict.ExitPass {
			t.Fatalf("exit code %d, want %d", code, verdict.ExitPass)
		}
		r := s.Report()
		if r.Verdict != verdict.Pass || len(r.Bursts) != 2 {
			t.Fatalf("verdict %q of %d bursts: %v", r.Verdict, len(r.Bursts), r.Reasons)
		}
		for _, b := range r.Bursts {
			if !b.Valid || !strings.Contains(b.AuditUnavailable, "not available") {
				t.Errorf("burst %d: valid %t (%v), audit %q", b.Index, b.Valid, b.InvalidReasons, b.AuditUnavailable)
			}
			if b.UsageUnavailable != "not available on a cluster that others run" {
				t.Errorf("burst %d: usage %q, %+v", b.Index, b.UsageUnavailable, b.Usage)
			}
			for _, st := range b.Stations {
				if st.Station == station.ClientLimiter && (st.Known || st.UnknownReason == "") {
					t.Errorf("burst %d: a limiter out of nowhere: %+v", b.Index, st)
				}
			}
			for _, phase := range []string{"submit_to_create", "create_to_schedule", "pod_startup", "total"} {
				if p := b.Phases[phase]; p == nil || p.Count != b.Pods || p.Source != "watch" || !(p.P50 > 0) {
					t.Errorf("burst %d: %s is %+v, want %d samples by the watch", b.Index, phase, p, b.Pods)
				}
			}
		}
		if e := r.Profiles[0].Effective; len(e) != 0 || r.Profiles[0].Name != "default" {
			t.Errorf("profile %s with limits that nobody may read: %v", r.Profiles[0].Name, e)
		}
		if !strings.Contains(s.Text(), "Client limits in force, QPS/burst: not known") {
			t.Error("the table does not say that limits are unknown")
		}
		f.mustBeAsBefore(t)
		f.mustNotTell(t, s.Text())
		s.MustLeaveNothing(nil)

		granted, refused := f.asked(t, podburstUser, began)
		used := func(p preflight.Permission) bool {
			if p.Verb == "list" && !granted[p.String()] {
				// An informer lists if the API server cannot stream its state.
				p.Verb = "watch"
			}
			return granted[p.String()]
		}
		known := map[string]bool{"/version: get": true, "configmaps: get": true}
		for _, p := range preflight.Permissions() {
			known[p.String()] = true
			if p.Manifest && !used(p) {
				t.Errorf("the manifest grants %s, which the run did not use", p)
			}
			if p.Manifest && refused[p.String()] {
				t.Errorf("the manifest's user was refused %s", p)
			}
		}
		for name := range maps.Keys(granted) {
			if !known[name] {
				t.Errorf("the run used %s, which is not on the list", name)
			}
		}
		if got, want := slices.Sorted(maps.Keys(refused)), []string{"configmaps: get", "nodes/proxy: get"}; !slices.Equal(got, want) {
			t.Errorf("refused were %v, want %v", got, want)
		}
	})

	t.Run("a signal mid-burst removes the namespace", func(t *testing.T) {
		s := f.run(t, "PODS=60", "WARMUP=0")
		s.MustSay("sending 60 pods")
		eventually.True(t, "some pods exist", func() bool {
			list, err := f.admin.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{LabelSelector: recording.LabelBurst})
			return err == nil && len(list.Items) > 0
		})
		s.Signal(syscall.SIGINT)
		if code := s.Exit(); code != verdict.ExitInterrupted {
			t.Errorf("exit code %d, want %d", code, verdict.ExitInterrupted)
		}
		f.mustBeAsBefore(t)
		s.MustLeaveNothing(nil)
	})

	t.Run("limits that a profile states and nobody can read make it INVALID", func(t *testing.T) {
		s := f.run(t, "WARMUP=0", "PODS=5", "PROFILES="+stated(t, "kubeScheduler: {kubeAPIQPS: 50, kubeAPIBurst: 100}"))
		if code := s.Exit(); code != verdict.ExitInvalid {
			t.Errorf("exit code %d, want %d", code, verdict.ExitInvalid)
		}
		if !strings.Contains(s.Text(), "could not be read back") {
			t.Error("the reason is not given")
		}
		f.mustBeAsBefore(t)
	})

	t.Run("with the audit log's file it is the source", func(t *testing.T) {
		s := f.run(t, "WARMUP=0", "AUDIT_LOG="+f.auditFile(t))
		if code := s.Exit(); code != verdict.ExitPass {
			t.Fatalf("exit code %d, want %d", code, verdict.ExitPass)
		}
		b := s.Report().Bursts[0]
		if p := b.Phases["create_to_schedule"]; p == nil || p.Source != "audit" || b.AuditUnavailable != "" {
			t.Errorf("create_to_schedule %+v, audit %q", p, b.AuditUnavailable)
		}
		f.mustBeAsBefore(t)
	})

	t.Run("the kubelets' manifest grants what doctor misses", func(t *testing.T) {
		f.apply(files.RBACKubelets)
		// The API server does not proxy to loopback addresses, so here only the
		// reason changes, and the kubelets stay out of reach.
		_, out := doctor(t, f.podburst)
		if strings.Contains(out, "nodes/proxy: get  not allowed") || !strings.Contains(out, "read the metrics of kubelet-worker") || strings.Contains(out, "lacks get on nodes/proxy") {
			t.Errorf("after the right was granted:\n%s", out)
		}
	})
}

// auditFile is the foreign cluster's audit log.
func (f *foreign) auditFile(t *testing.T) string {
	t.Helper()
	log, err := f.cluster.AuditLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	return log.(*os.File).Name()
}
