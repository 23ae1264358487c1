package kind

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/command"
)

// tunedCluster is a running cluster of the tuned profile with one worker.
func tunedCluster(t *testing.T) (*world, *Cluster) {
	t.Helper()
	w := newWorld(t)
	profile := parse(t, tunedYAML)
	one := 1
	profile.Spec.Topology.Workers = &one
	cluster, err := w.provider.Create(t.Context(), profile)
	if err != nil {
		t.Fatal(err)
	}
	return w, cluster.(*Cluster)
}

// recorded reads a file with an answer of a real Kubernetes 1.37.2 node.
func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "recorded", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (w *world) answer(t *testing.T) {
	t.Helper()
	w.engine.programs[":10257/configz"] = recorded(t, "configz-kube-controller-manager.json")
	w.engine.programs[":10259/configz"] = recorded(t, "configz-kube-scheduler.json")
	for _, node := range []string{"control-plane", "worker"} {
		w.client.answers["/api/v1/nodes/podburst-test-"+node+"/proxy/configz"] = recorded(t, "configz-kubelet.json")
	}
	w.engine.programs["podburst-test-control-plane sh -c "+processScript] = recorded(t, "processes-control-plane.txt")
	w.engine.programs["podburst-test-worker sh -c "+processScript] = recorded(t, "processes-worker.txt")
}

func TestLimitsInForceAreReadBackFromEveryComponent(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	effective, err := c.EffectiveConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The recorded cluster had the shipped profile tuned: 150/200 everywhere.
	want := clusters.Limits{KubeAPIQPS: 150, KubeAPIBurst: 200, Source: "configz"}
	for _, instance := range []string{"kube-controller-manager", "kube-scheduler", "kubelet-podburst-test-control-plane", "kubelet-podburst-test-worker"} {
		if effective[instance] != want {
			t.Errorf("%s: got %+v, want %+v", instance, effective[instance], want)
		}
	}
	if len(effective) != 4 {
		t.Errorf("%d instances, want 4: %v", len(effective), effective)
	}
}

func TestInstanceThatCannotBeReadIsAbsentAndNamed(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	w.engine.programs[":10259/configz"] = `{"componentconfig":{}}`
	delete(w.client.answers, "/api/v1/nodes/podburst-test-worker/proxy/configz")
	effective, err := c.EffectiveConfig(t.Context())
	if err == nil || !strings.Contains(err.Error(), "kube-scheduler: parse /configz") || !strings.Contains(err.Error(), "kubelet-podburst-test-worker") {
		t.Errorf("error %v", err)
	}
	if len(effective) != 2 {
		t.Errorf("got %v", effective)
	}
}

func TestDroppedSettingIsNamed(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	dropped, err := c.DroppedSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(dropped, "\n")
	// The recorded cluster had QPS 150, verbosity 2, maxPods 110 and no gates;
	// this test's profile asks for more.
	for _, want := range []string{
		"kube-controller-manager: --kube-api-qps: asked for 150.5, the running process has 150",
		"kube-controller-manager: --v: asked for 4, the running process has 2",
		"kube-controller-manager: --concurrent-job-syncs: asked for 10, the running process has no such argument",
		"kube-controller-manager: --feature-gates: asked for JobBackoffLimitPerIndex=true, the running process has no such argument",
		"kubelet-podburst-test-worker: maxPods: asked for 250, in force is 110 (read from configz)",
		"kubelet-podburst-test-worker: serializeImagePulls: asked for false, in force is true (read from configz)",
		"kubelet-podburst-test-worker: feature gate JobBackoffLimitPerIndex: asked for true",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("not named: %s\nin:\n%s", want, all)
		}
	}
	for _, silent := range []string{"kube-apiserver", "kube-scheduler: --v", "kube-scheduler: --kube-api", "kubeAPIQPS", "failCgroupV1"} {
		if strings.Contains(all, silent) {
			t.Errorf("%s is in force and was named:\n%s", silent, all)
		}
	}
}

