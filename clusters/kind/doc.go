// Package kind starts clusters of containers that act as nodes, with
// sigs.k8s.io/kind as a library: real kubelets, a real container runtime and
// kubeadm's control plane, with the client limits that a profile asks for.
//
// kind's Create takes no context and its kubeadm patches fail silently, so this
// package handles the rest: cancellation and removal, waiting for nodes,
// reading back what is in force, and telling its own clusters from others'. It
// needs the docker command and an engine that the command can reach. Everything
// it measures goes through ports published on loopback, the API server, or a
// program run in a node.
//
// Each cluster has its own folder for its kubeconfig (never the user's) and for
// the files mounted into its nodes. List and Clean recognize podburst's
// clusters by that mount: kind offers no other way to mark them.
package kind
