#!/usr/bin/env bash
# What action.yml runs, in the folder of the project that is measured.
#   action.sh build | run | report
# build checks INPUT_COMMAND and installs tracetax into $RUNNER_TEMP/tracetax. run measures INPUT_SUITE (INPUT_SHARD,
# INPUT_ROUNDS), and names the file that is to be kept in $GITHUB_OUTPUT. report writes the comment of
# INPUT_WORKFLOW's run as INPUT_AUTHOR, and tracetax-report/history.json: always there, for in the job with the token
# nothing that a stranger might get to say may choose what is uploaded.
set -euo pipefail
ours=$(cd "$(dirname "$0")/.." && pwd)
place=${RUNNER_TEMP:?is set by GitHub Actions}/tracetax

say() { printf 'tracetax: %s\n' "$*" >&2; }
# output NAME VALUE: for the steps that follow.
output() { printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:?is set by GitHub Actions}"; }

build() {
    case ${INPUT_COMMAND:-} in
    run | report) ;;
    *)
        say "command: ${INPUT_COMMAND:-}: not run or report"
        return 2
        ;;
    esac
    make -C "$ours" install PREFIX="$place" >&2
}

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
    elif [ "$status" = 0 ]; then
        say 'nothing was measured: there is no result to upload'
        status=3
    fi
    return "$status"
}

report() {
    # a folder of its own, for it is all that the reporter may write to
    mkdir -p tracetax-report
    rm -f tracetax-report/history.json
    exec "$place/bin/tracetax-report" comment --event "${GITHUB_EVENT_PATH:?is set by GitHub Actions}" \
        --workflow "$INPUT_WORKFLOW" --author "$INPUT_AUTHOR" --export-history tracetax-report/history.json
}

case ${1:-} in
build | run | report) "$1" ;;
*)
    say 'usage: action.sh build | run | report'
    exit 2
    ;;
esac
