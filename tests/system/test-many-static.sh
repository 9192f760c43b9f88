# shellcheck shell=bash
# A dynamic program that starts more static ones than there are places for listeners: places are
# used again, and no child runs unwatched.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# shellcheck disable=SC2016 # the shell that is watched expands these
run "$BIN/filetrace" -f json -o trace -- sh -c 'i=0; while [ $i -lt 1100 ]; do "$0" nothing; i=$((i + 1)); done' \
    "$BIN/workload-static"
expect_status 0
expect_line trace '"type":"summary".*"lost":0,"processes":110[0-9],"complete":true'
finish
