//go:build integration

package causes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// rival is the client that keeps the seats, rivals how many requests it has open at any
// time. Each takes bodyTime to be sent, of which it waits for one of the 3 seats that there
// are for three quarters and keeps it for the last one.
const (
	rival    = "podburst-rival"
	rivals   = 12
	bodyTime = 800 * time.Millisecond
)

// seats gives the Job controller's requests a priority level with the fewest seats that
// there are and a single queue, and lets another client keep the seats: it sends
// its requests' bodies slowly, which costs no processor anything. With more than one
// queue, fair queuing would soon let the Job controller's short requests pass.
func seats(testing.TB) *injection {
	var (
		end     context.CancelFunc
		working sync.WaitGroup
		// refused is why the rival's requests are of no use.
		refused atomic.Value
	)
	return &injection{
		start: func(ctx context.Context, b *bench) error {
			if err := starve(ctx, b); err != nil {
				return err
			}
			// The API server takes a moment to load all of it.
			if err := pause(ctx, 2*time.Second); err != nil {
				return err
			}
			clients, err := rivalClient(b)
			if err != nil {
				return err
			}
			ctx, end = context.WithCancel(context.WithoutCancel(ctx))
			for range rivals {
				working.Go(func() {
					for ctx.Err() == nil {
						if err := occupy(ctx, clients, b); err != nil {
							refused.Store(err)
							return
						}
					}
				})
			}
			return pause(ctx, bodyTime)
		},
		stop: func(ctx context.Context, b *bench) error {
			if end != nil {
				end()
			}
			working.Wait()
			err, _ := refused.Load().(error)
			return errors.Join(err, feed(ctx, b), pause(ctx, time.Second))
		},
	}
}

func starve(ctx context.Context, b *bench) error {
	few, none := int32(1), int32(0)
	_, err := b.client.FlowcontrolV1().PriorityLevelConfigurations().Create(ctx, &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: rival},
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{Type: flowcontrolv1.PriorityLevelEnablementLimited, Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
			NominalConcurrencyShares: &few, LendablePercent: &none, BorrowingLimitPercent: &none,
			LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeQueue, Queuing: &flowcontrolv1.QueuingConfiguration{Queues: 1, HandSize: 1, QueueLengthLimit: 500}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	all := []flowcontrolv1.ResourcePolicyRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}}
	for name, subject := range map[string]flowcontrolv1.Subject{
		rival: {Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: rival}},
		rival + "-victim": {Kind: flowcontrolv1.SubjectKindServiceAccount, ServiceAccount: &flowcontrolv1.ServiceAccountSubject{
			Namespace: metav1.NamespaceSystem, Name: "job-controller"}},
	} {
		_, err := b.client.FlowcontrolV1().FlowSchemas().Create(ctx, &flowcontrolv1.FlowSchema{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: flowcontrolv1.FlowSchemaSpec{
				PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: rival}, MatchingPrecedence: 100,
				Rules: []flowcontrolv1.PolicyRulesWithSubjects{{Subjects: []flowcontrolv1.Subject{subject}, ResourceRules: all}},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
	}
	// The controllers that fill in the role "admin" do not run here.
	_, err = b.client.RbacV1().Roles(metav1.NamespaceDefault).Create(ctx, &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: rival},
		Rules:      []rbacv1.PolicyRule{{Verbs: []string{"create"}, APIGroups: []string{""}, Resources: []string{"configmaps"}}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = b.client.RbacV1().RoleBindings(metav1.NamespaceDefault).Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: rival},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: rival}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: rival},
	}, metav1.CreateOptions{})
	return err
}

// feed removes what starve made.
func feed(ctx context.Context, b *bench) error {
	var errs []error
	for _, err := range []error{
		b.client.FlowcontrolV1().FlowSchemas().Delete(ctx, rival, metav1.DeleteOptions{}),
		b.client.FlowcontrolV1().FlowSchemas().Delete(ctx, rival+"-victim", metav1.DeleteOptions{}),
		b.client.FlowcontrolV1().PriorityLevelConfigurations().Delete(ctx, rival, metav1.DeleteOptions{}),
		b.client.RbacV1().Roles(metav1.NamespaceDefault).Delete(ctx, rival, metav1.DeleteOptions{}),
		b.client.RbacV1().RoleBindings(metav1.NamespaceDefault).Delete(ctx, rival, metav1.DeleteOptions{}),
	} {
		if err != nil && !apierrors.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func rivalClient(b *bench) (*http.Client, error) {
	config := b.cluster.RESTConfig()
	config.Impersonate = rest.ImpersonationConfig{UserName: rival}
	return rest.HTTPClientFor(config)
}

// occupy sends one request over bodyTime, and stores nothing. The error
// is a refusal.
func occupy(ctx context.Context, client *http.Client, b *bench) error {
	body, write := io.Pipe()
	text := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"rival-"}}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.cluster.RESTConfig().Host+"/api/v1/namespaces/"+metav1.NamespaceDefault+"/configmaps?dryRun=All", body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	go func() {
		_, _ = io.WriteString(write, text[:10])
		_ = pause(ctx, bodyTime)
		_, _ = io.WriteString(write, text[10:])
		_ = write.Close()
	}()
	answer, err := client.Do(request)
	if err != nil {
		return nil // the burst is over
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	if answer.StatusCode >= http.StatusBadRequest && answer.StatusCode != http.StatusTooManyRequests {
		return fmt.Errorf("the rival's request: %s", answer.Status)
	}
	return nil
}
