#!/bin/sh
# Compiles the suite and execs it, so that a signal sent to this process reaches
# the suite itself. (Under "go test" or a plain shell the signal would end only
# the parent and leave the clusters behind.) The exit code is the suite's: 0
# pass, 1 internal error, 2 bad input, 3 invalid, 4 SLO failed, 5 regressed, 130
# interrupted.
set -eu
cd "$(dirname "$0")/.."
exec 3>&1
case ${PROGRESS:-} in quiet | json) exec >/dev/null ;; esac # the plan below is progress, too
bin=${BIN:-bin}
profiles=${PROFILES:-default,tuned}
if [ -n "${BASE:-}${HEAD:-}" ]; then profiles="${BASE:-},${HEAD:-}"; fi
what="clusters"
start=10
burst=12
build="and, once, a Kubernetes control plane (about 10 min)"
case ${PROVIDER:-auto} in
existing)
  profiles=${PROFILES:-default}
  what="cluster, as it is"
  build="nothing is started or configured in the cluster but a namespace for the run"
  ;;
kind)
  # Real containers: as many as two cores can create, not what limits allow.
  start=45
  burst=110
  build="the node image must be there (make node-image)"
  ;;
esac
count=$(echo "$profiles" | tr ',' '\n' | wc -l)
bursts=${BURSTS:-3}
if [ -n "${BASE:-}" ]; then bursts=${BLOCKS:-8}; fi
echo "podburst: provider ${PROVIDER:-auto}; $count $what ($profiles), $bursts bursts of ${PODS:-100} pods to each."
case $bursts in
'' | *[!0-9]*) ;; # the suite refuses it, with the other faults of the input
*) echo "podburst: the run takes about $((count * (start + bursts * burst))) s on 2 cores; on a new machine the suite is compiled first (about 2 min)" ;;
esac
echo "podburst: $build. Compiling the suite ..."
go test -c -tags e2e -o "$bin/e2e.test" ./e2e
exec "$bin/e2e.test" -test.run '^TestE2E$' "$@" >&3 3>&-
