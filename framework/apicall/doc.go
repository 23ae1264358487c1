// Package apicall tells how long the API server took for the requests of a burst, by
// kind of request: verb, resource and scope, as Kubernetes' API call latency SLI tells
// them apart (sig-scalability, "API call latency SLIs/SLOs details").
//
// There are two sources. The audit log has the exact time of every request in the
// burst's namespace: from received to answered. That includes the time in admission
// webhooks and in the queues of priority and fairness, which the SLI leaves out: it is
// never less than the SLI's. The API server's histogram
// apiserver_request_sli_duration_seconds is the SLI itself, of all namespaces and
// senders between its two readings, but only in buckets: a time is above one bound and
// at most the next. It serves for the kinds of requests that the audit log does not have.
//
// Long-running requests (watch, exec, attach, log, port-forward, proxy) have no latency
// and are left out, as in the SLI.
package apicall
