# shellcheck shell=bash
# SIGTERM when the command has ended and the trace is being written: it is written whole, and the
# status is the command's.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
mkfifo full
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
    # A pipe that is full: the trace's last bytes wait for a reader.
    exec 3<>full
    dd if=/dev/zero of=/proc/self/fd/3 oflag=nonblock bs=4096 count=1000 2>/dev/null
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
    timeout 10 cat <full >trace 3<&- &
    reader=$!
    wait $tracer
    expect_equal $? 7
    expect_empty err
    exec 3<&- # then the reader comes to the end
    wait $reader
    expect_equal $? 0
    tr -d '\0' <trace | tail -n 1 | grep -q '"type":"summary".*"complete":true' || fail "$options: the trace is cut"
done
finish
