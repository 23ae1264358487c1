// Package existing uses a cluster that someone else runs, given by kubeconfig
// and context, as it is: it starts, configures and removes nothing. Some things
// cannot be reached through a kubeconfig: the logs and processes of components,
// the metrics of a control plane that listens on loopback, the audit log's
// file. The package asks for them only once, and reports them as unavailable,
// with the reason.
//
// It is for questions that one machine cannot answer: real nodes and real
// container runtimes, hundreds of them. To compare two settings on such a
// cluster, change them yourself and run again.
package existing