func TestProcessIsToldFromItsNextLife(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	now := time.Now()
	c.options.now = func() time.Time { return now }
	before, err := c.Processes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(before) != 6 {
		t.Fatalf("%d processes, want 6: %v", len(before), before)
	}
	for _, process := range before {
		if !process.Running || !strings.Contains(process.ID, "@") {
			t.Errorf("%+v", process)
		}
	}
	delete(w.engine.programs, "podburst-test-worker sh -c "+processScript)
	w.engine.programs["podburst-test-worker sh -c "] = ""
	// The recorded processes are not visible on this machine: what is known about
	// them is cached for a while, so that a burst does not pay for each look.
	if same, err := c.Processes(t.Context()); err != nil || !same[5].Running {
		t.Errorf("asked again at once: %+v (%v)", same, err)
	}
	now = now.Add(unseenFor + 1)
	after, err := c.Processes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if last := after[len(after)-1]; last.Running || !strings.Contains(last.Exit, "kubelet says why") {
		t.Errorf("an ended kubelet is %+v", last)
	}
}

func TestMetricsAreAskedWithinTheNodeOrThroughTheAPIServer(t *testing.T) {
	w, c := tunedCluster(t)
	w.client.answers["/metrics"] = "apiserver"
	w.client.answers["/api/v1/nodes/podburst-test-worker/proxy/metrics"] = "kubelet"
	w.engine.programs["http://127.0.0.1:2381/metrics"] = "etcd"
	w.engine.programs["https://127.0.0.1:10257/metrics"] = "kcm"
	w.engine.programs["https://127.0.0.1:10259/metrics"] = "scheduler"
	for instance, want := range map[clusters.Instance]string{
		{Component: clusters.KubeAPIServer}:                         "apiserver",
		{Component: clusters.Kubelet, Node: "podburst-test-worker"}: "kubelet",
		{Component: clusters.Etcd}:                                  "etcd",
		{Component: clusters.KubeControllerManager}:                 "kcm",
		{Component: clusters.KubeScheduler}:                         "scheduler",
	} {
		if got, err := c.Metrics(t.Context(), instance); err != nil || string(got) != want {
			t.Errorf("%s: got %q, error %v", instance, got, err)
		}
	}
	if _, err := c.Metrics(t.Context(), clusters.Instance{Component: clusters.Kubelet, Node: "nowhere"}); err == nil {
		t.Error("an unknown instance has metrics")
	}
}

func TestCPUProfilesAreAskedForLikeMetrics(t *testing.T) {
	w, c := tunedCluster(t)
	const path = "/debug/pprof/profile?seconds=2"
	w.client.answers[path] = "apiserver"
	w.client.answers["/api/v1/nodes/podburst-test-worker/proxy"+path] = "kubelet"
	w.engine.programs["https://127.0.0.1:10259"+path] = "scheduler"
	for instance, want := range map[clusters.Instance]string{
		{Component: clusters.KubeAPIServer}:                         "apiserver",
		{Component: clusters.Kubelet, Node: "podburst-test-worker"}: "kubelet",
		{Component: clusters.KubeScheduler}:                         "scheduler",
	} {
		if got, err := c.CPUProfile(t.Context(), instance, 2*time.Second); err != nil || string(got) != want {
			t.Errorf("%s: got %q, error %v", instance, got, err)
		}
	}
	if _, err := c.CPUProfile(t.Context(), clusters.Instance{Component: clusters.Etcd}, time.Second); !errors.Is(err, clusters.ErrUnsupported) {
		t.Errorf("etcd: error %v, want that it serves none", err)
	}
}

