# shellcheck shell=bash
# A full disk, a read-only folder, few descriptors, little memory: a message, the documented status, and
# neither a half file nor a watched program that did not run.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
# shellcheck source=tests/torture/lib.sh
. "$TESTS/torture/lib.sh"
[ "$INSTRUMENTED" = 0 ] || skip 'instrumented programs need memory and descriptors of their own'
step=7
[ "$TORTURE" = short ] || step=1

cp "$TESTS/data/compare/now.json" now.json
cat >suite.json <<'END'
{"schema": "tracetax.suite/1", "name": "test", "version": "1", "tracker": ["env", "{command}"],
 "targets": [{"name": "true", "operation": "nothing", "command": ["true"]}]}
END
measure=("$BIN/tracetax" run --quiet --engine builtin --suite suite.json --rounds 1 --warmup 0)

# --- a full disk and a read-only one, in a mount name space of its own
cat >disks <<'END'
. "$TESTS/lib.sh"
failed() { expect_status "$2"; expect_line err "^$1.*$3"; }
mkdir disk
mount -t tmpfs -o size=64k tmpfs disk || exit 77
measure=("$BIN/tracetax" run --quiet --engine builtin --suite suite.json --rounds 1 --warmup 0)
for format in raw json text nul; do
    run "$BIN/filetrace" -f $format -o disk/trace -- "$TEST_BIN/system/many_paths" 2 500
    failed filetrace 125 'No space left'
    expect_equal "$(cat out)" 'ok many_paths'
    expect_equal "$(ls -A disk)" ''
done
run "$BIN/filetrace" -o /dev/full -- true
failed filetrace 125 'No space left'
run "$BIN/filetrace" -f raw -o raw -- "$TEST_BIN/system/many_paths" 2 500
echo old >disk/old
run "$BIN/filetrace" print -f json -o disk/old raw
failed filetrace 3 'No space left'
expect_equal "$(cat disk/old)" old
head -c 60000 /dev/zero >disk/filler
head -c 10000 /dev/zero >>disk/filler 2>/dev/null
run "${measure[@]}" --export-json disk/old
failed 'tracetax run' 3 'No space left'
expect_equal "$(cat disk/old)" old
XDG_STATE_HOME=$PWD/disk run "${measure[@]}" --export-json result.json
expect_status 0
expect_line err 'warning: the result is not kept: .*No space left'
"$BIN/tracetax" show result.json >/dev/null || fail 'the result is not whole'
expect_equal "$(find disk -type f | sort | tr '\n' ' ')" 'disk/filler disk/old '
"$BIN/tracetax" show now.json >/dev/full 2>err
status=$?
failed 'tracetax show' 3 'No space left'

mount -o remount,ro disk || exit 77
run "$BIN/filetrace" -o disk/trace -- touch ran
failed filetrace 125 'Read-only file system'
[ ! -e ran ] || fail 'filetrace ran the command although its trace cannot be written'
run "${measure[@]}" --export-json disk/new.json
failed 'tracetax run' 3 'Read-only file system'
TMPDIR=$PWD/disk run "${measure[@]}" --export-json result.json
failed 'tracetax run' 3 'Read-only file system.*TMPDIR'
finish
END
if unshare --mount true 2>/dev/null; then
    unshare --mount bash disks || fail 'see above'
else
    echo 'left out: a full and a read-only disk need a mount name space of their own'
fi

# --- few descriptors
for ((count = 3; count <= 24; count += step)); do
    for what in show run print; do
        case $what in
        show) command=("$BIN/tracetax" show now.json) ;;
        run) command=("${measure[@]}" --export-json result.json) && rm -f result.json ;;
        print) command=("$BIN/filetrace" print -o printed raw) && rm -f printed && "$BIN/filetrace" -f raw -o raw -- true ;;
        esac
        # shellcheck disable=SC2016 # the shell inside expands it
        run bash -c 'ulimit -n "$1" && shift && exec "$@"' bash $count "${command[@]}"
        case $status in
        0) [ $what != run ] || "$BIN/tracetax" show result.json >/dev/null || fail "$count descriptors: no whole result" ;;
        3) expect_line err '^(tracetax|filetrace)' ;;
        127) expect_line err 'error while loading shared libraries' ;;
        *) fail "$what with $count descriptors ends with $status: $(head -c 300 err)" ;;
        esac
    done
done

# --- little memory
for ((mib = 4; mib <= 60; mib += 2 * step)); do
    for what in show run; do
        command=("$BIN/tracetax" show now.json)
        [ $what = show ] || command=("${measure[@]}" --export-json result.json)
        rm -f result.json
        # shellcheck disable=SC2016 # for the inner shell to expand
        run bash -c 'ulimit -v "$1" && shift && exec "$@"' bash $((mib << 10)) "${command[@]}"
        case $status in
        0) [ $what != run ] || "$BIN/tracetax" show result.json >/dev/null || fail "$mib MiB: no whole result" ;;
        3) expect_line err '^tracetax' ;;
        127 | 126) expect_line err 'error while loading shared libraries|cannot allocate|Cannot allocate' ;;
        137 | 139) [ ! -s out ] || fail "$what with $mib MiB: killed by $((status - 128)) after it had begun" ;;
        *) fail "$what with $mib MiB ends with $status: $(head -c 300 err)" ;;
        esac
    done
done
find tmp -mindepth 1 | grep . && fail 'files are left in the temporary folder'
expect_no_process 'all that'
finish
