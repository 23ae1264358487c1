#!/bin/sh
# Writes the node's pod network: a veth pair per pod and addresses of a /24 that
# no other node of this Docker network has, since it carries the last byte of the
# node's own address. Pods of different nodes do not reach each other; a burst of
# pods does not need it, and routes and rules would only take time.
set -eu
address=$(ip -4 -o address show dev eth0 | sed -n 's/.* inet \([0-9.]*\).*/\1/p' | head -n 1)
[ -n "$address" ] || { echo "eth0 has no IPv4 address" >&2; exit 1; }
mkdir -p /etc/cni/net.d
cat >/etc/cni/net.d/10-podburst.conflist <<CONFLIST
{
  "cniVersion": "1.0.0",
  "name": "podburst",
  "plugins": [
    {
      "type": "ptp",
      "ipMasq": false,
      "ipam": {
        "type": "host-local",
        "dataDir": "/run/podburst-cni",
        "ranges": [[{"subnet": "10.244.${address##*.}.0/24"}]],
        "routes": [{"dst": "0.0.0.0/0"}]
      }
    }
  ]
}
CONFLIST
