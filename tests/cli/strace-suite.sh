#!/usr/bin/env bash
# The worked example of a suite file, strace, from a folder with a space and a quote in its name.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -o /dev/null true 2>/dev/null || skip 'this machine does not let strace trace'

mkdir -p "it's a folder/bin" "it's a folder/tmp"
cp "$BIN"/tracetax "$BIN"/workload "$BIN"/workload-static "it's a folder/bin/"
cp "$SOURCE/suites/strace.json" "it's a folder/"
# LeakSanitizer cannot work under ptrace(2), which strace uses.
export ASAN_OPTIONS=detect_leaks=0
for engine in builtin hyperfine; do
    if [ $engine = hyperfine ] && ! command -v hyperfine >/dev/null; then continue; fi
    TMPDIR="$PWD/it's a folder/tmp" run "it's a folder/bin/tracetax" run --engine $engine \
        --suite "it's a folder/strace.json" --rounds 2 --warmup 0 --quiet --export-json "it's $engine.json"
    expect_status 0
    expect_empty err
    expect_equal "$(grep -c '"void": null' "it's $engine.json")" 2
    expect_equal "$(grep -c '"samples_ns"' "it's $engine.json")" 4
    expect_no_line "it's $engine.json" '"trace"'
    expect_equal "$(ls -A "it's a folder/tmp")" ""
done

finish
