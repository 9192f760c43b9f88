# shellcheck shell=bash
# SIGTERM when the command has ended and the trace is being written: it is written whole, and the
# status is the command's.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
mkfifo full
exec 3<>full
# A pipe that is full: the trace's last bytes wait for a reader.
dd if=/dev/zero of=/proc/self/fd/3 oflag=nonblock bs=4096 count=1000 2>/dev/null
# runs_nothing PID: none of its children is the command; the guard may be one
runs_nothing() {
    local child children
    read -ra children <"/proc/$1/task/$1/children"
    for child in "${children[@]}"; do
        [ "$(cat "/proc/$child/comm")" != sh ] || return 1
    done
}

for options in '' --strict; do
    rm -f ended
    # shellcheck disable=SC2086 # empty or one word
    "$BIN/filetrace" -f json -o - $options -- sh -c ': >ended; exit 7' >&3 2>err </dev/null &
    tracer=$!
    for ((i = 0; i < 500; i++)); do
        # Blocked in write(2), with the command waited for
        [ -e ended ] && runs_nothing $tracer && grep -qE '^(1|20) ' /proc/$tracer/syscall && break
        timeout 0.02 tail -f /dev/null
    done
    kill -TERM $tracer
    timeout 0.05 tail -f /dev/null
    timeout 10 cat <&3 >trace &
    reader=$!
    wait $tracer
    expect_equal $? 7
    expect_empty err
    kill $reader
    wait $reader 2>/dev/null
    tr -d '\0' <trace | tail -n 1 | grep -q '"type":"summary".*"complete":true' || fail "$options: the trace is cut"
    dd if=/dev/zero of=/proc/self/fd/3 oflag=nonblock bs=4096 count=1000 2>/dev/null
done
finish
