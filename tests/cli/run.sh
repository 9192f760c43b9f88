#!/usr/bin/env bash
# tracetax run: every wrong input gives one clear line and the documented exit status, and
# leaves no half-written file and no work folder.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

mkdir tmp
export TMPDIR=$PWD/tmp

# suite FILE COMMAND: one target, whose tracker is env(1), with a JSON array as command.
suite() {
    cat >"$1" <<END
{"schema": "tracetax.suite/1", "name": "test", "version": "1",
 "tracker": ["env", "{command}"],
 "targets": [{"name": "good", "operation": "nothing", "command": ["true"]},
             {"name": "odd", "operation": "nothing", "command": $2}]}
END
}
suite true.json '["true"]'
# measure ARG...: with $ONLY_PATH as the program's PATH, when that is set.
measure() {
    run env "PATH=${ONLY_PATH:-$PATH}" "$BIN/tracetax" run --engine builtin --quiet "$@"
}

expect_nothing_left() {
    expect_empty out
    [ ! -e result.json ] || fail "result.json was written"
    expect_equal "$(ls -A tmp)" ""
}

# refuse STATUS REGEX ARG...: one line that matches, that status, nothing written.
refuse() {
    local expected=$1 regex=$2
    shift 2
    measure "$@"
    expect_status "$expected"
    expect_one_line err
    expect_line err "$regex"
    expect_nothing_left
}

# --- usage
for rounds in 0 -1 1e9 5x 100001 '' 99999999999999999999; do
    refuse 2 '^tracetax run: --rounds.*whole number from 1 to 100000.*--help' --rounds "$rounds"
done
refuse 2 '--max-time 0: .*0\.1 to 86400' --max-time 0
refuse 2 '--max-time nan' --max-time nan
refuse 2 '--warmup -1: .*0 to 100000' --warmup -1
refuse 2 '--seed 9007199254740992: .*9007199254740991' --seed 9007199254740992
refuse 2 '--engine perf: not auto, hyperfine or builtin' --engine perf
refuse 2 '--commit main: .*rev-parse' --commit main
refuse 2 '--base-commit: only together with --base' --base-commit ecf9e9af19c581f156188679cb2a9e8d458c9ba8
for shard in 0/1 2/1 1 1/0 /2 1/ 1/x; do
    refuse 2 "--shard $shard: not I/N" --shard "$shard"
done
refuse 2 '--nonsense: no such option' --nonsense
refuse 2 '--rounds: its value is missing' --rounds
refuse 2 'extra: an argument that belongs to no option' extra
refuse 2 '--target windows: .*no such target; it has good, odd' --suite true.json --target windows
refuse 2 '--base: target good is not tracked by filetrace' --suite true.json --base /bin/true
refuse 2 '--rounds 100000: .*larger than 16 MiB' --rounds 100000 --suite full

# --- what cannot be read or found
refuse 3 'cannot read the suite nosuch: No such file.*default and full' --suite nosuch
printf '{"schema": "tracetax.suite/1", "name": "x"' >cut.json
refuse 3 'cannot read cut.json: not a tracetax suite: line 1' --suite cut.json
sed 's,suite/1,suite/9,' true.json >newer.json
refuse 3 'cannot read newer.json: written for a newer version.*update' --suite newer.json
head -c 2000000 /dev/zero >large.json
refuse 3 'cannot read large.json: larger than' --suite large.json
suite missing.json '["/nonexistent/a b"]'
refuse 3 'cannot run /nonexistent/a b: No such file' --suite missing.json
refuse 3 'cannot run /nonexistent/filetrace: No such file.*--filetrace' --filetrace /nonexistent/filetrace
TMPDIR=/nonexistent refuse 3 'cannot make a folder in /nonexistent: .*TMPDIR' --suite true.json

