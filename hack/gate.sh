#!/bin/bash
# Gates a change of profiles: compares each profile file that differs between a
# base and a head, base's version against head's, in interleaved blocks on this
# machine (podburst compare), and exits with podburst's most serious exit code.
#
#   hack/gate.sh --base main                         this checkout against the merge base
#   hack/gate.sh --base-dir ../base --head-dir .     two folders, as they are
#   hack/gate.sh --base-profile default --head-profile ./mine.yaml
#
#   --base REF           branch, tag or commit; its merge base with the head is the base
#                        (default: the pull request's base branch, else main)
#   --base-dir DIR       folder that is the base, instead of --base
#   --head-dir DIR       checkout under test (default: that of the current folder)
#   --profile PATH       profile file, or folder of such, below both; may be repeated
#                        (default: clusters/profiles and .github/profiles)
#   --all                compare unchanged profiles, too: nothing but noise can differ (A/A)
#   --base-profile, --head-profile   one pair, by shipped name or file, whatever changed
#   --slo, --criteria FILE, --artifacts DIR   as podburst compare takes them
#   any other flag       goes to podburst compare: --provider, --blocks, --pods, --margin ...
#
# PODBURST names the binary (default: built from this script's checkout).
# gate.md in the artifacts folder says what was found and what was not covered,
# and so does the step summary if GITHUB_STEP_SUMMARY names one. GITHUB_OUTPUT
# gets verdict (pass, inconclusive, regressed, fail, invalid, error,
# interrupted, or unchanged if no profile differs), report (report.json of the
# most serious run), artifacts and exit-code.
#
# Exit codes: 0 pass, inconclusive or unchanged, 1 internal error, 2 usage or bad input,
# 3 invalid, 4 SLO failed, 5 regressed, 6 inconclusive with --strict, 130 interrupted.
set -euo pipefail

say() { echo "gate: $*"; }
die() { echo "gate: $*" >&2; annotate "$*"; exit 2; }
# annotate shows an error on the workflow run; podburst does so for everything
# it measured.
annotate() {
  [ "${GITHUB_ACTIONS:-}" = true ] || return 0
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  echo "::error title=podburst gate::${text//$'\n'/%0A}" >&2
}
usage() { sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
base='' base_dir='' head_dir='' all='' base_profile='' head_profile=''
artifacts=artifacts
profiles=() flags=()

absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

while [ $# -gt 0 ]; do
  option=$1 value=''
  shift
  case $option in
  --help | -h) usage; exit 0 ;;
  --all) all=1; continue ;;
  --) continue ;;
  --base | --base-dir | --head-dir | --profile | --base-profile | --head-profile | --slo | --criteria | --artifacts)
    [ $# -gt 0 ] || die "$option needs a value"
    value=$1
    shift
    ;;
  --base=* | --base-dir=* | --head-dir=* | --profile=* | --base-profile=* | --head-profile=* | --slo=* | --criteria=* | --artifacts=*)
    value=${option#*=} option=${option%%=*}
    ;;
  *) flags+=("$option"); continue ;;
  esac
  [ -n "$value" ] || die "$option is empty: give it a value, or leave it out"
  case $option in
  --base) base=$value ;;
  --base-dir) base_dir=$value ;;
  --head-dir) head_dir=$value ;;
  --profile) profiles+=("$value") ;;
  --base-profile) base_profile=$value ;;
  --head-profile) head_profile=$value ;;
  --slo | --criteria) flags+=("$option" "$(absolute "$value")") ;;
  --artifacts) artifacts=$value ;;
  esac
done
[ -z "$base" ] || [ -z "$base_dir" ] || die "--base and --base-dir: give one of them"
if [ -n "$base_profile$head_profile" ]; then
  if [ -z "$base_profile" ] || [ -z "$head_profile" ]; then die "--base-profile and --head-profile go together"; fi
  [ -z "$base$base_dir$head_dir$all${profiles[*]}" ] ||
    die "--base-profile and --head-profile name all that is compared: leave out --base, --base-dir, --head-dir, --profile and --all"
fi
artifacts=$(absolute "$artifacts")

