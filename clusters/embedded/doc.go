// Package embedded starts clusters without a container engine: a real etcd,
// kube-apiserver, kube-controller-manager and kube-scheduler as child processes
// on loopback ports, with their own certificates, and hollow kubelets (the real
// kubelet over a simulated container runtime). All of them are one multi-call
// binary: see clusters/builder.
//
// It is for measuring how a control plane starts pods: everything up to the
// node's runtime is real, and the runtime is a timer. It is not for testing
// what runs in a pod, nor for keeping data: etcd does not fsync, and Delete
// removes everything that Create made.
//
// A cluster's processes and files never outlive the process that made it: every
// child asks the kernel to be killed with its parent, and a small reaper, which
// waits on a pipe for the parent to end, removes the folder. Clean removes what
// is left if the reaper was killed too.
//
// The supervision of child processes follows controller-runtime's envtest.
package embedded