func TestLogIsFreedOfTheRuntimesPrefix(t *testing.T) {
	w, c := tunedCluster(t)
	w.engine.programs["sh kube-scheduler"] = "2026-11-29T15:39:28.48775344Z stderr F I1129 15:39:28.487338       1 a.go:1] \"one\"\n" +
		"2026-11-29T15:39:28.5Z stdout P I1129 a long \n" +
		"2026-11-29T15:39:28.6Z stdout F line\n" +
		"not of the format\n"
	log, err := c.Logs(t.Context(), clusters.Instance{Component: clusters.KubeScheduler})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(log)
	if err != nil {
		t.Fatal(err)
	}
	want := "I1129 15:39:28.487338       1 a.go:1] \"one\"\nI1129 a long line\nnot of the format\n"
	if string(got) != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

// endless is an engine whose programs never end by themselves.
type endless struct{ *fakeEngine }

func (endless) exec(ctx context.Context, _ string, stdout io.Writer, _ ...string) error {
	for ctx.Err() == nil {
		if _, err := io.WriteString(stdout, "line\n"); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

func TestClosingALogEndsItsProgram(t *testing.T) {
	w, c := tunedCluster(t)
	c.options.engine = endless{w.engine}
	log, err := c.Logs(t.Context(), clusters.Instance{Component: clusters.Kubelet, Node: "podburst-test-worker"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(log).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil { // Returns once the program has ended.
		t.Error(err)
	}
}

func TestMissingLogIsAnErrorNotAnEmptyLog(t *testing.T) {
	_, c := tunedCluster(t)
	log, err := c.Logs(t.Context(), clusters.Instance{Component: clusters.KubeScheduler})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(log); err == nil {
		t.Errorf("read %q", text)
	}
}

func TestAPIServerElsewhereIsRefused(t *testing.T) {
	for server, ok := range map[string]bool{
		"https://127.0.0.1:39207": true, "https://[::1]:39207": true,
		"https://172.18.0.3:6443": false, "https://0.0.0.0:6443": false, "https://docker.example:6443": false,
	} {
		if err := checkLoopback(server); (err == nil) != ok {
			t.Errorf("%s: %v", server, err)
		}
	}
}

func TestSymptomsOfAnEngineAreTold(t *testing.T) {
	for name, test := range map[string]struct {
		stderr string
		err    error
		want   error
	}{
		"daemon down":    {stderr: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", want: ErrNoEngine},
		"socket refused": {stderr: "error during connect: Get \"http://127.0.0.1:2375/\": dial tcp 127.0.0.1:2375: connect: connection refused", want: ErrNoEngine},
		"not allowed":    {stderr: "permission denied while trying to connect to the Docker daemon socket", want: ErrNoEngine},
		"disk full":      {stderr: "failed to register layer: write /x: no space left on device", want: ErrDiskFull},
		"something else": {stderr: "Error response from daemon: conflict"},
	} {
		t.Run(name, func(t *testing.T) {
			failing := docker{run: func(_ context.Context, c command.Command) error {
				fmt.Fprint(c.Stderr, test.stderr)
				return errors.New("exit status 1")
			}}
			_, err := failing.version(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.stderr) || !strings.Contains(err.Error(), "docker version --format") {
				t.Errorf("the command and what it said are not shown: %v", err)
			}
			if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error is no %q: %v", test.want, err)
			}
		})
	}
}

func TestContainersAreReadFromTheEngine(t *testing.T) {
	inspect := recorded(t, "docker-inspect.json")
	var commands []string
	d := docker{run: func(_ context.Context, c command.Command) error {
		commands = append(commands, strings.Join(c.Args, " "))
		if c.Args[1] == "ps" {
			fmt.Fprintln(c.Stdout, "id-1\nid-2")
		} else {
			fmt.Fprint(c.Stdout, inspect)
		}
		return nil
	}}
	nodes, err := d.containers(t.Context(), "some")
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) != 2 || len(nodes[0].ID) != 64 || !strings.HasSuffix(nodes[0].Mount, "/shared") || nodes[0].Created.IsZero() ||
		nodes[0].Role+nodes[1].Role != "control-planeworker" && nodes[0].Role+nodes[1].Role != "workercontrol-plane" {
		t.Errorf("got %+v", nodes)
	}
	if want := "label=io.x-k8s.kind.cluster=some"; !strings.Contains(commands[0], want) {
		t.Errorf("asked %q, without %s", commands[0], want)
	}
}

func TestRemovingWhatIsGoneIsNoError(t *testing.T) {
	d := docker{run: func(_ context.Context, c command.Command) error {
		fmt.Fprint(c.Stderr, "Error: No such container: x")
		return errors.New("exit status 1")
	}}
	if err := d.remove(t.Context(), []string{"x"}); err != nil {
		t.Error(err)
	}
}
