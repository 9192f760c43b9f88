#!/usr/bin/env bash
# The long version of the tests with the label torture: each call fails, not a sample of them.
#   torture.sh BUILD_DIR
# SEED=N repeats an order and the moments of kills. Exit status: 0 all good, 1 not.
set -u
build=$(cd "${1:?usage: torture.sh BUILD_DIR}" && pwd -P) || exit 1
here=$(cd "$(dirname "$0")/.." && pwd -P)
export TORTURE=long BIN=$build/bin TEST_BIN=$build/tests SOURCE=$here TESTS=$here/tests INSTRUMENTED=0
failures=0

# one SCRIPT [ARG...]
one() {
    printf '%s: ' "$*"
    "$here/tests/run-script" "$here/tests/torture/$1" "${@:2}" || { failures=$((failures + 1)); echo "BAD: $*"; }
}
for scenario in filetrace filetrace-kernel filetrace-ptrace print compare run; do
    one calls.sh "$scenario"
done
one kills.sh
one limits.sh
[ "$failures" = 0 ] && echo 'torture: all good'
