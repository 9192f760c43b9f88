# shellcheck shell=bash
# What the torture tests share, on top of tests/lib.sh: a seed that is printed, a sample in the short
# version (TORTURE=long does all), and nothing left behind.
TORTURE=${TORTURE:-short}
# A test of each commit must say the same of the same commit: only the long version looks further.
[ "$TORTURE" != short ] || SEED=${SEED:-1}
SEED=${SEED:-$((RANDOM * 32768 + RANDOM))}
RANDOM=$SEED
echo "seed $SEED ($TORTURE)"

# Each process that a test starts, and all below, carries this.
export TORTURE_MARK=torture-$$-$SEED
export TMPDIR=$PWD/tmp
mkdir tmp

# pause_ms MILLISECONDS
pause_ms() {
    read -r -t "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))" _ <>"$never"
}
never=$PWD/never
mkfifo never

# marked: pids of what still runs with the mark, this shell and its subshells apart (they have it since
# `export`, not since their exec, so it is not in their environ); a zombie's environ is empty
marked() {
    local files=(/proc/[0-9]*/environ) # before grep is there, which has it as well
    grep -lzxF "TORTURE_MARK=$TORTURE_MARK" "${files[@]}" 2>/dev/null | grep -oE '[0-9]+'
}

# expect_no_process: within ten seconds
expect_no_process() {
    local left i
    for ((i = 0; i < 100; i++)); do
        left=$(marked)
        [ -n "$left" ] || return
        pause_ms 100
    done
    # shellcheck disable=SC2086 # one word a process
    fail "processes are left after $1: $(ps -o pid,args -p $left 2>/dev/null | tail -n +2 | head -n 3 | tr '\n' ';')"
    # shellcheck disable=SC2086 # a word a process
    kill -KILL $left 2>/dev/null
}

# shuffled: the lines of standard input in an order that the seed gives
shuffled() {
    local line
    while IFS= read -r line; do printf '%05d\t%s\n' "$RANDOM" "$line"; done | sort | cut -f2-
}
