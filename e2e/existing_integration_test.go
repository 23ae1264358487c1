//go:build integration

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/preflight"
	"github.com/podburst/podburst/reports"

	files "github.com/podburst/podburst"
)

// foreign is a live cluster that the suite has nothing to do with but by kubeconfig.
type foreign struct {
	t                *testing.T
	cluster          clusters.Cluster
	admin            kubernetes.Interface
	dynamic          dynamic.Interface
	podburst, nobody string // kubeconfigs
	tokens           []string
}

const podburstUser = "system:serviceaccount:podburst:podburst"

func startForeign(t *testing.T) *foreign {
	t.Helper()
	provider, _, err := providers.Choose(t.Context(), "embedded", providers.Options{Out: testWriter{t}})
	if err != nil {
		t.Fatal(err)
	}
	profile, err := clusters.Resolve("default")
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := provider.Create(t.Context(), profile)
	if err != nil {
		t.Fatal(err)
	}
	f := &foreign{t: t, cluster: cluster}
	t.Cleanup(func() {
		// The test's own context has ended by now.
		if err := cluster.Delete(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if f.admin, err = kubernetes.NewForConfig(cluster.RESTConfig()); err != nil {
		t.Fatal(err)
	}
	if f.dynamic, err = dynamic.NewForConfig(cluster.RESTConfig()); err != nil {
		t.Fatal(err)
	}
	f.apply(files.RBAC)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "nobody"}}
	if _, err := f.admin.CoreV1().ServiceAccounts("default").Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.podburst, f.nobody = f.kubeconfig("podburst", "podburst"), f.kubeconfig("default", "nobody")
	return f
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// resources are those of the manifests.
var resources = map[string]schema.GroupVersionResource{
	"Namespace":                        {Version: "v1", Resource: "namespaces"},
	"ServiceAccount":                   {Version: "v1", Resource: "serviceaccounts"},
	"ClusterRole":                      {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	"ClusterRoleBinding":               {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"},
	"ValidatingAdmissionPolicy":        {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
	"ValidatingAdmissionPolicyBinding": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"},
}

// apply does what kubectl apply -f does with a new manifest.
func (f *foreign) apply(manifest string) {
	f.t.Helper()
	for document := range strings.SplitSeq(manifest, "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			f.t.Fatal(err)
		}
		resource, known := resources[object.GetKind()]
		if !known {
			f.t.Fatalf("the manifest holds a %s", object.GetKind())
		}
		if _, err := f.dynamic.Resource(resource).Namespace(object.GetNamespace()).Create(f.t.Context(), object, metav1.CreateOptions{FieldValidation: "Strict"}); err != nil {
			f.t.Fatal(err)
		}
	}
}

// kubeconfig is one for a service account, by a token of its own.
func (f *foreign) kubeconfig(namespace, account string) string {
	f.t.Helper()
	request, err := f.admin.CoreV1().ServiceAccounts(namespace).CreateToken(f.t.Context(), account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	f.tokens = append(f.tokens, request.Status.Token)
	config := f.cluster.RESTConfig()
	path := filepath.Join(f.t.TempDir(), account)
	err = clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:  map[string]*clientcmdapi.Cluster{"foreign": {Server: config.Host, CertificateAuthorityData: config.CAData}},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{account: {Token: request.Status.Token}},
		Contexts:  map[string]*clientcmdapi.Context{"foreign": {Cluster: "foreign", AuthInfo: account}},
	}, path) // mode 0600
	if err != nil {
		f.t.Fatal(err)
	}
	return path
}

// suite runs the suite's process against the cluster, as the restricted user.
func (f *foreign) suite(t *testing.T, env ...string) *suite {
	t.Helper()
	return startSuite(t, append([]string{"PROVIDER=existing", "PROFILES=", "KUBECONFIG=" + f.podburst, "KUBECONTEXT=foreign",
		"PODS=20", "BURSTS=1", "WARMUP=5"}, env...)...)
}

// mustBeAsBefore fails on any namespace of a run.
func (f *foreign) mustBeAsBefore(t *testing.T) {
	t.Helper()
	list, err := f.admin.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list.Items {
		if strings.HasPrefix(n.Name, "podburst-") {
			t.Errorf("namespace %s stays (%s)", n.Name, n.Status.Phase)
		}
	}
}

func (f *foreign) mustNotTell(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for _, token := range f.tokens {
			if strings.Contains(text, token) {
				t.Error("a token is in the output")
			}
		}
	}
}

// request is what the foreign cluster's audit log says of one.
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

// asked lists the rights that the restricted user asked for since then, by name,
// and those that it was refused.
func (f *foreign) asked(t *testing.T, since time.Time) (granted, refused map[string]bool) {
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
		if r.User.Username != podburstUser || r.At.Before(since) {
			continue
		}
		if r.Status.Code == 403 {
			refused[r.permission().String()] = true
		} else {
			granted[r.permission().String()] = true
		}
	}
}

func TestAClusterThatOthersRunIsMeasuredWithTheRightsOfTheManifest(t *testing.T) {
	f := startForeign(t)

	t.Run("doctor passes for the manifest's user", func(t *testing.T) {
		code, out := doctor(t, f.podburst)
		if code != reports.ExitPass || strings.Contains(out, string(preflight.Fail)) {
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
		if code != reports.ExitUsage {
			t.Errorf("exit code %d, want %d", code, reports.ExitUsage)
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
		// A new policy takes the API server a moment to notice.
		deadline := time.Now().Add(30 * time.Second)
		for {
			job := burst.Sample("default", "intruder", "x", "", 1)
			_, err = user.BatchV1().Jobs("default").Create(t.Context(), job, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			if err != nil && strings.Contains(err.Error(), "nothing outside the namespaces podburst-*") || time.Now().After(deadline) {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		if err == nil || !strings.Contains(err.Error(), "nothing outside the namespaces podburst-*") {
			t.Errorf("a Job in namespace default: %v", err)
		}
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
		s := f.suite(t)
		if code := s.exit(); code != reports.ExitPass {
			t.Fatalf("exit code %d, want %d", code, reports.ExitPass)
		}
		r := s.report()
		if r.Verdict != reports.Pass || len(r.Bursts) != 2 {
			t.Fatalf("verdict %q of %d bursts: %v", r.Verdict, len(r.Bursts), r.Reasons)
		}
		for _, b := range r.Bursts {
			if !b.Valid || !strings.Contains(b.AuditUnavailable, "not available") {
				t.Errorf("burst %d: valid %t (%v), audit %q", b.Index, b.Valid, b.InvalidReasons, b.AuditUnavailable)
			}
			for _, l := range b.Throttle {
				// Of itself the observer knows.
				if l.Component != "observer" {
					t.Errorf("burst %d: a limiter out of nowhere: %+v", b.Index, l)
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
		if !strings.Contains(s.text(), "Client limits in force: not known") {
			t.Error("the table does not say that limits are unknown")
		}
		f.mustBeAsBefore(t)
		f.mustNotTell(t, s.text())
		s.mustLeaveNothing(nil)

		granted, refused := f.asked(t, began)
		used := func(p preflight.Permission) bool {
			if p.Verb == "list" && !granted[p.String()] {
				// An informer lists where the API server cannot stream what it has.
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
		s := f.suite(t, "PODS=60", "WARMUP=0")
		s.waitLine("sending 60 pods")
		time.Sleep(time.Second) // some pods exist
		if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if code := s.exit(); code != reports.ExitInterrupted {
			t.Errorf("exit code %d, want %d", code, reports.ExitInterrupted)
		}
		f.mustBeAsBefore(t)
		s.mustLeaveNothing(nil)
	})

	t.Run("limits that a profile states and nobody can read make it INVALID", func(t *testing.T) {
		s := f.suite(t, "WARMUP=0", "PODS=5", "PROFILES="+stated(t, "kubeScheduler: {kubeAPIQPS: 50, kubeAPIBurst: 100}"))
		if code := s.exit(); code != reports.ExitInvalid {
			t.Errorf("exit code %d, want %d", code, reports.ExitInvalid)
		}
		if !strings.Contains(s.text(), "could not be read back") {
			t.Error("the reason is not given")
		}
		f.mustBeAsBefore(t)
	})

	t.Run("with the audit log's file it is the source", func(t *testing.T) {
		s := f.suite(t, "WARMUP=0", "AUDIT_LOG="+f.auditFile(t))
		if code := s.exit(); code != reports.ExitPass {
			t.Fatalf("exit code %d, want %d", code, reports.ExitPass)
		}
		b := s.report().Bursts[0]
		if p := b.Phases["create_to_schedule"]; p == nil || p.Source != "audit" || b.AuditUnavailable != "" {
			t.Errorf("create_to_schedule %+v, audit %q", p, b.AuditUnavailable)
		}
		f.mustBeAsBefore(t)
	})

	t.Run("the kubelets' manifest grants what doctor misses", func(t *testing.T) {
		f.apply(files.RBACKubelets)
		// The API server proxies to no loopback address, so here the reason changes
		// and the kubelets stay out of reach.
		_, out := doctor(t, f.podburst)
		if strings.Contains(out, "nodes/proxy: get  not allowed") || !strings.Contains(out, "read the metrics of kubelet-worker") || strings.Contains(out, "lacks get on nodes/proxy") {
			t.Errorf("after the right was granted:\n%s", out)
		}
	})
}

// stated is a profile file with that spec.
func stated(t *testing.T, spec string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stated.yaml")
	text := fmt.Sprintf("apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: stated}\nspec: {%s}\n", spec)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
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

// doctor builds the command and runs its doctor.
func doctor(t *testing.T, kubeconfig string) (code int, output string) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "podburst")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/podburst").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), binary, "doctor", "--provider", "existing", "--kubeconfig", kubeconfig, "--context", "foreign", "--pods", "20")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	t.Log(out.String())
	return cmd.ProcessState.ExitCode(), out.String()
}
