package embedded

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"time"
)

// adminUser is podburst's user name in its clusters.
const adminUser = "podburst"

// credentials are what podburst itself uses to connect.
type credentials struct {
	authority []byte // PEM certificate of the cluster's authority
	admin     pair
	// tls trusts the components and authenticates as the admin.
	tls *tls.Config
	// etcdTLS is the same for etcd, which has its own authority: a node's
	// certificate must not open the database.
	etcdTLS *tls.Config
}

// writeCredentials makes all of a cluster's certificates, keys and kubeconfigs.
// The authorities' keys are not written: nothing is signed later.
func writeCredentials(s settings, cluster string, now time.Time) (credentials, error) {
	w := credentialWriter{layout: s.layout, cluster: cluster, server: address(s.ports.apiServer)}
	w.authority = w.newAuthority("podburst", now)
	w.etcd = w.newAuthority("podburst-etcd", now)
	if w.err != nil {
		return credentials{}, w.err
	}
	w.file("ca.crt", w.authority.pem)
	w.file("etcd-ca.crt", w.etcd.pem)

	w.pair("etcd", try(w.etcd.peer("etcd")))
	etcdClient := try(w.etcd.client("kube-apiserver"))
	w.pair("etcd-client", etcdClient)
	w.pair("apiserver", try(w.authority.server("kube-apiserver", serviceAddress,
		"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local")))
	w.pair("apiserver-kubelet-client", try(w.authority.client("kube-apiserver-kubelet-client", "system:masters")))
	w.pair("controller-manager", try(w.authority.server("kube-controller-manager")))
	w.pair("scheduler", try(w.authority.server("kube-scheduler")))
	w.pair("kubelet", try(w.authority.server("kubelet")))

	w.kubeconfig("controller-manager", try(w.authority.client("system:kube-controller-manager")))
	w.kubeconfig("scheduler", try(w.authority.client("system:kube-scheduler")))
	for _, node := range s.workers {
		w.kubeconfig(node, try(w.authority.client("system:node:"+node, "system:nodes")))
	}
	// system:masters is exempt from priority and fairness, so the observer never
	// queues behind what it observes. Components also let it read their metrics
	// without asking the API server.
	admin := try(w.authority.client(adminUser, "system:masters"))
	w.kubeconfig("admin", admin)

	private, public, err := newSigningKey()
	w.note(err)
	w.file("sa.key", private)
	w.file("sa.pub", public)
	if w.err != nil {
		return credentials{}, fmt.Errorf("make the cluster's certificates: %w", w.err)
	}

	made := credentials{authority: w.authority.pem, admin: admin.pair}
	made.tls, err = clientTLS(w.authority.pem, admin.pair)
	w.note(err)
	made.etcdTLS, err = clientTLS(w.etcd.pem, etcdClient.pair)
	w.note(err)
	return made, w.err
}

// issued is a pair, or the error why there is none. try makes one from two
// results, so that the writer can keep the error.
type issued struct {
	pair
	err error
}

func try(p pair, err error) issued { return issued{p, err} }

// credentialWriter writes files and keeps the errors.
type credentialWriter struct {
	layout          layout
	cluster, server string
	authority, etcd *authority
	err             error
}

func (w *credentialWriter) note(err error) { w.err = errors.Join(w.err, err) }

func (w *credentialWriter) newAuthority(name string, now time.Time) *authority {
	a, err := newAuthority(name, now)
	w.note(err)
	return a
}

func (w *credentialWriter) file(name string, content []byte) {
	w.note(os.WriteFile(w.layout.pki(name), content, 0o600))
}

func (w *credentialWriter) pair(name string, p issued) {
	w.note(p.err)
	w.file(name+".crt", p.certificate)
	w.file(name+".key", p.key)
}

func (w *credentialWriter) kubeconfig(user string, p issued) {
	w.note(p.err)
	content, err := kubeconfig(w.cluster, w.server, w.authority.pem, user, p.pair)
	w.note(err)
	w.note(os.WriteFile(w.layout.kubeconfig(user), content, 0o600))
}