scratch=$(mktemp -d)
child=''
interrupted=''
trap 'rm -rf "$scratch"' EXIT
# podburst removes its clusters when told to stop; this script waits for that.
trap 'interrupted=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null || true' INT TERM

# What is compared, a row each, and what part of the change is not, a line each.
names=() base_files=() head_files=() rows=() notes=()

# resolve_head, resolve_base: head is a folder; base becomes one with only the
# files that are needed.
resolve_head() {
  head=${head_dir:-$(git rev-parse --show-toplevel 2>/dev/null || pwd)}
  [ -d "$head" ] || die "--head-dir $head is no folder"
  head=$(cd "$head" && pwd -P)
}

watched=(go.mod clusters/controlplane/go.mod clusters/nodeimage)

resolve_base() {
  if [ -n "$base_dir" ]; then
    [ -d "$base_dir" ] || die "--base-dir $base_dir is no folder"
    basis=$(cd "$base_dir" && pwd -P)
    against="folder $base_dir"
    return
  fi
  git -C "$head" rev-parse --git-dir >/dev/null 2>&1 || die "$head is no git checkout: say with --base-dir what it is compared with"
  local tip='' candidate commit file candidates=("$base" "origin/$base")
  if [ -z "$base" ]; then
    base=${GITHUB_BASE_REF:-main}
    # Prefer the server's branch: a local one of that name may be behind.
    candidates=("origin/$base" "$base")
  fi
  for candidate in "${candidates[@]}"; do
    tip=$(git -C "$head" rev-parse --verify --quiet --end-of-options "$candidate^{commit}") && break
  done
  [ -n "$tip" ] || die "--base $base is no branch, tag or commit of $head: fetch it first (in a workflow: actions/checkout with fetch-depth: 0)"
  commit=$(git -C "$head" merge-base "$tip" HEAD) ||
    die "the head and $base have no merge base here: fetch more history (in a workflow: actions/checkout with fetch-depth: 0)"
  basis=$scratch/base
  against="commit ${commit:0:12}, the merge base with $base"
  mkdir "$basis"
  git -C "$head" ls-tree -r -z --name-only "$commit" -- "${profiles[@]}" "${watched[@]}" >"$scratch/files"
  while IFS= read -r -d '' file; do
    plain "$file"
    mkdir -p "$basis/$(dirname "$file")"
    git -C "$head" cat-file blob "$commit:$file" >"$basis/$file"
  done <"$scratch/files"
}

# plain refuses a path that leads out of a folder, or that a log or a table
# could misread: in a pull request others choose the names.
plain() {
  case /$1/ in
  *[!A-Za-z0-9._/-]* | *//* | */./* | */../* | /-*) die "path '$(printf %q "$1")': give profiles as paths below the checkout, of letters, digits and ._-/ only" ;;
  esac
}

