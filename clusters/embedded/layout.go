package embedded

import "path/filepath"

// layout names the files in a cluster's folder.
type layout struct {
	dir string
}

func (l layout) path(parts ...string) string {
	return filepath.Join(append([]string{l.dir}, parts...)...)
}

// pki names a certificate or key: "apiserver.crt".
func (l layout) pki(name string) string { return l.path("pki", name) }

// kubeconfig names the client configuration of a user of the cluster.
func (l layout) kubeconfig(user string) string { return l.path("kubeconfigs", user+".kubeconfig") }

// log names the output of an instance.
func (l layout) log(instance string) string { return l.path("logs", instance+".log") }

// program names the link by which an instance is called.
func (l layout) program(name string) string { return l.path("bin", name) }

func (l layout) scheduler() string   { return l.path("scheduler.yaml") }
func (l layout) auditPolicy() string { return l.path("audit-policy.yaml") }
func (l layout) auditLog() string    { return l.path("audit", "audit.log") }
func (l layout) etcdData() string    { return l.path("etcd") }
func (l layout) temporary() string   { return l.path("tmp") }
func (l layout) owner() string       { return l.path("owner.json") }

// kubeletRoot holds the files of a hollow node.
func (l layout) kubeletRoot(node string) string { return l.path("kubelets", node) }

// folders are made before anything is written.
func (l layout) folders() []string {
	return []string{l.path("pki"), l.path("kubeconfigs"), l.path("logs"), l.path("bin"), l.path("audit"), l.path("kubelets"), l.etcdData(), l.temporary()}
}
