// Package hollow runs a hollow node: the kubelet as it is released, with its
// own limiters, queues, caches and status updates, on a machine that is
// simulated. It asks the API server for the same things in the same order as
// any kubelet, so that what is measured of it is true; it starts no process,
// mounts nothing, writes to no control group and keeps to its root directory
// and one TLS port on loopback. It needs no privileges.
//
// What is simulated: the container runtime and the images (package
// fakeruntime), the machine, mounts (volumes are plain directories, with their
// real contents), and probes (a container is
// ready as soon as it runs: nothing listens at a pod's address). What is left
// out: volumes other than configMap, secret, downwardAPI, projected, emptyDir
// and hostPath, evictions, log files, device plugins, the pod-resources and
// pods sockets, and out-of-memory events, which belong to the machine and not
// to any hollow node.
//
// The idea is kubemark's. Unlike kubemark's, this kubelet sends Events, has the
// real kubelet's limits by default and shows them in /configz, authenticates
// who asks it, and can have containers that take their time and end.
package hollow