# --- what cannot be written, found out before anything is measured
refuse 3 'cannot write nofolder/r.json: No such file.*--export-json' --suite true.json --export-json nofolder/r.json
refuse 3 'cannot write tmp: Is a directory' --suite true.json --export-json tmp
refuse 3 'cannot write true.json/r.json: Not a directory' --suite true.json --export-json true.json/r.json
mkdir readonly
chmod a-w readonly
if ! touch readonly/probe 2>/dev/null; then
    refuse 3 'cannot write readonly/r.json: Permission denied' --suite true.json --export-json readonly/r.json
    expect_equal "$(ls -A readonly)" ""
fi
measure --suite true.json --rounds 1 --export-json /dev/full
expect_status 3
expect_line err 'cannot write /dev/full: No space left'

# --- engines
mkdir bin
for program in env true git; do ln -s "$(type -P "$program")" bin/; done
ONLY_PATH=$PWD/bin refuse 3 'cannot find hyperfine: No such file.*--engine builtin' --suite true.json --engine hyperfine
ONLY_PATH=$PWD/bin measure --suite true.json --engine auto --rounds 2 --export-json auto.json
expect_status 0
expect_one_line err
expect_line err 'warning: cannot find hyperfine.*built-in'
expect_line auto.json '"engine": \{"name": "builtin"'
printf '#!/bin/sh\necho hyperfine 1.12.0\n' >bin/hyperfine
chmod +x bin/hyperfine
ln -s "$(type -P sh)" bin/
ONLY_PATH=$PWD/bin refuse 3 'bin/hyperfine: version 1\.12, at least 1\.15 is needed' --suite true.json --engine hyperfine
printf '#!/bin/sh\nexit 1\n' >bin/hyperfine
ONLY_PATH=$PWD/bin refuse 3 'bin/hyperfine: it does not say its version' --suite true.json --engine hyperfine

# --- a command that fails in round 7: void, the other target kept, the file whole
cat >seventh <<'END'
#!/bin/sh
# Fails when it runs for the thirteenth time or later: two arms a round.
echo x >>"$COUNT"
[ "$(wc -l <"$COUNT")" -le 12 ] || exit 5
END
chmod +x seventh
suite seventh.json "[\"$PWD/seventh\"]"
for engine in builtin hyperfine; do
    if [ $engine = hyperfine ] && ! command -v hyperfine >/dev/null; then continue; fi
    rm -f count
    COUNT=$PWD/count run "$BIN/tracetax" run --engine $engine --quiet --suite seventh.json --rounds 9 \
        --warmup 0 --export-json seventh-result.json
    expect_status 3
    expect_one_line err
    expect_line err '^tracetax run: odd, operation nothing, is void: arm (un)?tracked, round 7: .*exit status 5'
    expect_equal "$(grep -c '"void": null' seventh-result.json)" 1
    expect_line seventh-result.json '"void": "arm .*round 7'
    expect_equal "$(grep -c '"samples_ns"' seventh-result.json)" 4
    expect_equal "$(grep samples_ns seventh-result.json | awk -F, '{print NF}' | tr '\n' ' ')" '9 9 6 6 '
    expect_equal "$(grep -c 'overhead_ratio"' seventh-result.json)" 1
    expect_equal "$(ls -A tmp)" ""
    rm seventh-result.json
done

# --- a preparation that fails tells its own words
cat >prepare.json <<'END'
{"schema": "tracetax.suite/1", "name": "test", "version": "1", "tracker": ["env", "{command}"],
 "targets": [{"name": "odd", "operation": "nothing", "command": ["true"],
              "prepare": ["sh", "-c", "echo the disk is full >&2; exit 4"]}]}
END
measure --suite prepare.json --rounds 1 --export-json prepared.json
expect_status 3
expect_line err 'odd, .*is void: sh failed with exit status 4: the disk is full'

# --- a signal: nothing written, nothing left, ended by that signal
suite slow.json '["sleep", "0.05"]'
"$BIN/tracetax" run --suite slow.json --engine builtin --rounds 5000 --quiet >out 2>err </dev/null &
pid=$!
until [ -n "$(ls -A tmp)" ] || ! kill -0 $pid; do :; done
kill -TERM $pid
wait $pid
status=$?
expect_status 143
expect_one_line err
expect_line err 'stopped by a signal; nothing was written'
expect_nothing_left

