#!/bin/bash
# Appends what a night measured to a history, one JSON object a line:
#
#   {"at", "commit", "run", "calibrate": {"verdict", "criteria", "comparisons", "bench"}, "sweep"}
#
# CRITERIA names the calibrated criteria (gate.yaml), CALIBRATE_REPORT and
# SWEEP_REPORT the runs' report.json; what is missing is null. Lines that are
# not objects (from a truncated or foreign file) are dropped, and so are the
# oldest beyond HISTORY_LINES (default 400).
set -euo pipefail
history=${1:?the history file, such as history.jsonl}

folder() { [ -z "$1" ] || dirname "$1"; }
# text FILE, json FILE: the content as JSON, null if there is none.
text() { if [ -f "$1" ]; then jq -Rs . <"$1"; else echo null; fi; }
json() { if [ -f "$1" ]; then jq -c "$2" <"$1"; else echo null; fi; }

calibrate=${CALIBRATE_REPORT:-} sweep=${SWEEP_REPORT:-}
line=$(jq -cn --arg at "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg commit "${GITHUB_SHA:-}" --arg run "${GITHUB_RUN_ID:-}" \
  --argjson report "$(json "$calibrate" '{verdict, comparisons: [.comparisons[] | del(.pairs)]}')" \
  --argjson criteria "$(text "${CRITERIA:-}")" --argjson bench "$(text "$(folder "$calibrate")/bench.txt")" \
  --argjson sweep "$(json "$(folder "$sweep")/sweep.json" .)" \
  '{at: $at, commit: $commit, run: $run, calibrate: (($report // {}) + {criteria: $criteria, bench: $bench}), sweep: $sweep}')

next=$(mktemp "$history.XXXXXX")
trap 'rm -f "$next"' EXIT
if [ -f "$history" ]; then
  jq -Rc 'fromjson? | objects' "$history" >"$next"
  before=$(grep -c . "$history" || true) kept=$(grep -c . "$next" || true)
  [ "$before" -eq "$kept" ] || echo "history: $((before - kept)) of $before lines were no JSON objects and are left out" >&2
fi
echo "$line" >>"$next"
tail -n "${HISTORY_LINES:-400}" "$next" >"$history"
echo "history: $(grep -c . "$history") nights"
