# shellcheck shell=bash
# Few descriptors, threads or little memory: every program that is watched runs and ends as unwatched,
# and what is not recorded is said.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
static=$TEST_BIN/system/many_paths_static
printf '20*any\t~/absent/t[0-1]-[0-9]{7}-z+\t*\n' >expect

# whole COUNT IMAGE: the trace is complete and holds that many of those accesses
whole() {
    "$TEST_BIN/check_trace" "$PWD" "$2" expect true - 'exit 0' trace || fail "not whole: $(tail -n 1 trace)"
    expect_equal "$(grep -c '"path":"/absent/' trace)" "$1"
}

# --- descriptors: a listener needs one in the tracer, and its filter cannot be taken off again
for count in 12 17; do
    # shellcheck disable=SC2016 # the inner shells expand these
    run bash -c 'ulimit -n "$1" && shift && exec "$@"' bash $count "$BIN/filetrace" -f json -o trace -- \
        sh -c 'for i in 1 2 3 4; do "$0" 2 10 & done; wait' "$static"
    expect_status 0
    expect_empty err
    expect_equal "$(grep -c '^ok many_paths$' out)" 4
    whole 80 /bin/sh
done
for count in 5 8 10; do
    rm -f trace
    # shellcheck disable=SC2016 # for the inner shell to expand
    run bash -c 'ulimit -n "$1" && shift && exec "$@"' bash $count "$BIN/filetrace" -f json -o trace -- "$static" 2 10
    if [ "$status" = 125 ]; then
        expect_one_line err
        [ ! -e trace ] || fail 'a trace although filetrace failed'
    else
        expect_status 0
        expect_equal "$(cat out)" 'ok many_paths'
        grep -q '"reason":"no-filter"' trace || whole 20 "$static"
    fi
done

# --- threads: a listener is served all the same. Instrumented, filetrace starts them by another call
if [ "$INSTRUMENTED" = 0 ] && strace -qq -o /dev/null true 2>/dev/null; then
    for number in 2 3; do # the guard, and the thread that serves
        run strace -qq -o log -e inject=clone:error=EAGAIN:when=$number "$BIN/filetrace" -f json -o trace -- "$static" 2 10
        expect_line log INJECTED
        expect_status 0
        expect_equal "$(cat out)" 'ok many_paths'
        whole 20 "$static"
    done
fi

# --- address space: there is room for the log in filetrace, and none in what it runs
bears_address_limit || finish
cat >cats <<'END'
#!/bin/sh
cat expect >/dev/null
exit 7
END
chmod +x cats
for kib in 33500 34500 36000; do
    rm -f trace
    # shellcheck disable=SC2016 # for the inner shell to expand
    run bash -c 'ulimit -v "$1" && shift && exec "$@"' bash $kib "$BIN/filetrace" -f json -o trace -- ./cats
    if [ "$status" = 125 ]; then
        expect_one_line err
        [ ! -e trace ] || fail 'a trace although filetrace failed'
    else
        expect_status 7
        grep -q '"path":"[^"]*/expect"' trace || expect_line trace '"complete":false,.*"reason":"not-entered"'
    fi
done
finish
