#!/usr/bin/env bash
# What action.yml runs, in the folder of the project that is measured.
#   action.sh build | run | report
# build installs tracetax into $RUNNER_TEMP/tracetax. run measures INPUT_SUITE (INPUT_SHARD, INPUT_ROUNDS). report
# writes the comment of INPUT_WORKFLOW's run. Each names the file that is to be kept in $GITHUB_OUTPUT.
set -euo pipefail
ours=$(cd "$(dirname "$0")/.." && pwd)
place=${RUNNER_TEMP:?is set by GitHub Actions}/tracetax

say() { printf 'tracetax: %s\n' "$*" >&2; }
# output NAME VALUE: for the steps that follow.
output() { printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:?is set by GitHub Actions}"; }

build() { make -C "$ours" install PREFIX="$place" >&2; }

# Kept also when a target is void: the comment then says which, and the step fails all the same.
run() {
    local result=$place/result.json arguments status=0 name
    arguments=(run --no-keep --export-json "$result" --suite "${INPUT_SUITE:-default}")
    if [ -n "${INPUT_ROUNDS:-}" ]; then
        arguments+=(--rounds "$INPUT_ROUNDS")
    fi
    if [ -n "${INPUT_SHARD:-}" ]; then
        if ! [[ $INPUT_SHARD =~ ^([0-9]{1,3})of([0-9]{1,3})$ ]]; then
            say "shard: $INPUT_SHARD: not as in 2of5"
            return 2
        fi
        arguments+=(--shard "${BASH_REMATCH[1]}/${BASH_REMATCH[2]}")
    fi
    rm -f "$result"
    # what is checked out, which GITHUB_SHA does not name in a pull request
    if name=$(git rev-parse --verify --quiet HEAD); then
        arguments+=(--commit "$name")
    fi
    "$place/bin/tracetax" "${arguments[@]}" || status=$?
    if [ -s "$result" ]; then
        name=$(sed -nE 's|^ *"id": "([a-z0-9_-]+)",$|\1|p' "$result" | head -n 1)
        output artifact "tracetax-$name${INPUT_SHARD:+-$INPUT_SHARD}"
        output result "$result"
        "$place/bin/tracetax-report" preview "$result" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
    fi
    return "$status"
}

report() {
    local history=$place/history.json status=0
    rm -f "$history"
    "$place/bin/tracetax-report" comment --event "${GITHUB_EVENT_PATH:?is set by GitHub Actions}" \
        --workflow "$INPUT_WORKFLOW" --export-history "$history" || status=$?
    if [ -s "$history" ]; then
        output history "$history"
    fi
    return "$status"
}

case ${1:-} in
build | run | report) "$1" ;;
*)
    say 'usage: action.sh build | run | report'
    exit 2
    ;;
esac
