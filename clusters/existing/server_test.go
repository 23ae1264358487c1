package existing

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// token is the secret in the tests' kubeconfigs: no output may contain it.
const token = "s3cr3t-t0ken"

// apiServer answers the provider's requests and counts them.
type apiServer struct {
	*httptest.Server
	nodes []corev1.Node
	pods  []corev1.Pod
	// forbidden are path prefixes that are answered 403; text is the answer of
	// other paths that serve no objects.
	forbidden []string
	text      map[string]string

	mu    sync.Mutex
	asked map[string]int
}

func newServer(t *testing.T) *apiServer {
	t.Helper()
	s := &apiServer{asked: map[string]int{}, text: map[string]string{
		"/version":                           `{"gitVersion":"v1.37.2"}`,
		"/metrics":                           "apiserver 1\n",
		"/api/v1/nodes/node-1/proxy/metrics": "kubelet 1\n",
		"/api/v1/nodes/node-2/proxy/metrics": "kubelet 2\n",
		"/api/v1/nodes/node-1/proxy/configz": `{"kubeletconfig":{"kubeAPIQPS":50,"kubeAPIBurst":100}}`,
		"/api/v1/nodes/node-2/proxy/configz": `{"kubeletconfig":{"kubeAPIQPS":5,"kubeAPIBurst":10}}`,
	}}
	s.nodes = []corev1.Node{worker("node-2"), worker("node-1")}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.answer))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that the end of a test cuts off
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func worker(name string) corev1.Node {
	return corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("110")},
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			NodeInfo:    corev1.NodeSystemInfo{MachineID: "machine-id"},
		},
	}
}

func (s *apiServer) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	w.Header().Set("Content-Type", "application/json")
	switch {
	case slices.ContainsFunc(s.forbidden, func(p string) bool { return strings.HasPrefix(r.URL.Path, p) }):
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`)
	case r.URL.Path == "/api/v1/nodes":
		_ = json.NewEncoder(w).Encode(corev1.NodeList{TypeMeta: metav1.TypeMeta{Kind: "NodeList", APIVersion: "v1"}, Items: s.nodes})
	case r.URL.Path == "/api/v1/pods":
		// Two pages, as a large cluster answers.
		list := corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}}
		if half := len(s.pods) / 2; r.URL.Query().Get("continue") == "" {
			list.Items, list.Continue = s.pods[:half], "more"
		} else {
			list.Items = s.pods[half:]
		}
		_ = json.NewEncoder(w).Encode(list)
	default:
		text, ok := s.text[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, text)
	}
}

func (s *apiServer) requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

// kubeconfig writes a file with one context for the server.
func (s *apiServer) kubeconfig(t *testing.T, context string) string {
	t.Helper()
	config := clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{context: {
			Server:                   s.URL,
			CertificateAuthorityData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		}},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{context: {Token: token}},
		Contexts:  map[string]*clientcmdapi.Context{context: {Cluster: context, AuthInfo: context}},
	}
	path := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(config, path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	return path
}
