# shellcheck shell=bash
# A static program in a name space of processes of its own, where its number is another than the
# tracer's for it.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
unshare --pid --fork true 2>/dev/null || skip 'needs root'
run "$BIN/filetrace" -f json -o trace -- unshare --pid --fork "$TEST_BIN/system/many_paths_static" 2 10
expect_status 0
expect_empty err
expect_equal "$(cat out)" 'ok many_paths'
expect_equal "$(grep -c '"path":"/absent/' trace)" 20
expect_line trace '"type":"summary".*"complete":true'
finish
