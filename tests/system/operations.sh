#!/usr/bin/env bash
# Every operation of the workload, dynamic and static, under the tracer: the suite "full".
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
[ "${INSTRUMENTED:-0}" != 1 ] || skip 'instrumented programs are not what is measured'

run "$BIN/tracetax" run --engine builtin --suite full --rounds 1 --warmup 0 --quiet --export-json full.json
expect_status 0
expect_empty err
forms=2 # dynamic, static, and where code can be put into programs static-inject
[ "$(uname -sm)" != 'Linux x86_64' ] || forms=3
expect_equal "$(grep -c '"operation": ' full.json)" $((8 * forms))
expect_equal "$(grep -c '"void": null' full.json)" $((8 * forms))
for operation in $("$BIN/workload" operations | cut -d' ' -f1); do
    expect_equal "$(grep -c "\"operation\": \"$operation\"" full.json)" $forms
done

finish