# files_of DIR PATH... lists the profile files below DIR, by name.
files_of() {
  local dir=$1 path file
  shift
  for path; do
    if [ -d "$dir/$path" ]; then
      for file in "$dir/$path"/*.yaml "$dir/$path"/*.yml; do
        [ ! -e "$file" ] || printf '%s\0' "${file#"$dir"/}"
      done
    elif [ -e "$dir/$path" ]; then
      printf '%s\0' "$path"
    fi
  done
}

choose() {
  local defaulted='' p
  if [ ${#profiles[@]} -eq 0 ]; then
    defaulted=1
    profiles=(clusters/profiles .github/profiles)
  fi
  profiles=("${profiles[@]#./}")
  profiles=("${profiles[@]%/}")
  for p in "${profiles[@]}"; do plain "$p"; done
  resolve_head
  resolve_base
  for p in "${profiles[@]}"; do
    [ -n "$defaulted" ] || [ -e "$head/$p" ] || [ -e "$basis/$p" ] || die "--profile $p is neither in the head nor in the base"
  done
  { files_of "$basis" "${profiles[@]}"; files_of "$head" "${profiles[@]}"; } | sort -zu >"$scratch/profiles"
  [ -s "$scratch/profiles" ] || die "no profile file in ${profiles[*]}: say with --profile where they are"
  local unchanged=() file
  while IFS= read -r -d '' file; do
    plain "$file"
    for p in "$head" "$basis"; do
      [ ! -L "$p/$file" ] || die "$file is a symbolic link: put the profile itself there"
    done
    if [ ! -e "$basis/$file" ]; then
      notes+=("$file is new: there is nothing to compare it with.")
    elif [ ! -e "$head/$file" ]; then
      notes+=("$file was removed.")
    elif [ -z "$all" ] && cmp -s "$basis/$file" "$head/$file"; then
      unchanged+=("$file")
    else
      names+=("$file") base_files+=("$basis/$file") head_files+=("$head/$file")
      [ "$(image_of "$basis/$file")" = "$(image_of "$head/$file")" ] ||
        notes+=("$file changes its node image, which kind clusters run and embedded ones do not.")
    fi
  done <"$scratch/profiles"
  [ ${#unchanged[@]} -eq 0 ] || notes+=("Unchanged, and not compared (--all does): ${unchanged[*]}.")
  uncovered
}

image_of() { grep -E '^[[:space:]]*nodeImage:' "$1" || true; }
kind_of() { grep -Eo 'sigs\.k8s\.io/kind v[^ ]+' "$1" || true; }

# uncovered says which changes no comparison here can see: one podburst measures
# both arms, with one control plane and one default node image.
uncovered() {
  local path what
  for path in "${watched[@]}"; do
    if [ ! -e "$head/$path" ] || [ ! -e "$basis/$path" ]; then continue; fi
    ! diff -rq "$basis/$path" "$head/$path" >/dev/null || continue
    case $path in
    go.mod)
      [ "$(kind_of "$basis/$path")" != "$(kind_of "$head/$path")" ] || continue
      what="$path changes kind, whose default node image both arms get of the head where a profile names no spec.nodeImage"
      ;;
    clusters/controlplane/go.mod) what="$path changed, and embedded clusters of both arms run the Kubernetes that the head's builds" ;;
    *) what="$path changed, and both arms run the node image that is on this machine" ;;
    esac
    notes+=("Not covered: $what. Published node images are compared by changing a profile's spec.nodeImage.")
  done
}

build() {
  if [ -n "${PODBURST:-}" ]; then
    podburst=$(command -v -- "$PODBURST") || die "PODBURST=$PODBURST is no program"
    podburst=$(absolute "$podburst")
    return
  fi
  podburst=$scratch/podburst
  say "building podburst ..."
  (cd "$root" && go build -o "$podburst" ./cmd/podburst) || { echo "gate: podburst does not build" >&2; annotate "podburst does not build; the log says why"; exit 1; }
}

# rank orders exit codes, the most serious highest. A code that is not
# podburst's own (it was killed) is an internal error.
rank() {
  case $1 in
  0) echo 0 ;;
  2 | 3 | 4 | 5 | 6) echo $((8 - $1)) ;;
  130) echo 9 ;;
  *) echo 8 ;;
  esac
}

# verdict_of CODE [SAID]: what podburst said if it ended with that code, else
# the code's name.
verdict_of() {
  case $1:${2:-} in
  0:inconclusive) echo inconclusive ;;
  0:*) echo pass ;;
  2:* | 1:*) echo error ;;
  3:*) echo invalid ;;
  4:*) echo fail ;;
  5:*) echo regressed ;;
  6:*) echo inconclusive ;;
  130:*) echo interrupted ;;
  *) echo error ;;
  esac
}

# output_of NAME reads the one-line output NAME that podburst set.
output_of() { awk -v name="$1" 'index($0, name "<<") == 1 {getline; value = $0} END {print value}' "$scratch/output" 2>/dev/null || true; }

worst=0 verdict=pass report='' reached=''

compare() {
  local name=$1 code=0 said found
  : >"$scratch/output"
  say "$name: podburst compare --base $2 --head $3 --artifacts $artifacts ${flags[*]}"
  # The embedded provider builds its control plane from the sources here. The
  # runner's files are written once, at the end, for all comparisons.
  (cd "$root" && exec env GITHUB_STEP_SUMMARY="$scratch/details" GITHUB_OUTPUT="$scratch/output" \
    "$podburst" compare --base "$2" --head "$3" --artifacts "$artifacts" "${flags[@]}") &
  child=$!
  [ -z "$interrupted" ] || kill -TERM "$child" 2>/dev/null || true
  while :; do
    wait "$child" && code=0 || code=$?
    kill -0 "$child" 2>/dev/null || break
  done
  child=''
  [ -z "$interrupted" ] || [ "$code" -ne 143 ] || code=130
  said=$(output_of verdict) found=$(output_of report)
  said=$(verdict_of "$code" "$said")
  rows+=("| $name | $said | $code | $(basename "$(dirname "${found:-/-/-}")") |")
  say "$name: $said (exit code $code)"
  case $code:$found in
  0: | 130:) ;;
  *:) annotate "$name: podburst ended with exit code $code and no report; the log says why" ;;
  esac
  if [ -z "$reached" ] || [ "$(rank "$code")" -gt "$(rank "$worst")" ] || { [ "$verdict" = pass ] && [ "$said" = inconclusive ]; }; then
    worst=$code verdict=$said report=$found reached=1
  fi
}

overview() {
  echo "# podburst gate: $verdict"
  echo
  if [ ${#rows[@]} -gt 0 ]; then
    echo "| profile | verdict | exit code | run |"
    echo "|---|---|---:|---|"
    printf '%s\n' "${rows[@]}"
    echo
  fi
  [ -z "${against:-}" ] || echo "The base is $against."
  [ ${#rows[@]} -eq 0 ] || echo "Both arms were measured by the head's podburst, on this machine, in interleaved blocks."
  [ ${#notes[@]} -eq 0 ] || { echo; printf -- '- %s\n' "${notes[@]}"; }
}

finish() {
  mkdir -p "$artifacts"
  { overview; echo; cat "$scratch/details" 2>/dev/null || true; } >"$artifacts/gate.md"
  local size=0
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    # GitHub drops a summary of more than 1 MiB entirely.
    [ ! -f "$GITHUB_STEP_SUMMARY" ] || size=$(wc -c <"$GITHUB_STEP_SUMMARY")
    if [ $((size + $(wc -c <"$artifacts/gate.md"))) -lt 1048000 ]; then
      cat "$artifacts/gate.md"
    else
      overview
      echo
      echo "The rest has no room here: see gate.md among the artifacts."
    fi >>"$GITHUB_STEP_SUMMARY" || echo "gate: cannot write the step summary" >&2
  fi
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    # A path could contain a line break; a heredoc is safe if its delimiter is
    # not in the path.
    local end="gate_end_$$_$RANDOM$RANDOM" pair
    for pair in "verdict=$verdict" "report=$report" "artifacts=$artifacts" "exit-code=$worst"; do
      printf '%s<<%s\n%s\n%s\n' "${pair%%=*}" "$end" "${pair#*=}" "$end"
    done >>"$GITHUB_OUTPUT" || echo "gate: cannot write the step's outputs" >&2
  fi
  overview
  exit "$worst"
}

if [ -n "$base_profile" ]; then
  # An existing file is used as such; other names are shipped profiles.
  [ ! -e "$base_profile" ] || base_profile=$(absolute "$base_profile")
  [ ! -e "$head_profile" ] || head_profile=$(absolute "$head_profile")
  names=("$(basename "$head_profile") against $(basename "$base_profile")")
  plain "${names[0]// /-}"
  base_files=("$base_profile") head_files=("$head_profile")
else
  choose
fi
if [ ${#names[@]} -eq 0 ]; then
  verdict=unchanged
  finish
fi
build
for i in "${!names[@]}"; do
  [ -n "$interrupted" ] || compare "${names[i]}" "${base_files[i]}" "${head_files[i]}"
  if [ -n "$interrupted" ] || [ "$worst" -eq 130 ]; then
    notes+=("Interrupted: not all was compared.")
    worst=130 verdict=interrupted
    break
  fi
done
finish
