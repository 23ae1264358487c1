// Package kind starts clusters of containers that act as nodes, with
// sigs.k8s.io/kind as a library: real kubelets, a real container runtime and
// kubeadm's control plane, with the client limits that a profile asks for.
//
// kind's Create takes no context and its kubeadm patches fail silently, so this
// package owns what surrounds it: cancellation and removal, waiting for nodes,
// reading back what is in force, and telling its own clusters from others'. It
// needs the docker command and an engine that it reaches; all that it measures
// goes through ports published on loopback, the API server, or a program run
// within a node.
//
// Each cluster has a folder of its own for its kubeconfig (never the user's) and
// for the files mounted into its nodes. That mount is also the mark by which
// List and Clean know podburst's clusters: kind can label nothing else.
package kind
