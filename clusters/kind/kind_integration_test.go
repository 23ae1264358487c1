//go:build kind

package kind_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/kind"
	"github.com/podburst/podburst/clusters/nodeimage"
)

// These tests need a Docker engine and a node image: `make test-kind` provides
// both.

func oneWorker(t *testing.T, profile string) clusters.Profile {
	t.Helper()
	resolved, err := clusters.Resolve(profile)
	if err != nil {
		t.Fatal(err)
	}
	one := 1
	resolved.Spec.Topology.Workers = &one
	return resolved
}

func newProvider(t *testing.T, dir string) *kind.Provider {
	t.Helper()
	provider, err := kind.New(kind.Options{BaseDir: dir, Progress: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

// containers lists every container that the engine has, running or not.
func containers(t *testing.T) string {
	t.Helper()
	list, err := exec.Command("docker", "ps", "--all", "--format", "{{.Names}}", "--filter", "label=io.x-k8s.kind.cluster").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

func nothingLeft(t *testing.T, dir, name string) {
	t.Helper()
	if list := containers(t); strings.Contains(list, name) {
		t.Errorf("containers are left:\n%s", list)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		t.Errorf("%s is left in the clusters' folder", entry.Name())
	}
}

func TestRealCluster(t *testing.T) {
	dir := t.TempDir()
	// The second follows the first at once: the first must leave nothing in the way.
	for _, name := range []string{"tuned", "default"} {
		t.Run(name, func(t *testing.T) {
			profile := oneWorker(t, name)
			cluster, err := newProvider(t, dir).Create(t.Context(), profile)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := cluster.Delete(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
				nothingLeft(t, dir, cluster.Name())
			})
			checkSettings(t, cluster.(*kind.Cluster), profile)
			before := processes(t, cluster)
			if taken := testing.Benchmark(func(b *testing.B) {
				for b.Loop() {
					processes(t, cluster)
				}
			}); taken.T/time.Duration(taken.N) > 20*time.Millisecond {
				// A docker command alone takes longer than this.
				t.Errorf("looking at living processes asks the engine each time: %s", taken)
			}
			runJob(t, cluster, 10)
			checkReadings(t, cluster)
			if after := processes(t, cluster); before != after {
				t.Errorf("processes changed from\n%s\nto\n%s", before, after)
			}
			checkRestart(t, cluster)
		})
	}
}

func checkSettings(t *testing.T, cluster *kind.Cluster, profile clusters.Profile) {
	t.Helper()
	effective, err := cluster.EffectiveConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("in force: %+v", effective)
	// kube-scheduler, kube-controller-manager and two kubelets.
	if len(effective) != 4 {
		t.Errorf("%d instances were read back, want 4", len(effective))
	}
	if wrong := clusters.Mismatches(profile, effective, cluster.Instances()); len(wrong) != 0 {
		t.Errorf("not as asked: %v", wrong)
	}
	if profile.Metadata.Name == "default" {
		for instance, limits := range effective {
			component, _, _ := strings.Cut(instance, "-podburst")
			if want, _ := clusters.DefaultLimits(clusters.Component(component), ""); limits.KubeAPIQPS != want.KubeAPIQPS || limits.KubeAPIBurst != want.KubeAPIBurst {
				t.Errorf("%s has %+v by default, want %+v", instance, limits, want)
			}
		}
	}
	dropped, err := cluster.DroppedSettings(t.Context())
	if err != nil || len(dropped) != 0 {
		t.Errorf("dropped: %v (%v)", dropped, err)
	}
}

func processes(t *testing.T, cluster clusters.Cluster) string {
	t.Helper()
	list, err := cluster.Processes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range list {
		if !process.Running {
			t.Errorf("%s: %s", process.Instance, process.Exit)
		}
	}
	return fmt.Sprint(list)
}

// checkRestart kills a kubelet, which its node restarts.
func checkRestart(t *testing.T, cluster clusters.Cluster) {
	t.Helper()
	before := processes(t, cluster)
	if out, err := exec.Command("docker", "exec", cluster.WorkerNodes()[0], "systemctl", "kill", "--signal=KILL", "kubelet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		list, err := cluster.Processes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if last := list[len(list)-1]; last.Running && fmt.Sprint(list) != before {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the restart was not seen: %v", list)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// runJob starts pods and waits until they run, each with its own address.
func runJob(t *testing.T, cluster clusters.Cluster, pods int32) {
	t.Helper()
	client, err := kubernetes.NewForConfig(cluster.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	no := false
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "burst", Namespace: "default"},
		Spec: batchv1.JobSpec{Parallelism: &pods, Completions: &pods, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever, AutomountServiceAccountToken: &no,
			Containers: []corev1.Container{{Name: "pause", Image: nodeimage.BurstImage, ImagePullPolicy: corev1.PullIfNotPresent}},
		}}},
	}
	if _, err := client.BatchV1().Jobs("default").Create(t.Context(), job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(3 * time.Minute)
	for {
		list, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{LabelSelector: "job-name=burst"})
		if err != nil {
			t.Fatal(err)
		}
		addresses := map[string]bool{}
		for _, pod := range list.Items {
			if pod.Status.Phase == corev1.PodRunning {
				addresses[pod.Status.PodIP] = true
				if pod.Spec.NodeName != cluster.WorkerNodes()[0] {
					t.Errorf("%s runs on %s", pod.Name, pod.Spec.NodeName)
				}
			}
		}
		if len(addresses) == int(pods) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d pods run", len(addresses), pods)
		}
		time.Sleep(time.Second)
	}
}

