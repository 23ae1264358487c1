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

# kind puts all that the kubelet runs below /kubelet and kubelet.slice, and the
# kubelet refuses a root cgroup that is not there. On cgroup v1 nobody else makes
# it (on v2 the kubelet's unit does). Bound onto itself, it is seen under the
# same path from within and from without the node's cgroup namespace.
if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount --make-rprivate /sys/fs/cgroup
  findmnt --noheadings --raw --types cgroup --output TARGET | while read -r hierarchy; do
    for group in kubelet kubelet.slice; do
      mkdir -p "$hierarchy/$group"
      # A new cpuset is empty, and an empty one takes no process.
      for setting in cpuset.cpus cpuset.mems; do
        if [ -e "$hierarchy/$setting" ]; then
          cat "$hierarchy/$setting" >"$hierarchy/$group/$setting"
        fi
      done
      mount --bind "$hierarchy/$group" "$hierarchy/$group"
    done
  done
fi

exec "$@"
