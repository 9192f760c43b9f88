# shellcheck shell=bash
# The whole on Windows: tracetax runs the workload untracked and under filetrace.exe, and every file that it
# opened is in every trace.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
[ -e "$TRACER" ] || skip 'no filetrace.exe in this build'

before=$("$BIN/helper" leftovers)
run "$BIN/tracetax" run --engine builtin --quiet --rounds 2 --warmup 1 --export-json result.json
cat err
expect_status 0
expect_empty err
expect_equal "$("$BIN/helper" leftovers)" "$before"
expect_equal "$(grep -c '"void": null' result.json)" 2
# 8,192 of 8,192 in every run, and nothing lost.
expect_line result.json '"expected": 8192, "recorded_min": 8192'
expect_no_line result.json '"lost": [1-9]'
# What is hashed: the tracer, its libraries, the workload.
expect_line result.json '"filetrace.exe"'
expect_line result.json '"libfiletrace-hook64.dll"'
expect_line result.json '"workload.exe"'
run "$BIN/tracetax" show result.json
expect_status 0
# For whoever runs the tests: scripts/test-windows.sh prints it. Under wine it says how wine fares.
tee "$TEST_BIN/measured.txt" <out

# Two builds in one job.
run "$BIN/tracetax" run --engine builtin --quiet --rounds 1 --warmup 0 --base "$TRACER" --no-keep --export-json base.json
cat err
expect_status 0
expect_line base.json '"base_files"'
finish
