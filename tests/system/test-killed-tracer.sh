# shellcheck shell=bash
# filetrace is killed or told to stop in the middle of a run: the watched program works on, and what
# was recorded before a request to stop is written.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# begin PROGRAM: in a folder of its own, until it waits; leaves $tracer and the folder in $cwd.
begin() {
    cwd=$(pwd -P)/$1-$2
    mkdir "$cwd" && cd "$cwd" || exit 1
    echo hello >a.txt
    cp "$TEST_BIN/system/helper" helper
    "$BIN/filetrace" -f json -o "$cwd/trace" -- "$TEST_BIN/system/$1" >out 2>err </dev/null &
    tracer=$!
    for _ in $(seq 500); do
        [ ! -p ready ] || break
        timeout 0.02 tail -f /dev/null
    done
    timeout 20 cat ready || fail "$1 does not get ready"
}

# goes_on PROGRAM: it is told to go on, and everything works.
goes_on() {
    answer=
    timeout 10 sh -c ': >go' || fail "$1 does not wait any more"
    read -r answer < <(timeout 10 cat "done")
    [ "$answer" = good ] || fail "$1 does not work on: '$answer'"
    cd ..
}

for program in survivor survivor_static; do
    begin $program kill
    kill -KILL $tracer
    wait $tracer 2>/dev/null
    goes_on $program
    [ ! -e "$cwd/trace" ] || fail "$program: a killed filetrace left a trace that looks whole"

    # The request may be passed on to the command, which then ends; or the command is let go on.
    begin $program term
    kill -TERM $tracer
    (timeout 10 sh -c ': >go' && timeout 10 cat "done" >/dev/null) &
    release=$!
    wait $tracer
    status=$?
    [ "$status" = 143 ] || [ "$status" = 0 ] || fail "$program: filetrace ends with $status on SIGTERM"
    # Nobody is there any more to open the other ends.
    [ "$status" = 0 ] || { timeout 10 cat go && timeout 10 sh -c ': >"done"'; }
    wait $release
    if [ -f trace ]; then
        expect_line trace '"path":"[^"]*/before"'
        expect_line trace '"type":"summary".*"complete":false.*"reason":"interrupted"'
    else
        fail "$program: no trace was written on SIGTERM"
    fi
    cd ..
done
finish
