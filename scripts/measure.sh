#!/usr/bin/env bash
# Measures this commit's tracer and the one of the commit that it parted from main at, both in one job.
#   measure.sh
# Reads from the environment, each of which may be empty:
#   MEASURE_BASE    a revision of the branch that the change goes into: the merge base with it is built, too
#   MEASURE_SHARD   "2of5": only this part of the suite's targets
#   MEASURE_SUITE   a built-in suite or a suite file [default]
#   MEASURE_ROUNDS  how many rounds; without it tracetax decides
# Expects build/release to be built. Writes build/measure/result.json, also when a target is void; its exit
# status is tracetax's.
set -euo pipefail
cd "$(dirname "$0")/.."
result=build/measure/result.json

say() { printf 'measure: %s\n' "$*" >&2; }
# warn TEXT: on GitHub's page of the run, too.
warn() {
    [ "${GITHUB_ACTIONS:-}" = true ] && printf '::warning::measure: %s\n' "$1"
    say "warning: $1"
}

mkdir -p build/measure
rm -f "$result"
# --commit: on GitHub GITHUB_SHA names the merge that a pull request would become, not what is checked out
arguments=(run --no-keep --export-json "$result" --suite "${MEASURE_SUITE:-default}" --commit "$(git rev-parse HEAD)")

if [ -n "${MEASURE_ROUNDS:-}" ]; then
    arguments+=(--rounds "$MEASURE_ROUNDS")
fi
if [ -n "${MEASURE_SHARD:-}" ]; then
    if ! [[ $MEASURE_SHARD =~ ^([0-9]{1,3})of([0-9]{1,3})$ ]]; then
        say "MEASURE_SHARD=$MEASURE_SHARD: not as in 2of5"
        exit 2
    fi
    arguments+=(--shard "${BASH_REMATCH[1]}/${BASH_REMATCH[2]}")
fi
if [ -n "${MEASURE_BASE:-}" ]; then
    # A base that cannot be had is no reason to measure nothing: the result then says less.
    if ! commit=$(git merge-base HEAD "$MEASURE_BASE"); then
        warn "no commit that HEAD and $MEASURE_BASE share: is the whole history checked out? Only head is measured"
    elif ! base=$(scripts/build-base.sh "$commit"); then
        warn "the base, $commit, could not be built: only head is measured"
    else
        arguments+=(--base "$base" --base-commit "$commit")
    fi
fi
exec build/release/bin/tracetax "${arguments[@]}"
