#!/bin/sh
# Compiles the suite and becomes it, so that a signal sent to this process
# reaches the suite itself (under "go test" or a plain shell the signal would
# end the parent alone and leave the clusters behind). The exit code is the
# suite's: 0 pass, 1 internal error, 2 bad input, 3 invalid, 4 SLO failed,
# 130 interrupted.
set -eu
cd "$(dirname "$0")/.."
bin=${BIN:-bin}
echo "podburst: provider ${PROVIDER:-auto}, profiles ${PROFILES:-default,tuned}: ${BURSTS:-3} bursts of ${PODS:-100} pods each."
echo "podburst: compiling the suite first (about 2 min on a new machine, seconds afterwards) ..."
go test -c -tags e2e -o "$bin/e2e.test" ./e2e
exec "$bin/e2e.test" -test.run "^TestE2E$" "$@"
