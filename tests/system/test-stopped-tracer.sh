# shellcheck shell=bash
# filetrace is stopped while a static program puts itself under its eyes, for longer than that takes;
# then it goes on, or is killed. The program waits meanwhile, its calls work, and it ends well.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
mkfifo go ready never

# With FIRST the tracer has a listener before; without, the program is the first that asks.
cat >program <<'END'
#!/bin/bash
[ -z "$FIRST" ] || "$STATIC" 2 10 || exit 9
echo >ready
read -r _ <go
"$STATIC" 2 10 || exit 8
echo end >end
exit 7
END
chmod +x program
export STATIC=$TEST_BIN/system/many_paths_static FIRST

pause() { read -r -t "$1" _ <>never; }

# until_asking SHELL: a child of it waits in futex(2) for an answer; FIRST: with the filter on
until_asking() {
    local i child
    for ((i = 0; i < 200; i++)); do
        child=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
        child=${child%% *}
        if [ -n "$child" ] && grep -qE '^(202|98) ' "/proc/$child/syscall" 2>/dev/null; then
            if [ -z "$FIRST" ] || grep -q '^Seccomp:.2' "/proc/$child/status"; then return; fi
        fi
        pause 0.02
    done
    fail "$at: nobody waits for an answer"
}

# begin: leaves $tracer, which is stopped, and somebody who waits for it
begin() {
    local shell children
    rm -f end trace
    "$BIN/filetrace" -f json -o trace -- ./program >out 2>err </dev/null &
    tracer=$!
    timeout 20 cat ready >/dev/null || fail "$at: it does not get ready"
    read -ra children <"/proc/$tracer/task/$tracer/children"
    for shell in "${children[@]}"; do # the guard is a child too
        [ "$(cat "/proc/$shell/comm")" != program ] || break
    done
    kill -STOP $tracer
    timeout 10 sh -c ': >go' || fail "$at: it does not go on"
    until_asking "$shell"
}

for FIRST in yes ''; do
    expected=20
    [ -z "$FIRST" ] || expected=40
    at="FIRST=$FIRST"
    begin
    pause 6 # no answer is waited for so long that it would matter
    [ ! -e end ] || fail "$at: the program did not wait"
    kill -CONT $tracer
    wait $tracer
    status=$?
    [ $status = 7 ] || fail "$at: ends with $status: $(cat err)"
    tail -n 1 trace | grep -q '"complete":true' || fail "$at: $(tail -n 1 trace)"
    expect_equal "$(grep -c '"path":"/absent/' trace)" $expected

    begin
    kill -KILL $tracer
    wait $tracer 2>/dev/null
    for ((i = 0; i < 200; i++)); do
        [ ! -e end ] || break
        pause 0.05
    done
    [ -e end ] || fail "$at: with filetrace killed the program does not end well: $(cat err)"
    expect_empty err
done
finish
