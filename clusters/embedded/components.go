package embedded

import (
	"strconv"
	"strings"

	"github.com/podburst/podburst/clusters"
)

// serviceRange is the address range of Services; nothing routes it.
const (
	serviceRange   = "10.96.0.0/16"
	serviceAddress = "10.96.0.1"
)

// controllers are those that a burst of pods and its removal need. The
// controller manager checks their names when it starts.
var controllers = []string{
	// The burst.
	"job-controller",
	"ttl-after-finished-controller",
	// A namespace gets its default service account and its copy of the cluster's
	// CA, as in any other cluster.
	"serviceaccount-controller",
	"root-ca-certificate-publisher-controller",
	// Nodes become schedulable, and their pods are evicted when they fail.
	"node-lifecycle-controller",
	"taint-eviction-controller",
	// The removal.
	"garbage-collector-controller",
	"pod-garbage-collector-controller",
	"namespace-controller",
}

func (s settings) etcd() flags {
	client, peer := address(s.ports.etcd), address(s.ports.etcdPeer)
	return flags{
		"name":                        "podburst",
		"data-dir":                    s.layout.etcdData(),
		"listen-client-urls":          client,
		"advertise-client-urls":       client,
		"listen-peer-urls":            peer,
		"initial-advertise-peer-urls": peer,
		"initial-cluster":             "podburst=" + peer,
		"client-cert-auth":            "true",
		"trusted-ca-file":             s.layout.pki("etcd-ca.crt"),
		"cert-file":                   s.layout.pki("etcd.crt"),
		"key-file":                    s.layout.pki("etcd.key"),
		"peer-client-cert-auth":       "true",
		"peer-trusted-ca-file":        s.layout.pki("etcd-ca.crt"),
		"peer-cert-file":              s.layout.pki("etcd.crt"),
		"peer-key-file":               s.layout.pki("etcd.key"),
		// The data is thrown away: the disk must not decide a measurement.
		"unsafe-no-fsync": "true",
		"log-level":       "warn",
		// Served to those who have a client certificate; costs nothing until asked for.
		"enable-pprof": "true",
	}
}

func (s settings) apiServer() flags {
	f := flags{
		"cert-dir":                 s.layout.temporary(),
		"bind-address":             "127.0.0.1",
		"secure-port":              strconv.Itoa(s.ports.apiServer),
		"advertise-address":        "127.0.0.1",
		"tls-cert-file":            s.layout.pki("apiserver.crt"),
		"tls-private-key-file":     s.layout.pki("apiserver.key"),
		"client-ca-file":           s.layout.pki("ca.crt"),
		"anonymous-auth":           "false",
		"authorization-mode":       "Node,RBAC",
		"enable-admission-plugins": "NodeRestriction",
		"etcd-servers":             address(s.ports.etcd),
		"etcd-cafile":              s.layout.pki("etcd-ca.crt"),
		"etcd-certfile":            s.layout.pki("etcd-client.crt"),
		"etcd-keyfile":             s.layout.pki("etcd-client.key"),
		// Nobody reaches the API through its Service, and an endpoint on loopback is
		// refused anyway.
		"endpoint-reconciler-type":         "none",
		"service-cluster-ip-range":         serviceRange,
		"service-account-issuer":           "https://kubernetes.default.svc.cluster.local",
		"service-account-key-file":         s.layout.pki("sa.pub"),
		"service-account-signing-key-file": s.layout.pki("sa.key"),
		"kubelet-certificate-authority":    s.layout.pki("ca.crt"),
		"kubelet-client-certificate":       s.layout.pki("apiserver-kubelet-client.crt"),
		"kubelet-client-key":               s.layout.pki("apiserver-kubelet-client.key"),
		"kubelet-preferred-address-types":  "InternalIP",
		"audit-policy-file":                s.layout.auditPolicy(),
		"audit-log-path":                   s.layout.auditLog(),
		// Off the request's path; the file backend still writes each event at once.
		"audit-log-mode": "batch",
		// A full buffer drops events, and a burst would then lack marks.
		"audit-log-batch-buffer-size": "50000",
		// In MiB: no run gets this far, so the log is never rotated.
		"audit-log-maxsize":       "100000",
		"shutdown-delay-duration": "0s",
	}
	f["v"] = "2"
	f.withGates(s.spec)
	return f
}

func (s settings) controllerManager() (flags, error) {
	f := s.controller("controller-manager", s.ports.controllerManager)
	f["controllers"] = strings.Join(controllers, ",")
	// As in kubeadm: each controller is its own user, with its own rights and its
	// own place in the API server's priority levels.
	f["use-service-account-credentials"] = "true"
	f["root-ca-file"] = s.layout.pki("ca.crt")
	f.withCommon(clusters.KubeControllerManager, s.spec)
	return f, f.withExtra(clusters.KubeControllerManager, s.spec.KubeControllerManager.ExtraArgs)
}

func (s settings) scheduler() (flags, error) {
	f := s.controller("scheduler", s.ports.scheduler)
	f.withCommon(clusters.KubeScheduler, s.spec)
	if s.schedulerFields != "" {
		f["config"] = s.layout.scheduler()
	}
	return f, f.withExtra(clusters.KubeScheduler, s.spec.KubeScheduler.ExtraArgs)
}

// controller holds the flags that the controller manager and the scheduler share.
func (s settings) controller(name string, port int) flags {
	config := s.layout.kubeconfig(name)
	return flags{
		"kubeconfig":                config,
		"authentication-kubeconfig": config,
		"authorization-kubeconfig":  config,
		// The CA is a file here: no need to look it up in the cluster.
		"authentication-skip-lookup": "true",
		"client-ca-file":             s.layout.pki("ca.crt"),
		"cert-dir":                   s.layout.temporary(),
		"bind-address":               "127.0.0.1",
		"secure-port":                strconv.Itoa(port),
		"tls-cert-file":              s.layout.pki(name + ".crt"),
		"tls-private-key-file":       s.layout.pki(name + ".key"),
		"leader-elect":               "false",
	}
}
