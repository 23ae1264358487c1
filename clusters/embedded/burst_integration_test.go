//go:build integration && linux

package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/podburst/podburst/clusters"
)

// must ends the test on an error: must(f())(t).
func must[T any](value T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return value
	}
}

func clientConfig(kubeconfig []byte) (*rest.Config, error) {
	return clientcmd.RESTConfigFromKubeConfig(kubeconfig)
}

// testBurst runs a few pods like those of any Job (with a service account
// token, which needs more of a cluster than podburst's own bursts do), removes
// them with their namespace, and looks for the marks in the audit log and the
// logs.
func testBurst(t *testing.T, c *Cluster, client kubernetes.Interface) {
	const namespace, pods = "burst", 5
	ctx := t.Context()
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.BatchV1().Jobs(namespace).Create(ctx, &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "burst"},
		Spec: batchv1.JobSpec{Parallelism: new(int32(pods)), Completions: new(int32(pods)), Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "pause", Image: "pause:1"}},
		}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = await(ctx, "the pods to run", func(ctx context.Context) error {
		list, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Running"})
		if err == nil && len(list.Items) != pods {
			err = fmt.Errorf("%d of %d run", len(list.Items), pods)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	err = await(ctx, "the namespace to go", func(ctx context.Context) error {
		_, err := client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("it is still there")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	seen := map[string]int{}
	agents := map[string]bool{}
	log := must(c.AuditLog(ctx))(t)
	defer log.Close()
	decoder := json.NewDecoder(bufio.NewReader(log))
	for {
		var event struct {
			Stage, Verb, UserAgent string
			User                   struct{ Username string }
			ObjectRef              *struct{ Resource, Subresource, Namespace string }
			RequestObject          json.RawMessage
			ResponseObject         json.RawMessage
		}
		if err := decoder.Decode(&event); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		agent, _, _ := strings.Cut(event.UserAgent, " ")
		agents[agent] = true
		if event.ObjectRef == nil || event.ObjectRef.Namespace != namespace {
			continue
		}
		switch what := strings.TrimSuffix(event.Verb+" "+event.ObjectRef.Resource+"/"+event.ObjectRef.Subresource, "/"); what {
		case "create pods", "create jobs":
			if event.ResponseObject != nil {
				seen[what]++
			}
		case "create pods/binding":
			if event.RequestObject != nil && event.User.Username == "system:kube-scheduler" {
				seen[what]++
			}
		case "patch pods/status":
			if event.RequestObject != nil && strings.HasPrefix(event.User.Username, "system:node:worker-") {
				seen[what]++
			}
		case "create serviceaccounts/token":
			if event.RequestObject != nil || event.ResponseObject != nil {
				t.Error("the audit log holds a token request's content")
			}
		}
	}
	for what, least := range map[string]int{"create jobs": 1, "create pods": pods, "create pods/binding": pods, "patch pods/status": pods} {
		if seen[what] < least {
			t.Errorf("the audit log has %d times %q, want at least %d", seen[what], what, least)
		}
	}
	version := must(client.Discovery().ServerVersion())(t).GitVersion
	for _, component := range []clusters.Component{clusters.KubeAPIServer, clusters.KubeControllerManager, clusters.KubeScheduler, clusters.Kubelet} {
		if want := string(component) + "/" + version; !agents[want] {
			t.Errorf("no request by the user agent %s in %v", want, agents)
		}
	}

	lines := map[clusters.Instance]string{
		alone(clusters.KubeScheduler):                   "Successfully bound pod to node",
		{Component: clusters.Kubelet, Node: "worker-1"}: `reason="Started"`,
	}
	for instance, want := range lines {
		log := must(c.Logs(ctx, instance))(t)
		text := must(io.ReadAll(log))(t)
		log.Close()
		if !strings.Contains(string(text), want) {
			t.Errorf("the log of %s lacks %q", instance, want)
		}
	}
}

func testCollect(t *testing.T, c *Cluster) {
	dir := filepath.Join(t.TempDir(), "collected")
	if err := c.Collect(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	entries := must(os.ReadDir(dir))(t)
	have := map[string]bool{}
	for _, entry := range entries {
		have[entry.Name()] = true
		text := must(os.ReadFile(filepath.Join(dir, entry.Name())))(t)
		for _, secret := range []string{"PRIVATE KEY", "client-key-data", "eyJhbGciOi"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s holds %s", entry.Name(), secret)
			}
		}
	}
	want := []string{"audit.log", "audit-policy.yaml", "profile.yaml", "processes.json"}
	for _, instance := range c.Instances() {
		want = append(want, instance.String()+".log")
	}
	for _, name := range want {
		if !have[name] {
			t.Errorf("%s is missing", name)
		}
	}
	if len(have) != len(want) {
		t.Errorf("collected %v, want %v", have, want)
	}
}

func testRestart(t *testing.T, c *Cluster) {
	scheduler := alone(clusters.KubeScheduler)
	find := func() clusters.Process {
		t.Helper()
		for _, process := range must(c.Processes(t.Context()))(t) {
			if process.Instance == scheduler {
				return process
			}
		}
		t.Fatal("no scheduler among the processes")
		return clusters.Process{}
	}
	before := find()
	if err := c.StartComponent(t.Context(), scheduler); err == nil {
		t.Error("a second scheduler was started beside the first")
	}
	if err := c.StopComponent(t.Context(), scheduler); err != nil {
		t.Fatal(err)
	}
	stopped := find()
	if !before.Running || stopped.Running || stopped.ID != before.ID || stopped.Exit == "" {
		t.Errorf("before %+v, after the stop %+v", before, stopped)
	}
	if _, err := c.Metrics(t.Context(), scheduler); err == nil {
		t.Error("a stopped scheduler gives metrics")
	}
	if effective, err := c.EffectiveConfig(t.Context()); err == nil || len(effective) != 3 {
		t.Errorf("without the scheduler: %v, %v; want the other three and an error", effective, err)
	}
	if err := c.StartComponent(t.Context(), scheduler); err != nil {
		t.Fatal(err)
	}
	if again := find(); !again.Running || again.ID == before.ID {
		t.Errorf("after the start %+v", again)
	}
}
