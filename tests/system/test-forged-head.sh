# shellcheck shell=bash
# A watched process can write anything into the log's head: filetrace and its guard end all the same,
# and nothing of somebody else's stays open.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
program=$TEST_BIN/system/forge_head_static
mkfifo never

# The guard of this run waits for nobody when all have gone.
run timeout 60 "$BIN/filetrace" --backend notify -f json -o trace -- "$program" owner
expect_status 0
guard=$(sed -n 's/^guard //p' out)
if [ -n "$guard" ] && [ "$guard" -gt 0 ]; then
    for _ in $(seq 300); do
        kill -0 "$guard" 2>/dev/null || break
        read -r -t 0.1 _ <>never
    done
    if kill -0 "$guard" 2>/dev/null; then
        fail 'the guard outlives everybody'
        kill -KILL "$guard"
    fi
else
    fail "there was no guard: $(cat out err)"
fi

# What is handed over must be a listener.
run timeout 60 "$BIN/filetrace" --backend notify -f json -o trace -- "$program" pipe
expect_status 0
expect_line out '^answer -9, not held$' # EBADF
finish
