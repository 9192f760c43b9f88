# shellcheck shell=bash
# filetrace on macOS itself: what is seen, what is said not to be, and that programs live. Written for the bash and the
# tools that the system has.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

filetrace=$BIN/filetrace
workload=$BIN/workload
dir=$(pwd -P)
mkdir work

# Every path of each operation, by the program's own list.
"$workload" prepare "$dir/work" --threads 2 --files 64 || fail 'prepare failed'
for operation in open-close open-relative stat missing read-dir; do
    run "$filetrace" -f text -o trace -- "$workload" run "$dir/work" --operation "$operation" --threads 2 --files 64
    expect_status 0
    expect_empty err
    "$workload" paths "$dir/work" --operation "$operation" --threads 2 --files 64 | sort -u >wanted
    [ -s wanted ] || fail "$operation: no paths are wanted"
    cut -f 2 trace | sort -u >seen
    expect_equal "$operation $(comm -23 wanted seen | head -n 3 | tr '\n' ' ')" "$operation "
done
cut -f 1,3 trace | sort -u >kinds
expect_line kinds '^list'

# Children: spawned and forked ones record their starts, so the trace is complete.
for operation in launch spawn spawn-fork; do
    run "$filetrace" -f json -o trace -- "$workload" run "$dir/work" --operation "$operation"
    expect_status 0
    expect_line trace '"type":"summary".*"lost":0,.*"complete":true'
done

# The errors, exit statuses and signals are the program's own.
run "$filetrace" -o trace -- "$workload" run "$dir/nowhere" --threads 1 --files 1
expect_status 1
expect_line trace "$dir/nowhere/.*	ENOENT"
run "$filetrace" -o trace -- "$dir/not-there"
expect_status 127

# A script is watched through its interpreter, found by us where the kernel would start the system's env.
mkdir bin
cp "$workload" bin/our-workload
printf '#!/usr/bin/env our-workload\n' >script
chmod +x script
PATH=$dir/bin:$PATH run "$filetrace" -f json -o trace -- "$dir/script"
expect_status 2 # of the workload, which takes the script's name for a command
expect_line trace "\"path\":\"$dir/script\""

# The system's own programs: run as ever; what cannot be watched is said.
run "$filetrace" -f json -o trace -- /bin/echo hello
expect_status 0
expect_equal "$(cat out)" hello
grep -q '"complete":true' trace || expect_line trace '"reason":"(system-protected|no-slice)"'
run "$filetrace" -f json -o trace -- /bin/sh -c 'exit 7'
expect_status 7

# What macOS lacks is said before anything runs.
run "$filetrace" --strict -o trace -- "$workload" --version
expect_status 125
expect_equal "$(grep -c . err)" 1
run "$filetrace" --backend ptrace -o trace -- "$workload" --version
expect_status 125
expect_equal "$(grep -c . err)" 1
run "$filetrace" --sh relative -o trace -- "$workload" --version
expect_status 125
expect_equal "$(grep -c . err)" 1

# A shell of the user's, where there is one.
for shell in /opt/homebrew/bin/bash /usr/local/bin/bash; do
    [ -x "$shell" ] || continue
    run "$filetrace" --sh "$shell" -f json -o trace -- /bin/sh -c "read -r line <$dir/script; exit 9"
    expect_status 9
    expect_line trace "\"path\":\"$dir/script\""
    expect_line trace '"complete":true'
done

# Nothing is left behind.
TMPDIR=$dir/work run "$filetrace" -o trace -- "$workload" --version
expect_equal "$(find work -name 'filetrace.*')" ''

# The whole loop, with the engine of our own.
run "$BIN/tracetax" run --engine builtin --rounds 2 --warmup 0 --seed 1 --quiet --no-keep --export-json result.json
expect_status 0
expect_equal "$(grep -c '"void": null' result.json)" 2
expect_line result.json '"expected": 8192, "recorded_min": 8192,.*"lost": 0, "complete": true'
expect_line result.json '"id": "macos-(arm64|x86_64)"'
finish
