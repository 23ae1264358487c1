#!/bin/bash
# Runs hack/gate.sh with the action's inputs, passed as INPUT_ variables so that
# their text never becomes part of a script.
set -euo pipefail
arguments=(--artifacts "${INPUT_ARTIFACTS:-artifacts}")
add() { [ -z "$2" ] || arguments+=("$1" "$2"); }
add --base-profile "${INPUT_BASE:-}"
add --head-profile "${INPUT_HEAD:-}"
add --base "${INPUT_BASE_REF:-}"
read -r -d '' -a profiles <<<"${INPUT_PROFILES:-}" || true
for profile in "${profiles[@]}"; do add --profile "$profile"; done
add --slo "${INPUT_SLO:-}"
add --criteria "${INPUT_CRITERIA:-}"
add --provider "${INPUT_PROVIDER:-}"
add --blocks "${INPUT_BLOCKS:-}"
add --pods "${INPUT_PODS:-}"
add --margin "${INPUT_MARGIN:-}"
add --deadline "${INPUT_DEADLINE:-}"
for name in all strict; do
  variable=INPUT_${name^^}
  case ${!variable:-false} in
  true) arguments+=("--$name") ;;
  false) ;;
  *) echo "podburst action: $name is '${!variable}': want true or false" >&2; exit 2 ;;
  esac
done
exec "$(dirname "${BASH_SOURCE[0]}")/../../../hack/gate.sh" "${arguments[@]}"
