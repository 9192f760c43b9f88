#!/usr/bin/env bash
# Cross-builds everything for Windows and runs its tests under wine.
#   test-windows.sh             a library that cannot be had leaves out what needs it, with a word
#   test-windows.sh --strict    then it fails
# Nothing of wine is left running; its prefix, build/wine, is kept for the next time.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
scripts/windows-libraries.sh || [ "${1:-}" != --strict ] || exit 1
cmake --preset windows >/dev/null && cmake --build --preset windows || exit 1

trap 'scripts/wine.sh --end' EXIT
scripts/wine.sh --begin || exit 1
rm -f build/windows/tests/measured.txt
scripts/run-tests.sh build/windows
status=$?
[ ! -e build/windows/tests/measured.txt ] || cat build/windows/tests/measured.txt
exit "$status"
