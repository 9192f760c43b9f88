# shellcheck shell=bash
# What filetrace inherits is the command's, and no matter to filetrace: a SIGCHLD that is ignored, a
# limit on the size of files, and the signals' other actions.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# A shell that ignores a signal hands that on.
cat >ignoring <<'END'
#!/bin/bash
trap '' CHLD USR1
exec "$@"
END
chmod +x ignoring
actions() { grep -E '^Sig(Ign|Cgt|Blk)' "$1"; }
./ignoring cat /proc/self/status >unwatched
for backend in auto notify ptrace; do
    run timeout 60 ./ignoring "$BIN/filetrace" --backend $backend -f json -o trace -- cat /proc/self/status
    expect_status 0
    expect_equal "$(actions out)" "$(actions unwatched)"
    expect_line trace '"type":"summary".*"lost":0,.*"complete":true'
done
grep SigIgn unwatched | grep -q '0*1[0-9a-f]*$' || fail "nothing is ignored: $(actions unwatched)"

# The log does not fit under the limit; the trace does, or that is an error and not the end.
run bash -c 'ulimit -f 100 && exec "$@"' bash "$BIN/filetrace" -f json -o trace -- cat /proc/self/status
expect_status 0
cat /proc/self/status >unwatched
expect_equal "$(actions out)" "$(actions unwatched)"
expect_line trace '"type":"summary".*"lost":0,.*"complete":true'
rm trace
# shellcheck disable=SC2016 # for the inner shell to expand
run bash -c 'ulimit -f 2 && exec "$@"' bash "$BIN/filetrace" -f json -o trace -- \
    bash -c 'for ((i = 0; i < 200; i++)); do : 2>/dev/null </absent/$i; done; echo end; exit 7'
expect_status 125
expect_equal "$(cat out)" end
expect_one_line err
expect_line err '^filetrace: cannot write '
[ ! -e trace ] || fail 'a trace that is not whole'
finish
