#!/usr/bin/env bash
# Every operation of the workload, dynamic and static, under the tracer: the suite "full".
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
[ "${INSTRUMENTED:-0}" != 1 ] || skip 'instrumented programs are not what is measured'

run "$BIN/tracetax" run --engine builtin --suite full --rounds 1 --warmup 0 --quiet --export-json full.json
expect_equal "$(grep -c '"operation": ' full.json)" 16
for operation in $("$BIN/workload" operations | cut -d' ' -f1); do
    expect_equal "$(grep -c "\"operation\": \"$operation\"" full.json)" 2
done
# What the tracer does not record voids its target and no other; `stat` is not an open.
expect_no_line err 'operation (launch|open-close|open-relative|missing|read-dir|spawn|spawn-fork), is void'
if grep -q 'operation stat, is void' err; then expect_status 3; else expect_status 0; fi

finish
