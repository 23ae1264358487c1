//go:build integration && linux

package embedded

import (
	"bytes"
	"crypto/tls"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// TestCluster examines one cluster in every respect, and then what is left of it.
func TestCluster(t *testing.T) {
	base := t.TempDir()
	c := create(t, newTestProvider(t, base), shipped(t, "default"))
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}

	t.Run("every node takes pods", func(t *testing.T) {
		if err := nodesReady(t.Context(), client, c.WorkerNodes()); err != nil {
			t.Error(err)
		}
		nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if err != nil || len(nodes.Items) != clusters.DefaultWorkers {
			t.Errorf("%d nodes, %v; want %d", len(nodes.Items), err, clusters.DefaultWorkers)
		}
	})

	t.Run("limits in force are the components' own", func(t *testing.T) {
		effective, err := c.EffectiveConfig(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, instance := range c.Instances() {
			want, limited := clusters.DefaultLimits(instance.Component, "")
			got, read := effective[instance.String()]
			want.Source = "configz"
			if read != limited || limited && got != want {
				t.Errorf("%s: %+v, want %+v", instance, got, want)
			}
		}
	})

	t.Run("metrics of every instance", func(t *testing.T) {
		for _, instance := range c.Instances() {
			text, err := c.Metrics(t.Context(), instance)
			if err != nil {
				t.Error(err)
				continue
			}
			want := "rest_client_rate_limiter_duration_seconds"
			switch instance.Component {
			case clusters.Etcd:
				want = "etcd_server_has_leader"
			case clusters.KubeAPIServer:
				want = "apiserver_flowcontrol"
			}
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("the metrics of %s lack %s", instance, want)
			}
		}
	})

	t.Run("nobody is served without a certificate", func(t *testing.T) {
		// The server's certificate does not matter here.
		config := &tls.Config{InsecureSkipVerify: true} //nolint:gosec // A loopback server that must refuse us.
		stranger := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
		for _, instance := range c.Instances() {
			for _, path := range []string{"/metrics", "/configz", "/api", "/pods", "/debug/pprof/", "/v3/kv/range"} {
				response, err := stranger.Get(address(c.settings.ports.port(instance)) + path)
				if err != nil {
					continue // etcd refuses in the handshake.
				}
				response.Body.Close()
				switch response.StatusCode {
				// The controller manager and the scheduler accept an anonymous user, who
				// may do nothing. A kubelet answers 404 for a path that it does not have.
				case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
				default:
					t.Errorf("%s%s answers %s to a stranger", instance, path, response.Status)
				}
				strict := instance.Component == clusters.KubeAPIServer || instance.Component == clusters.Kubelet && path == "/metrics"
				if strict && response.StatusCode != http.StatusUnauthorized {
					t.Errorf("%s%s: %s, want 401", instance, path, response.Status)
				}
			}
		}
	})

	t.Run("a node may not read what is not its own", func(t *testing.T) {
		config := c.RESTConfig()
		node := must(os.ReadFile(c.settings.layout.kubeconfig(c.WorkerNodes()[0])))(t)
		loaded := must(clientConfig(node))(t)
		config.CertData, config.KeyData = loaded.CertData, loaded.KeyData
		asNode, err := kubernetes.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := asNode.CoreV1().Secrets("kube-system").List(t.Context(), metav1.ListOptions{}); err == nil {
			t.Error("a node's certificate lists secrets")
		}
		// etcd has its own authority.
		through := newEndpoint(must(clientTLS(c.credentials.authority, pair{loaded.CertData, loaded.KeyData}))(t))
		if _, err := through.get(t.Context(), c.settings.ports.etcd, "/health"); err == nil {
			t.Error("a node's certificate opens etcd")
		}
	})

	t.Run("nothing listens outside loopback", func(t *testing.T) {
		for instance, pid := range c.pids() {
			open := listeners(t, pid)
			if len(open) == 0 {
				t.Errorf("%s listens nowhere: the test looks at the wrong place", instance)
			}
			for _, address := range open {
				if !address.IsLoopback() {
					t.Errorf("%s listens on %s", instance, address)
				}
			}
		}
	})

	t.Run("secrets are for this user only", func(t *testing.T) {
		err := filepath.WalkDir(c.Dir(), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				if os.IsNotExist(err) {
					return nil // A kubelet has removed it meanwhile.
				}
				return err
			}
			info, err := os.Lstat(path)
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(c.Dir(), path)
			secret := strings.HasPrefix(name, "pki/") || strings.HasPrefix(name, "kubeconfigs/") || strings.HasPrefix(name, "logs/")
			if want := fs.FileMode(0o600); secret && info.Mode().Perm() != want {
				t.Errorf("%s has mode %o, want %o", name, info.Mode().Perm(), want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(c.Dir()); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, %v; want mode 700", info.Mode(), err)
		}
		for instance, pid := range c.pids() {
			args, err := procfs.Local().CommandLine(pid)
			if err != nil || strings.Contains(strings.Join(args, " "), "PRIVATE KEY") {
				t.Errorf("arguments of %s: %q, %v", instance, args, err)
			}
		}
	})

	t.Run("a burst leaves its marks", func(t *testing.T) { testBurst(t, c, client) })

	t.Run("collected files hold no secrets", func(t *testing.T) { testCollect(t, c) })

	t.Run("a component that stops is seen and can be started again", func(t *testing.T) { testRestart(t, c) })

	t.Run("delete leaves nothing", func(t *testing.T) {
		pids := c.pids()
		if err := c.Delete(t.Context()); err != nil {
			t.Fatal(err)
		}
		for instance, pid := range pids {
			if !gone(pid) {
				t.Errorf("%s (process %d) still runs", instance, pid)
			}
			listener, err := listen(c.settings.ports.port(instance))
			if err != nil {
				t.Errorf("the port of %s: %v", instance, err)
				continue
			}
			listener.Close()
		}
		empty(t, base)
		if err := c.Delete(t.Context()); err != nil {
			t.Errorf("deleting it again: %v", err)
		}
		if err := c.StartComponent(t.Context(), alone(clusters.Etcd)); err == nil || !strings.Contains(err.Error(), "is deleted") {
			t.Errorf("StartComponent after Delete = %v", err)
		}
		if _, err := c.AuditLog(t.Context()); err == nil {
			t.Error("the audit log can still be opened")
		}
	})
}
