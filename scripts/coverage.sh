#!/usr/bin/env bash
# Which lines and branches the tests run.
#   coverage.sh
# BASE=REVISION: the same of the commit that HEAD parted from it at, and what differs. Builds and tests in build/coverage
# (the base in build/base-coverage-COMMIT), and leaves there:
#   report/index.html   every line
#   coverage.json       gcovr's numbers
#   summary.md          what is printed, too, for the summary of a job
# Exit status 1 when a test fails or a number is below tests/coverage-floor.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

say() { printf 'coverage: %s\n' "$*" >&2; }

# count SOURCE BUILD: build, run every test, and write BUILD/coverage.json.
count() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DTRACETAX_COVERAGE=ON >/dev/null || return
    cmake --build "$2" >&2 || return
    find "$2" -name '*.gcda' -delete # of an earlier run
    # what a test runs as another user must be able to write its counts
    chmod -R a+rwX "$2" && (umask 0 && "$1/scripts/run-tests.sh" "$2" >&2) || return
    gather "$1" "$2" --json "$2/coverage.json"
}
# gather SOURCE BUILD OPTION...: gcovr over what ships; tests are not measured.
gather() {
    local source=$1 build=$2
    shift 2
    # relative filters, since one is a pattern, which a folder's name need not be
    (cd "$source" && gcovr --root . --object-directory "$build" --exclude-unreachable-branches \
        --filter common/ --filter harness/ --filter report/ --filter tracer/ --filter workload/ "$build" "$@")
}

count . "$root/build/coverage"
rm -rf build/coverage/report
mkdir -p build/coverage/report
gather . "$root/build/coverage" --html-details "$root/build/coverage/report/index.html" --html-title tracetax

arguments=(build/coverage/coverage.json --floor tests/coverage-floor)
if [ -n "${BASE:-}" ]; then
    if ! commit=$(git merge-base HEAD "$BASE"); then
        say "BASE=$BASE: no such commit here, or none that HEAD shares with it; fetch it first"
        exit 2
    fi
    base=$root/build/base-coverage-${commit:0:12}
    if [ ! -s "$base/coverage.json" ]; then
        git worktree prune
        mkdir -p "$base"
        [ -d "$base/source" ] || git worktree add --quiet --force --detach "$base/source" "$commit" >&2
        count "$base/source" "$base" || say "the tests of the base, $commit, fail: it is not compared with"
    fi
    arguments+=(--base "$commit")
    if [ -s "$base/coverage.json" ]; then
        arguments+=(--base-json "$base/coverage.json")
    fi
fi
python3 scripts/coverage.py "${arguments[@]}" | tee build/coverage/summary.md