# --- what is said and where
measure --suite true.json --rounds 3 --export-json - --seed 11 --no-keep
expect_status 0
expect_empty err
expect_line out '"seed": 11,'
expect_line out '"schema": "tracetax.result/1"'
run "$BIN/tracetax" run --engine builtin --suite true.json --rounds 3 --seed 11
expect_status 0
expect_empty out
expect_line err 'wrote result.json .*2 targets, 0 void, engine builtin .*seed 11'
rm result.json

# --- CI's ids
GITHUB_ACTIONS=true GITHUB_RUN_ID=30028036239 GITHUB_RUN_ATTEMPT=2 \
    GITHUB_SHA=ecf9e9af19c581f156188679cb2a9e8d458c9ba8 measure --suite true.json --rounds 1 --export-json ci.json
expect_status 0
expect_empty err
expect_line ci.json '"run_id": 30028036239,'
expect_line ci.json '"attempt": 2$'
expect_line ci.json '"commit": "ecf9e9af19c581f156188679cb2a9e8d458c9ba8"'
GITHUB_ACTIONS=true GITHUB_RUN_ID='1 && x' GITHUB_RUN_ATTEMPT=1 GITHUB_SHA=HEAD \
    measure --suite true.json --rounds 1 --export-json ci.json
expect_status 0
expect_line err 'warning: GITHUB_RUN_ID or GITHUB_RUN_ATTEMPT'
expect_line err 'warning: GITHUB_SHA'
expect_line ci.json '"ci": null'
expect_line ci.json '"commit": null'

# --- kept results: the newest 50; a folder that cannot be made is a warning
kept=$XDG_STATE_HOME/tracetax/$(sed -nE 's/.*"id": "([a-z0-9_-]+)".*/\1/p' ci.json)
expect_equal "$(find "$kept" -name '*.json' | wc -l | tr -d ' ')" "$(find "$kept" -type f | wc -l | tr -d ' ')"
for i in $(seq 100 160); do cp ci.json "$kept/20200101T000000Z_$i.json"; done
touch "$kept/mine.txt"
before=$(find "$kept" -name '2020*' | wc -l)
measure --suite true.json --rounds 1 --no-keep --export-json ci.json
expect_equal "$(find "$kept" -name '2020*' | wc -l)" "$before"
measure --suite true.json --rounds 1 --export-json ci.json
expect_equal "$(find "$kept" -name '*.json' | wc -l | tr -d ' ')" 50
[ ! -e "$kept/20200101T000000Z_100.json" ] || fail 'the oldest was kept'
[ -e "$kept/20200101T000000Z_160.json" ] || fail 'a new one was removed'
[ -e "$kept/mine.txt" ] || fail 'a foreign file was removed'
XDG_STATE_HOME=/proc/nothing measure --suite true.json --rounds 1 --export-json ci.json
expect_status 0
expect_one_line err
expect_line err 'warning: the result is not kept: .*--no-keep'

# --- help: fits a screen, has an example, names every option
run "$BIN/tracetax" run --help
expect_status 0
expect_empty err
expect_line out '^Example: tracetax run'
[ "$(wc -l <out)" -le 30 ] || fail "help has $(wc -l <out) lines"
[ "$(awk '{ if (length > max) max = length } END { print max }' out)" -le 90 ] || fail 'help is too wide'
run "$BIN/tracetax" --help
expect_status 0
expect_line out '^  run '
expect_line out '^Example:'
run "$BIN/tracetax" --version
expect_line out '^tracetax [0-9]+\.[0-9]+\.[0-9]+$'
run "$BIN/tracetax"
expect_status 2
expect_one_line err
run "$BIN/tracetax" measure
expect_status 2
expect_one_line err
expect_line err 'measure: no such command.*--help'

finish
