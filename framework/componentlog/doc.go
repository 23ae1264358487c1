// Package componentlog reads what kube-scheduler, kube-controller-manager and
// kubelets log about pods and about their own client-side limiters: when pods were
// bound, when containers were created and started, and which requests waited.
//
// It is a pure function of a log's text: it opens nothing, follows nothing and needs
// no cluster. It understands klog's text format and the JSON format, bare or behind
// the prefixes of journald and of a container runtime, and the forms of these lines
// from Kubernetes 1.26 to 1.37. Lines that it does not know are counted and skipped:
// a log of a higher verbosity or a later version is never an error.
//
// Stamps have a resolution of one microsecond and are by the node's clock. klog's
// text stamps have neither year nor zone; a reference time decides the year.
//
// The idea of measuring from these lines, with the scheduler at verbosity 2 and the
// kubelet at 3, comes from the published three-stage experiments (scheduling,
// creation, startup) with kube-api-qps and kube-api-burst.
package componentlog
