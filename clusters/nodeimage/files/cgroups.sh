#!/bin/sh
# Before the kubelet starts on cgroup v2: hands the controllers that it asks for
# down to the slice that kind names as its root. Nothing to do on v1.
set -eu
root=/sys/fs/cgroup
[ -e $root/cgroup.controllers ] || exit 0
mkdir -p $root/kubelet.slice
for controller in $(cat $root/cgroup.controllers); do
  for group in "" /kubelet.slice; do
    echo "+$controller" >"$root$group/cgroup.subtree_control" 2>/dev/null || true
  done
done
