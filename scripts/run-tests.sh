#!/usr/bin/env bash
# Runs every test of a build folder and ends with the line "N passed, N failed, N skipped".
#   run-tests.sh BUILD_DIR
# Fails when a test fails, and when one is skipped that tests/skips.txt does not expect.
set -uo pipefail
build=${1:?usage: run-tests.sh BUILD_DIR}
expected=$(dirname "$0")/../tests/skips.txt
log=$build/Testing/Temporary/LastTest.log
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
output=$(mktemp "${TMPDIR:-/tmp}/tracetax-tests.XXXXXX") || exit 1
trap 'rm -f "$output"' EXIT

total=$(ctest --test-dir "$build" -N | sed -n 's/^Total Tests: //p')
ctest --test-dir "$build" --output-on-failure --parallel "$jobs" --no-tests=error | tee "$output"
status=$?

# outcome REGEX: names of the tests whose line ends so.
outcome() {
    sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.* *'"$1"'.*$/\1/p' "$output"
}
# reason NAME: what a skipped test printed.
reason() {
    awk -v name="$1" '
        /^[0-9]+\/[0-9]+ Testing: / { inside = $3 == name }
        inside && sub(/^SKIPPED: /, "") { print; exit }' "$log"
}

passed=$(outcome Passed | wc -l)
skipped_names=$(outcome '\*\*\*Skipped')
skipped=$(printf '%s' "$skipped_names" | grep -c .)
failed=$((total - passed - skipped))

unexpected=0
for name in $skipped_names; do
    why=$(reason "$name")
    verdict=expected
    # A row expects a skip of this test for a reason that holds the row's words.
    if ! awk -F '\t' -v name="$name" -v why="$why" '
        !/^#/ && $1 == name && $2 != "" && index(why, $2) { found = 1 }
        END { exit !found }' "$expected"; then
        verdict='NOT EXPECTED by tests/skips.txt'
        unexpected=$((unexpected + 1))
    fi
    printf 'skipped: %s: %s (%s)\n' "$name" "${why:-no reason given}" "$verdict"
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$status" = 0 ] && [ "$failed" = 0 ] && [ "$unexpected" = 0 ]
