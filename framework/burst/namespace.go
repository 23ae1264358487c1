package burst

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// NamespaceOf is the name of a run's namespace: "podburst-" and as much of the run's
// ID as fits into a DNS label.
func NamespaceOf(runID string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, "podburst-"+strings.ToLower(runID))
	if len(name) > 63 {
		name = name[:63]
	}
	return strings.Trim(name, "-")
}

// EnsureNamespace creates the run's namespace, labeled, and returns its name. An
// existing one is used if it is this run's. It also creates the default service
// account, without which no pod is admitted: the first burst would otherwise race
// with the controller that creates it.
func EnsureNamespace(ctx context.Context, client kubernetes.Interface, runID string) (string, error) {
	name := NamespaceOf(runID)
	labels := map[string]string{recording.LabelManagedBy: recording.ManagedBy, recording.LabelRun: runID}
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		err = ours(ctx, client, name, runID)
	}
	if err != nil {
		return "", fmt.Errorf("make namespace %s: %w", name, err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Labels: labels}}
	_, err = client.CoreV1().ServiceAccounts(name).Create(ctx, account, metav1.CreateOptions{})
	switch {
	case err == nil, apierrors.IsAlreadyExists(err):
		return name, nil
	case apierrors.IsForbidden(err):
		return name, awaitAccount(ctx, client, name)
	}
	return "", fmt.Errorf("make the default service account of namespace %s: %w", name, err)
}

// ours checks that an existing namespace is the run's.
func ours(ctx context.Context, client kubernetes.Interface, name, runID string) error {
	found, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	switch {
	case err != nil:
		return err
	case !isRuns(found, runID):
		return fmt.Errorf("it exists and is not this run's (labels %v): use another run ID", found.Labels)
	case found.DeletionTimestamp != nil:
		return fmt.Errorf("it is being deleted since %s: use another run ID", found.DeletionTimestamp.UTC().Format(time.RFC3339))
	}
	return nil
}

// awaitAccount waits for the controller if the observer may not create the account.
func awaitAccount(ctx context.Context, client kubernetes.Interface, namespace string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	for {
		_, err := client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the default service account of namespace %s: %w (allow the observer to create serviceaccounts)", namespace, err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// DeleteRunNamespace deletes the namespace that EnsureNamespace created, or may have
// created before it failed, and waits until it is gone. A namespace of that name that
// is not the run's is left alone.
func DeleteRunNamespace(ctx context.Context, client kubernetes.Interface, runID string) error {
	name := NamespaceOf(runID)
	found, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("delete namespace %s: look whether it is there: %w", name, err)
	case !isRuns(found, runID):
		return nil
	}
	return DeleteNamespace(ctx, client, name)
}

// isRuns tells by the labels whether EnsureNamespace created the namespace for the
// run.
func isRuns(found *corev1.Namespace, runID string) bool {
	return found.Labels[recording.LabelManagedBy] == recording.ManagedBy && found.Labels[recording.LabelRun] == runID
}

// DeleteNamespace deletes a run's namespace and waits until it is gone; it is not an
// error if it is already gone. If ctx ends first, the error says what is left.
func DeleteNamespace(ctx context.Context, client kubernetes.Interface, name string) error {
	err := client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{})
	for {
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("delete namespace %s: %w", name, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("delete namespace %s: it is not gone yet: %w (what remains: kubectl get pods,jobs -n %s)", name, context.Cause(ctx), name)
		case <-time.After(250 * time.Millisecond):
		}
		_, err = client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	}
}
