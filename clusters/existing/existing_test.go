package existing

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/podburst/podburst/clusters"
)

func (s *apiServer) provider(t *testing.T, o Options) *Provider {
	t.Helper()
	o.Kubeconfig, o.Context = s.kubeconfig(t, "staging"), "staging"
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (s *apiServer) create(t *testing.T, o Options) *Cluster {
	t.Helper()
	made, err := s.provider(t, o).Create(t.Context(), profile(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	return made.(*Cluster)
}

// profile is a profile with that spec, given as YAML.
func profile(t *testing.T, spec string) clusters.Profile {
	t.Helper()
	p, err := clusters.Parse("test.yaml", []byte("apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: test}\nspec: {"+spec+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	node1     = clusters.Instance{Component: clusters.Kubelet, Node: "node-1"}
	node2     = clusters.Instance{Component: clusters.Kubelet, Node: "node-2"}
	scheduler = clusters.Instance{Component: clusters.KubeScheduler}
	apiserver = clusters.Instance{Component: clusters.KubeAPIServer}
)

func TestAClusterIsTakenAsItIs(t *testing.T) {
	s := newServer(t)
	c := s.create(t, Options{})
	if got := c.WorkerNodes(); !slices.Equal(got, []string{"node-1", "node-2"}) {
		t.Errorf("workers %v", got)
	}
	if config := c.RESTConfig(); config.QPS != -1 || config.RateLimiter != nil || config.Timeout != 0 {
		t.Errorf("the observer's client would be limited: QPS %v, limiter %v, timeout %v", config.QPS, config.RateLimiter, config.Timeout)
	}
	effective, err := c.EffectiveConfig(t.Context())
	want := clusters.Effective{
		"kubelet-node-1": {KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "configz"},
		"kubelet-node-2": {KubeAPIQPS: 5, KubeAPIBurst: 10, Source: "configz"},
	}
	if diff := cmp.Diff(want, effective); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !errors.Is(err, clusters.ErrUnsupported) || !strings.Contains(err.Error(), "kube-scheduler") {
		t.Errorf("what cannot be read back: %v", err)
	}
	for instance, text := range map[clusters.Instance]string{apiserver: "apiserver 1\n", node1: "kubelet 1\n", node2: "kubelet 2\n"} {
		if got, err := c.Metrics(t.Context(), instance); err != nil || string(got) != text {
			t.Errorf("metrics of %s: %q, %v", instance, got, err)
		}
	}
	if _, err := c.Metrics(t.Context(), clusters.Instance{Component: clusters.Kubelet, Node: "node-9"}); err == nil || errors.Is(err, clusters.ErrUnsupported) {
		t.Errorf("metrics of a node that is not there: %v", err)
	}
	if err := c.Delete(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWhatAKubeconfigDoesNotReachIsUnavailableWithItsReason(t *testing.T) {
	s := newServer(t)
	s.forbidden = []string{"/metrics", "/api/v1/nodes/"}
	c := s.create(t, Options{})
	before := s.requests()
	_, audit := c.AuditLog(t.Context())
	_, processes := c.Processes(t.Context())
	_, logs := c.Logs(t.Context(), scheduler)
	_, schedulers := c.Metrics(t.Context(), scheduler)
	_, apiservers := c.Metrics(t.Context(), apiserver)
	_, kubelets := c.Metrics(t.Context(), node1)
	effective, config := c.EffectiveConfig(t.Context())
	for says, err := range map[string]error{
		"AUDIT_LOG": audit, "processes": processes, "logs of components": logs, "on its own node": schedulers,
		"lacks get on the path /metrics": apiservers, "metrics of kubelet-node-1": kubelets, "kubelet on 2 nodes: this user lacks get on nodes/proxy": config,
	} {
		if !errors.Is(err, clusters.ErrUnsupported) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	if len(effective) != 0 {
		t.Errorf("limits out of nowhere: %v", effective)
	}
	if diff := cmp.Diff(before, s.requests()); diff != "" {
		t.Errorf("the cluster was asked again for what it had refused:\n%s", diff)
	}
	// Fail closed: if a setting cannot be read, what a profile states for it
	// counts as not met.
	stated := profile(t, "kubeScheduler: {kubeAPIQPS: 50, kubeAPIBurst: 100}")
	if m := clusters.Mismatches(stated, effective, c.Instances()); len(m) == 0 || !strings.Contains(m[0], "could not be read back") {
		t.Errorf("mismatches: %q", m)
	}
}

func TestMetricsThatFailLaterAreAnErrorAndNotUnavailable(t *testing.T) {
	s := newServer(t)
	c := s.create(t, Options{})
	s.mu.Lock()
	delete(s.text, "/api/v1/nodes/node-1/proxy/metrics")
	s.mu.Unlock()
	if _, err := c.Metrics(t.Context(), node1); err == nil || errors.Is(err, clusters.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}

func TestAManyNodedClusterIsNotAskedForEachKubelet(t *testing.T) {
	s := newServer(t)
	c := s.create(t, Options{MaxKubelets: 1})
	if _, err := c.Metrics(t.Context(), node1); !errors.Is(err, clusters.ErrUnsupported) || !strings.Contains(err.Error(), "2 worker nodes") {
		t.Errorf("error %v", err)
	}
	for path := range s.requests() {
		if strings.Contains(path, "/proxy/") {
			t.Errorf("asked for %s", path)
		}
	}
}

func TestWorkerNodesAreThoseThatPodsOfABurstCanLandOn(t *testing.T) {
	s := newServer(t)
	cordoned, tainted, unready, preferred := worker("cordoned"), worker("tainted"), worker("unready"), worker("preferred")
	cordoned.Spec.Unschedulable = true
	tainted.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
	preferred.Spec.Taints = []corev1.Taint{{Key: "x", Effect: corev1.TaintEffectPreferNoSchedule}}
	unready.Status.Conditions[0].Status = corev1.ConditionUnknown
	s.nodes = append(s.nodes, cordoned, tainted, unready, preferred)
	if got := s.create(t, Options{}).WorkerNodes(); !slices.Equal(got, []string{"node-1", "node-2", "preferred"}) {
		t.Errorf("workers %v", got)
	}
	s.nodes = []corev1.Node{cordoned, tainted, unready}
	_, err := s.provider(t, Options{}).Create(t.Context(), profile(t, ""))
	for _, says := range []string{"none of its 3 nodes", "cordoned is cordoned", "tainted has the taint", "unready is not Ready"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}

func TestFreeSlotsAreThoseOfTheWorkersLessTheirPods(t *testing.T) {
	s := newServer(t)
	s.nodes = append(s.nodes, worker("tainted"))
	s.nodes[2].Spec.Taints = []corev1.Taint{{Key: "x", Effect: corev1.TaintEffectNoExecute}}
	for _, node := range []string{"node-1", "node-1", "node-2", "tainted", "gone"} {
		s.pods = append(s.pods, corev1.Pod{Spec: corev1.PodSpec{NodeName: node}})
	}
	// Two workers of 110, with two pods and one.
	if got, err := s.create(t, Options{}).FreePods(t.Context()); err != nil || got != 217 {
		t.Errorf("%d free, %v; want 217", got, err)
	}
}

func TestAProfileMayStateWhatCanBeCheckedAndNothingElse(t *testing.T) {
	p := newServer(t).provider(t, Options{})
	for spec, refused := range map[string]string{
		"": "",
		"kubeScheduler: {kubeAPIQPS: 5, kubeAPIBurst: 9}, kubelet: {kubeAPIQPS: 5, kubeAPIBurst: 9}": "",
		"kubernetesVersion: v1.37.2":                                "",
		"nodeImage: x":                                              "spec.nodeImage",
		"topology: {workers: 3}":                                    "spec.topology",
		"featureGates: {A: true}":                                   "spec.featureGates",
		"kubelet: {maxPods: 7}":                                     "spec.kubelet.maxPods",
		"kubelet: {serializeImagePulls: true}":                      "spec.kubelet.serializeImagePulls",
		"kubelet: {verbosity: 3}":                                   "spec.kubelet.verbosity",
		"kubeControllerManager: {extraArgs: {profiling: 'false'}}":  "spec.kubeControllerManager.extraArgs",
		"hollowRuntime: {parallelism: 3}":                           "spec.hollowRuntime",
		"kind: {kubeadmConfigPatches: ['kind: InitConfiguration']}": "spec.kind",
	} {
		err := p.CheckProfile(profile(t, spec))
		if refused == "" && err != nil || refused != "" && (err == nil || !strings.Contains(err.Error(), refused)) {
			t.Errorf("%q: error %v, want %q", spec, err, refused)
		}
	}
	_, err := p.Create(t.Context(), profile(t, "kubernetesVersion: v1.36.0"))
	if err == nil || !strings.Contains(err.Error(), "runs v1.37.2") {
		t.Errorf("another version: %v", err)
	}
}

func TestAnAuditLogThatWasNamedMustBeThere(t *testing.T) {
	s := newServer(t)
	path := filepath.Join(t.TempDir(), "audit.log")
	if _, err := New(Options{AuditLog: path}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := s.create(t, Options{AuditLog: path}).AuditLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if text, err := io.ReadAll(log); err != nil || string(text) != "{}\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestEvidenceAndMessagesHoldNoSecret(t *testing.T) {
	s := newServer(t)
	s.forbidden = []string{"/metrics"}
	var said []string
	c := s.create(t, Options{Progress: func(line string) { said = append(said, line) }})
	dir := filepath.Join(t.TempDir(), "logs")
	if err := c.Collect(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cluster.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"v1.37.2", "node-1", "metrics of kube-apiserver", `"allocatablePods": "110"`} {
		if !strings.Contains(string(text), says) {
			t.Errorf("the evidence lacks %q:\n%s", says, text)
		}
	}
	for _, secret := range []string{token, s.URL, "machine-id"} {
		if strings.Contains(string(text)+strings.Join(said, "\n"), secret) {
			t.Errorf("%q is in the output", secret)
		}
	}
}

func TestKubeconfigsThatCannotBeUsedAreNamed(t *testing.T) {
	s := newServer(t)
	first, second := s.kubeconfig(t, "first"), s.kubeconfig(t, "second")
	absent := filepath.Join(t.TempDir(), "absent")
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("token: "+token+"\n\tbroken"), 0o600); err != nil {
		t.Fatal(err)
	}
	list := func(paths ...string) string { return strings.Join(paths, string(os.PathListSeparator)) }
	for name, c := range map[string]struct {
		options Options
		fails   string
	}{
		"one file":              {Options{Kubeconfig: first, Context: "first"}, ""},
		"the second of two":     {Options{Kubeconfig: list(first, second), Context: "second"}, ""},
		"a file not there":      {Options{Kubeconfig: absent}, "absent"},
		"one of two not there":  {Options{Kubeconfig: list(first, absent), Context: "first"}, "absent"},
		"no current context":    {Options{Kubeconfig: first}, "set KUBECONTEXT"},
		"a misspelled context":  {Options{Kubeconfig: first, Context: "frist"}, "did you mean first?"},
		"a file that is broken": {Options{Kubeconfig: broken}, "broken"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(c.options)
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("error %v, want %q", err, c.fails)
			}
			if err != nil && strings.Contains(err.Error(), token) {
				t.Errorf("the error shows the token: %v", err)
			}
		})
	}
}
