#!/bin/sh
# First process of a node: readies what systemd, containerd and the kubelet
# expect of a machine, then becomes systemd.
set -eu

# The kubelet mounts volumes that containers must see.
mount --make-rshared /
# A writable /sys makes systemd start udev on the host's devices.
mount -o remount,ro /sys

# Nodes are made from one image, but each is a machine of its own.
rm -f /etc/machine-id
systemd-machine-id-setup >/dev/null 2>&1

# kind puts all that the kubelet runs below kubelet.slice, and the kubelet refuses
# a root cgroup that is not in every hierarchy. On cgroup v1 nobody else makes it
# (on v2 the kubelet's unit does).
if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
  findmnt --noheadings --raw --types cgroup --output TARGET | while read -r hierarchy; do
    mkdir -p "$hierarchy/kubelet.slice"
    # A new cpuset is empty, and an empty one takes no process.
    for setting in cpuset.cpus cpuset.mems; do
      if [ -e "$hierarchy/$setting" ]; then
        cat "$hierarchy/$setting" >"$hierarchy/kubelet.slice/$setting"
      fi
    done
  done
fi

exec "$@"
