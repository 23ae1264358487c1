// Package componentlog reads what kube-scheduler, kube-controller-manager and
// kubelets write about pods and about their own client-side limiters: the times
// of binding, of containers created and started, and of requests that waited.
//
// It is a pure function of a log's text: it opens nothing, follows nothing and
// needs no cluster. It understands klog's text format and the JSON format, bare or
// behind the prefixes of journald and of a container runtime, and what these
// lines looked like from Kubernetes 1.26 to 1.37. Lines that it does not know are
// counted and skipped: a log at a higher verbosity, or of a later version, is
// never an error.
//
// Stamps have a resolution of a microsecond and are of the node's clock. klog's
// text stamps have neither year nor zone; a reference time decides the year.
//
// The idea of measuring from these lines, with the scheduler at verbosity 2 and
// the kubelet at 3, is that of the published three-stage experiments
// (scheduling, creation, startup) with kube-api-qps and kube-api-burst.
package componentlog
