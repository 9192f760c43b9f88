# shellcheck shell=bash
# filetrace is killed while static programs are starting one after the other: each gets its own
# code back, whatever had been written over it, and the chain goes on to its end.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

mkdir files
for ((i = 0; i < 16; i++)); do head -c $((i + 1)) /dev/zero >"files/$i"; done
program=$TEST_BIN/torture/static
"$program" execs 987654 "$PWD/files" >expected || fail "unwatched it fails"
rounds=${ROUNDS:-8}
for ((i = 0; i < rounds; i++)); do
    : >out
    "$BIN/filetrace" --backend inject -f raw -o trace -- "$program" execs 987654 "$PWD/files" >out 2>err &
    tracer=$!
    # Every other time when the first program has ended; else from before it to behind the last.
    for ((k = 0; i % 2 && k < 500; k++)); do
        [ ! -s out ] || break
        timeout 0.01 tail -f /dev/null
    done
    ((i % 2)) || timeout "0.0$((10 + i * 89 / rounds))" tail -f /dev/null
    kill -KILL $tracer
    wait $tracer 2>/dev/null
    for ((k = 0; k < 500; k++)); do
        ! cmp -s expected out || break
        # Killed before the program was started: then nothing ever comes.
        [ -s out ] || [ $k -lt 20 ] || break
        timeout 0.02 tail -f /dev/null
    done
    [ ! -s out ] || cmp expected out || fail "killed in round $i, the program does not go on"
done
finish
