// Package fakeruntime is a container runtime without containers: it implements
// the kubelet's CRI interfaces in process, keeps pods and containers as records
// in memory, and takes a set time over each operation.
//
// It is for hollow nodes, where the kubelet is real and only what it would ask
// of a machine is simulated. What it reports is true of its own simulation: a
// container is created once its create latency is over, it started when its
// start latency was over, and it ended when its timer fired or when it was
// stopped. It does not simulate images (every image is present), processes
// (a command that is executed does nothing and succeeds), logs, or networks
// (a pod's address is unique but nobody answers there).
//
// Latencies apply to making a sandbox, creating a container and starting one.
// At most Options.Parallelism of these run at once per node; the rest wait in
// the order in which they came. Everything else is immediate.
//
// Two annotations on a pod override Options.ContainerLifetime for it, so that
// a test can have containers that end or crash: see ExitAfterAnnotation and
// ExitCodeAnnotation.
//
// The idea is that of kubemark's fake runtime; unlike that one it has
// latencies and a concurrency limit, containers can end, and it forgets what
// was removed.
package fakeruntime
