# shellcheck shell=bash
# The number of a process that has ended is given to one of somebody else's: nobody has outlived.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
last=/proc/sys/kernel/ns_last_pid
[ -w $last ] || skip 'needs root'
mkfifo go ready

# All on one processor: what the first process has recorded goes to the tracer with what follows.
cat >program <<'END'
#!/bin/bash
sh -c 'echo $$ >pid'
"$MANY" 1 5000
echo >ready
read -r _ <go
true
END
chmod +x program
MANY=$TEST_BIN/system/many_paths taskset -c 0 "$BIN/filetrace" -f json -o trace -- ./program >out 2>err </dev/null &
tracer=$!
timeout 20 cat ready >/dev/null || fail 'it does not get ready'
pid=$(cat pid)
for ((i = 0; i < 200; i++)); do # others start processes too
    echo $((pid - 1)) >$last
    tail -f /dev/null &
    other=$!
    [ $other != "$pid" ] || break
    kill $other
done
[ "$other" = "$pid" ] || skip 'the number cannot be had again'
timeout 10 sh -c ': >go' || fail 'it does not go on'
wait $tracer
expect_equal $? 0
kill "$other"
expect_line trace "\"pid\":$pid,"
expect_line trace '"type":"summary".*"complete":true,.*"incomplete_because":\[\]'
finish
