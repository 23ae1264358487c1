package preflight

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
)

// removeTimeout bounds the removal of preflight's own namespace.
const removeTimeout = time.Minute

// admission creates a namespace as a run would (or uses the one named) and checks
// what the cluster does to a burst there.
func (l *listing) admission(ctx context.Context, client kubernetes.Interface, o Options) {
	namespace := o.Namespace
	if namespace == "" {
		run := "doctor-" + strings.ToLower(rand.Text()[:8])
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
			defer cancel()
			if err := burst.DeleteRunNamespace(ctx, client, run); err != nil && namespace != "" {
				l.add(Fail, "remove namespace", "kubectl delete namespace "+namespace, "%v", err)
			}
		}()
		var err error
		if namespace, err = burst.EnsureNamespace(ctx, client, run); err != nil {
			l.add(Fail, "admission", adviceManifest, "not checked, for a namespace is needed: %v", err)
			return
		}
	}
	l.quotas(ctx, client, namespace, o.Pods)
	for _, sent := range load.Kinds(o.Request) {
		l.dryRun(ctx, client, namespace, sent)
	}
}

// quotas looks for quotas that limit the namespace's pods, and for limit ranges that
// add requests to them.
func (l *listing) quotas(ctx context.Context, client kubernetes.Interface, namespace string, pods int) {
	list, err := client.CoreV1().ResourceQuotas(namespace).List(ctx, metav1.ListOptions{})
	switch {
	case err != nil:
		l.add(OK, "quotas", "", "not looked at (%v); a Job that exceeds one would be refused, or its pods", short(err))
	case len(list.Items) == 0:
		l.add(OK, "quotas", "", "none in namespace %s", namespace)
	}
	if err == nil {
		for i := range list.Items {
			l.quota(&list.Items[i], pods)
		}
	}
	ranges, err := client.CoreV1().LimitRanges(namespace).List(ctx, metav1.ListOptions{})
	switch {
	case err != nil:
		l.add(OK, "limit ranges", "", "not looked at (%v)", short(err))
	case len(ranges.Items) > 0:
		l.add(Warn, "limit ranges", "pods get requests and limits by it, which the scheduler and the nodes then weigh: it is part of what is measured",
			"namespace %s has %d, such as %s", namespace, len(ranges.Items), ranges.Items[0].Name)
	default:
		l.add(OK, "limit ranges", "", "none in namespace %s", namespace)
	}
}

func (l *listing) quota(q *corev1.ResourceQuota, pods int) {
	for _, name := range []corev1.ResourceName{corev1.ResourcePods, "count/pods"} {
		hard, limited := q.Status.Hard[name]
		if !limited {
			continue
		}
		used := q.Status.Used[name]
		if free := hard.Value() - used.Value(); free < int64(pods) {
			l.add(Fail, "quota "+q.Name, fmt.Sprintf("raise it, or set PODS=%d", max(free, 0)), "%s leaves %d for a burst of %d pods", name, free, pods)
			return
		}
	}
	for name := range q.Status.Hard {
		if text := string(name); strings.HasPrefix(text, "requests.") || strings.HasPrefix(text, "limits.") || name == corev1.ResourceCPU || name == corev1.ResourceMemory {
			l.add(Fail, "quota "+q.Name, "take it from the namespace: pods of a burst have no requests, and such a quota refuses them", "it limits %s", name)
			return
		}
	}
	l.add(OK, "quota "+q.Name, "", "has room for %d pods", pods)
}

// dryRun lets the API server admit a burst's load and, if allowed, one of its pods,
// without storing them. Pods are admitted separately from the load: injected
// containers show only in the pod.
func (l *listing) dryRun(ctx context.Context, client kubernetes.Interface, namespace string, sent load.Load) {
	at := load.Place{Namespace: namespace, Name: "podburst-doctor", RunID: "doctor"}
	var planned recording.Burst
	sent.Describe(&planned)
	kind, name := planned.Workload.Kind, "admission of "+planned.Workload.Resource
	template, admitted, err := sent.DryRun(ctx, client, at)
	if err != nil {
		l.add(Fail, name, "change what refuses it, or exempt the namespaces podburst-*", "a burst's %s is refused: %v", kind, err)
		return
	}
	l.changes(name, podOf(at, template), podOf(at, admitted))

	const pods = "admission of pods"
	create := Permission{Verb: "create", Resource: "pods", Namespaced: true}
	if allowed, _, err := Allowed(ctx, client, create, namespace); err != nil || !allowed {
		l.add(OK, pods, "", "not looked at, for this user may not create pods (a run need not, its %s does)", kind)
		return
	}
	pod := podOf(at, template)
	switch got, err := client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); {
	case apierrors.IsForbidden(err), apierrors.IsInvalid(err):
		l.add(Fail, pods, "change what refuses it, or exempt the namespaces podburst-*", "a burst's pod is refused: %v", err)
	case err != nil:
		l.add(Warn, pods, "", "cannot be seen: %v", err)
	default:
		l.changes(pods, pod, got)
	}
}

// podOf is the pod that a template describes.
func podOf(at load.Place, t corev1.PodTemplateSpec) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: at.Name, Namespace: at.Namespace, Labels: t.Labels, Annotations: t.Annotations},
		Spec:       t.Spec,
	}
}

func (l *listing) changes(name string, sent, got *corev1.Pod) {
	found, err := Changes(sent, got)
	switch {
	case err != nil:
		l.add(Warn, name, "", "cannot be compared: %v", err)
	case len(found) > 0:
		l.add(Warn, name, "it is part of what is measured; exempt the namespaces podburst-* to measure without", "changes the pods: %s", strings.Join(found, "; "))
	default:
		l.add(OK, name, "", "changes nothing of the pods")
	}
}

// short is just the reason of an API server's refusal.
func short(err error) error {
	if apierrors.IsForbidden(err) {
		return fmt.Errorf("this user may not")
	}
	return err
}
