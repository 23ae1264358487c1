// Package existing takes a cluster that others run, by kubeconfig and context, as
// it is: it starts, configures and removes nothing. What a kubeconfig does not
// reach (the logs and processes of components, the metrics of a control plane
// that listens on loopback, the audit log's file) it says to be unavailable,
// with the reason, and asks for only once.
//
// It is for the questions that one machine cannot answer: real nodes, real
// container runtimes, hundreds of them. To compare two settings on such a
// cluster, change them and run again; the package does not do that.
package existing
