// Package embedded starts clusters without a container engine: a real etcd,
// kube-apiserver, kube-controller-manager and kube-scheduler as child processes
// on loopback ports, with certificates of their own, and hollow kubelets (the
// real kubelet over a simulated container runtime). All of them are one
// multi-call binary, see clusters/builder.
//
// It is for measuring how a control plane starts pods: everything up to the
// node's runtime is real, the runtime is a timer. It is not for testing what
// runs in a pod, and not for keeping anything: etcd does not sync its disk, and
// Delete removes all that Create made.
//
// A cluster's processes and files never outlive the process that made it: every
// child asks the kernel to be killed with its parent, and a small reaper, which
// waits for the parent's end on a pipe, removes the folder. Clean removes what
// is left when the reaper was killed as well.
//
// The way child processes are supervised is learnt from controller-runtime's
// envtest.
package embedded
