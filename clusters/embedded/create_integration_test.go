//go:build integration

package embedded

import (
	"os"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func TestSmoke(t *testing.T) {
	c := create(t, newTestProvider(t), profile("default"))
	client := kubernetes.NewForConfigOrDie(c.RESTConfig())
	n := int32(100)
	for {
		if _, err := client.CoreV1().ServiceAccounts("default").Get(t.Context(), "default", metav1.GetOptions{}); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	_, err := client.BatchV1().Jobs("default").Create(t.Context(), &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "burst"},
		Spec: batchv1.JobSpec{Parallelism: &n, Completions: &n, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: "Never",
			Containers:    []corev1.Container{{Name: "c", Image: "pause", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("1m")}}}},
		}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for time.Since(began) < 60*time.Second {
		pods, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		by := map[corev1.PodPhase]int{}
		for _, p := range pods.Items {
			by[p.Status.Phase]++
		}
		t.Log(time.Since(began), by)
		if by["Running"] == 100 {
			break
		}
		time.Sleep(300 * time.Millisecond)
	}
	if d := os.Getenv("COLLECT"); d != "" {
		t.Log(c.Collect(t.Context(), d))
	}
	b := time.Now()
	t.Log(c.Delete(t.Context()), time.Since(b))
}