// checkReadings opens every source that a burst is measured from.
func checkReadings(t *testing.T, cluster clusters.Cluster) {
	t.Helper()
	marks := map[clusters.Component]string{
		clusters.KubeScheduler:         `"Successfully bound pod to node" pod="default/burst-`,
		clusters.Kubelet:               `"Event occurred"`,
		clusters.KubeControllerManager: "FLAG: ",
		clusters.KubeAPIServer:         "Version: ",
		clusters.Etcd:                  "etcd",
	}
	for _, instance := range cluster.Instances() {
		metrics, err := cluster.Metrics(t.Context(), instance)
		if err != nil || !strings.Contains(string(metrics), "# TYPE process_cpu_seconds_total counter") {
			t.Errorf("metrics of %s: %d bytes, error %v", instance, len(metrics), err)
		}
		profile, err := cluster.(clusters.Profiler).CPUProfile(t.Context(), instance, time.Second)
		if zipped := strings.HasPrefix(string(profile), "\x1f\x8b"); err != nil && !errors.Is(err, clusters.ErrUnsupported) || err == nil && !zipped {
			t.Errorf("profile of %s: %d bytes, gzipped %t, error %v", instance, len(profile), zipped, err)
		}
		log, err := cluster.Logs(t.Context(), instance)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(log)
		if err := errors.Join(err, log.Close()); err != nil || !strings.Contains(string(text), marks[instance.Component]) {
			t.Errorf("log of %s: %d bytes, error %v", instance, len(text), err)
		}
	}
	audit, err := cluster.AuditLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close()
	created := 0
	lines := bufio.NewScanner(audit)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		if line := lines.Text(); strings.Contains(line, `"verb":"create"`) && strings.Contains(line, `"resource":"pods","namespace":"default"`) && !strings.Contains(line, "binding") {
			created++
		}
	}
	if err := lines.Err(); err != nil || created != 10 {
		t.Errorf("the audit log holds %d pods created, want 10 (error %v)", created, err)
	}
	dir := t.TempDir()
	if err := cluster.Collect(t.Context(), dir); err != nil {
		t.Error(err)
	}
}

func TestCreateCancelledHalfwayLeavesNothing(t *testing.T) {
	for name, until := range map[string]string{"while nodes start": "Preparing nodes", "during kubeadm": "Starting control-plane"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			provider, err := kind.New(kind.Options{BaseDir: dir, Progress: func(line string) {
				t.Log(line)
				if strings.Contains(line, until) {
					time.AfterFunc(2*time.Second, cancel)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := provider.Create(ctx, oneWorker(t, "tuned")); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			nothingLeft(t, dir, "podburst-tuned")
		})
	}
}

// orphanEnv makes this test binary play a process that is killed in the middle
// of a create.
const orphanEnv = "PODBURST_TEST_ORPHAN"

func TestCleanRemovesTheClusterOfAKilledProcess(t *testing.T) {
	if dir := os.Getenv(orphanEnv); dir != "" {
		_, err := newProvider(t, dir).Create(t.Context(), oneWorker(t, "tuned"))
		t.Fatal("not killed", err)
	}
	dir := t.TempDir()
	orphan := exec.Command(os.Args[0], "-test.run=^TestCleanRemovesTheClusterOfAKilledProcess$")
	orphan.Env = append(os.Environ(), orphanEnv+"="+dir)
	if err := orphan.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(containers(t), "podburst-tuned") {
		if time.Now().After(deadline) {
			t.Fatal("it made no container")
		}
		time.Sleep(200 * time.Millisecond)
	}
	options := kind.Options{BaseDir: dir}
	if list, err := kind.List(t.Context(), options); err != nil || len(list) != 1 || !list[0].Live {
		t.Errorf("while it lives, listed %+v (%v)", list, err)
	}
	if removed, err := kind.Clean(t.Context(), options); err != nil || len(removed) != 0 {
		t.Errorf("a cluster in use was removed: %+v (%v)", removed, err)
	}
	if err := orphan.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = orphan.Wait() // It was killed, and says so.
	removed, err := kind.Clean(t.Context(), options)
	if err != nil || len(removed) != 1 || removed[0].Profile != "tuned" {
		t.Errorf("removed %+v (%v)", removed, err)
	}
	nothingLeft(t, dir, "podburst-tuned")
}
