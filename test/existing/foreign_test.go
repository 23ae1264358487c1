//go:build integration || kind

package existing_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	files "github.com/podburst/podburst"
	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/test/internal/suite"
)

// foreign is a live cluster that the suite knows only by its kubeconfig.
type foreign struct {
	t                *testing.T
	cluster          clusters.Cluster
	admin            kubernetes.Interface
	dynamic          dynamic.Interface
	podburst, nobody string // kubeconfigs
	tokens           []string
}

const podburstUser = "system:serviceaccount:podburst:podburst"

// startForeign starts a cluster with one of our providers and applies the manifest.
func startForeign(t *testing.T, with, profile string) *foreign {
	t.Helper()
	f := &foreign{t: t, cluster: suite.StartCluster(t, with, profile)}
	config := f.cluster.RESTConfig()
	var err error
	if f.admin, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	if f.dynamic, err = dynamic.NewForConfig(config); err != nil {
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

// on is the cluster, for another test.
func (f foreign) on(t *testing.T) *foreign { f.t = t; return &f }

// resources are the kinds of objects in the manifests.
var resources = map[string]schema.GroupVersionResource{
	"Namespace":                        {Version: "v1", Resource: "namespaces"},
	"ServiceAccount":                   {Version: "v1", Resource: "serviceaccounts"},
	"ClusterRole":                      {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	"RoleBinding":                      {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
	"ClusterRoleBinding":               {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"},
	"ValidatingAdmissionPolicy":        {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
	"ValidatingAdmissionPolicyBinding": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"},
}

// apply does what kubectl apply -f does with a new manifest, whose namespace may
// already exist.
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
			if apierrors.IsAlreadyExists(err) && object.GetKind() == "Namespace" {
				continue
			}
			f.t.Fatal(err)
		}
	}
}

// kubeconfig is one for a service account, with its own token.
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

// run starts the suite against the cluster, as the restricted user.
func (f *foreign) run(t *testing.T, env ...string) *suite.Process {
	t.Helper()
	return suite.Start(t, append([]string{"PROVIDER=existing", "PROFILES=", "KUBECONFIG=" + f.podburst, "KUBECONTEXT=foreign",
		"PODS=20", "BURSTS=1", "WARMUP=5"}, env...)...)
}

// mustBeAsBefore fails if a run's namespace is left.
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

// doctor runs the command's doctor.
func doctor(t *testing.T, kubeconfig string) (code int, output string) {
	t.Helper()
	p := suite.StartCommand(t, "doctor", "--provider", "existing", "--kubeconfig", kubeconfig, "--context", "foreign", "--pods", "20")
	code = p.Exit()
	return code, p.Text()
}
