// Package nodeimage builds a kind node image where no container registry can be
// reached: from Debian packages, Go modules and the files of this package alone.
//
// The image is what kind's published kindest/node images are to kind (a machine
// with systemd, containerd, a kubelet, kubeadm and kubectl, and the control
// plane's images already in containerd) and no more than a burst of pods needs:
// no kube-proxy, no DNS, no storage provisioner, and a pod network per node.
// The control plane's images are the multi-call binary of
// clusters/controlplane/node under the names that kubeadm asks for.
//
// No container runs while it is built: debootstrap makes the root file system, a
// containerd started for the purpose imports the images into an empty content
// store, and `docker load` takes the three layers. The image is labeled with a
// hash of all that went into it, so that building it again with the same inputs
// does nothing.
//
// It is not a general image builder, and the image is not for production.
package nodeimage
