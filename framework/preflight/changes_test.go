package preflight

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/podburst/podburst/framework/load"
)

// admitted is a pod as every API server returns it: with defaults and with what its
// own admission plugins add.
func admitted(pod *corev1.Pod) *corev1.Pod {
	p := pod.DeepCopy()
	p.Labels["job-name"], p.Labels["batch.kubernetes.io/controller-uid"] = "x", "y"
	s := &p.Spec
	s.DNSPolicy, s.SchedulerName, s.ServiceAccountName, s.DeprecatedServiceAccount = corev1.DNSClusterFirst, "default-scheduler", "default", "default"
	s.Priority, s.PreemptionPolicy = new(int32), new(corev1.PreemptLowerPriority)
	s.Containers[0].TerminationMessagePath, s.Containers[0].TerminationMessagePolicy = "/dev/termination-log", corev1.TerminationMessageReadFile
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300))})
	}
	return p
}

func sample() *corev1.Pod {
	job := load.Job{Pods: 3}.Object(load.Place{Namespace: "ns", Name: "name", RunID: "run"})
	return podOf(load.Place{Namespace: "ns", Name: "name"}, job.Spec.Template)
}

func TestWhatEveryClusterAddsIsNoChange(t *testing.T) {
	found, err := Changes(sample(), admitted(sample()))
	if err != nil || len(found) != 0 {
		t.Errorf("%q, %v", found, err)
	}
}

func TestWhatAdmissionChangesIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *corev1.Pod)
		want   string
	}{
		"a sidecar": {func(p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "proxy", Image: "mesh"})
		}, `spec.containers[1] added: {"image":"mesh"`},
		"an init container": {func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Name: "init"}}
		}, `spec.initContainers[0] added`},
		"requests by a limit range": {func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}
		}, `spec.containers[0].resources.requests added: {"cpu":"100m"}`},
		"another image":             {func(p *corev1.Pod) { p.Spec.Containers[0].Image = "mirror/pause" }, `spec.containers[0].image changed from "registry.k8s.io/pause:3.10" to "mirror/pause"`},
		"another scheduler":         {func(p *corev1.Pod) { p.Spec.SchedulerName = "batch" }, `spec.schedulerName added: "batch"`},
		"a priority":                {func(p *corev1.Pod) { p.Spec.Priority = new(int32(1000)) }, `spec.priority added: 1000`},
		"a label":                   {func(p *corev1.Pod) { p.Labels["team"] = "a" }, `metadata.labels.team added: "a"`},
		"a label that goes":         {func(p *corev1.Pod) { delete(p.Labels, "app.kubernetes.io/managed-by") }, `metadata.labels.app.kubernetes.io/managed-by removed`},
		"an annotation":             {func(p *corev1.Pod) { p.Annotations = map[string]string{"a/b": "c"} }, `metadata.annotations.a/b added: "c"`},
		"a toleration of its own":   {func(p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{{Key: "x"}} }, `spec.tolerations[0] added: {"key":"x"}`},
		"a node selector":           {func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"a": "b"} }, `spec.nodeSelector added: {"a":"b"}`},
		"a volume with much inside": {func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: strings.Repeat("x", 500)}} }, `…`},
	} {
		t.Run(name, func(t *testing.T) {
			got := admitted(sample())
			c.change(got)
			found, err := Changes(sample(), got)
			if err != nil || len(found) != 1 || !strings.Contains(found[0], c.want) || len(found[0]) > 300 {
				t.Errorf("%q, %v; want one that says %q", found, err, c.want)
			}
		})
	}
	bare := sample()
	bare.Labels = nil
	found, err := Changes(bare, admitted(sample()))
	if err != nil || !slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, "metadata.labels.") }) {
		t.Errorf("labels where none were sent: %q, %v", found, err)
	}
}
