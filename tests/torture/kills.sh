# shellcheck shell=bash
# SIGTERM and SIGKILL for filetrace at random moments: the watched program runs to its end (SIGTERM
# reaches it, too), nothing is left behind, no half trace lies about. The seed is printed: SEED=... repeats.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
# shellcheck source=tests/torture/lib.sh
. "$TESTS/torture/lib.sh"
rounds=4
[ "$TORTURE" = short ] || rounds=200

# Dynamic and static programs in turn; the shell lets SIGTERM pass and says that it came to the end.
cat >program <<'END'
#!/bin/sh
trap : TERM
for i in 1 2 3; do
    "$1/many_paths" 2 200 || { [ $? = 143 ] || exit 9; }
    "$1/many_paths_static" 2 200 || { [ $? = 143 ] || exit 9; }
done
echo end >>end
exit 7
END
chmod +x program
backends=('' --strict '--backend ptrace')
for ((i = 0; i < rounds; i++)); do
    rm -rf end trace out err
    signal=TERM
    ((RANDOM % 2)) && signal=KILL
    options=${backends[RANDOM % 3]}
    delay=$((RANDOM % 400))
    at="SIG$signal after $delay ms ($options)"
    # shellcheck disable=SC2086 # a word an option
    "$BIN/filetrace" -f json -o trace $options -- ./program "$TEST_BIN/system" >out 2>err </dev/null &
    tracer=$!
    pause_ms $delay
    kill -$signal $tracer 2>/dev/null
    wait $tracer 2>/dev/null
    status=$?
    for ((k = 0; k < 200; k++)); do # a killed tracer does not wait for it
        [ ! -e end ] || break
        [ "$status" = 137 ] || break
        [ -n "$(marked)" ] || break # killed before it has started anything
        pause_ms 100
    done
    expect_no_process "$at"
    case $signal:$status in
    KILL:137)
        # The kill may come between the trace and the end: then it is whole, and the command had ended.
        [ ! -e trace ] || { [ -e end ] && tail -n 1 trace | grep -q '"type":"summary".*"root_exit":{"code":7}'; } ||
            fail "$at: a killed filetrace left a trace: $(tail -n 1 trace | head -c 300)"
        # Told or not: it ran to its end with good status, or was never started.
        [ ! -s out ] || [ -e end ] || fail "$at: the program did not get to its end: $(head -c 300 err)"
        ;;
    *:7)
        expect_equal "$(cat end)" end
        tail -n 1 trace | grep -q '"type":"summary"' || fail "$at: the trace is not whole"
        ;;
    TERM:143) # before the shell's trap, or before filetrace's own
        [ ! -e trace ] || tail -n 1 trace | grep -q '"reason":"interrupted"' || fail "$at: a trace that does not say so"
        ;;
    *) fail "$at: ends with $status: $(head -c 300 err)" ;;
    esac
    ! grep -q 'Function not implemented' err || fail "$at: a call failed for want of a supervisor"
    left=$(find . -name 'trace?*' -o -path './tmp/*')
    [ -z "$left" ] || fail "$at: files are left: $left"
done
echo "$rounds kills"
finish
