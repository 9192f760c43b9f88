#!/usr/bin/env bash
# Both engines run the same arms in the same order and report the same exit codes and sample
# counts. Times are not compared.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
command -v hyperfine >/dev/null || skip 'hyperfine is not installed'

mkdir "it's a folder"
cat >"it's a folder/probe" <<'END'
#!/bin/sh
# Notes the arm and the arguments; from the fifth run of target "fails" on it fails.
printf '%s|' "${ARM:-untracked}" "$@" >>"$LOG"
echo >>"$LOG"
[ "$1" = fails ] && [ "$(grep -c '|fails|' "$LOG")" -ge 5 ] && exit 7
[ "$1" = dies ] && [ "$(grep -c '|dies|' "$LOG")" -ge 4 ] && kill -9 $$
exit 0
END
chmod +x "it's a folder/probe"
probe="$PWD/it's a folder/probe"
cat >suite.json <<END
{"schema": "tracetax.suite/1", "name": "test", "version": "1",
 "tracker": ["env", "ARM=tracked", "{command}"],
 "targets": [{"name": "good", "operation": "x", "command": ["$probe", "good", "", "a b", "\$HOME;'\"\\\\"]},
             {"name": "fails", "operation": "x", "command": ["$probe", "fails"]},
             {"name": "dies", "operation": "x", "command": ["$probe", "dies"]}]}
END

for engine in builtin hyperfine; do
    LOG=$PWD/log.$engine run "$BIN/tracetax" run --suite suite.json --engine $engine --rounds 6 \
        --warmup 1 --seed 3 --quiet --export-json $engine.json
    expect_status 3
    cp err err.$engine
    expect_line $engine.json "\"engine\": \{\"name\": \"$engine\""
    # Everything but times, engine, hash and date.
    grep -vE '"(engine|created_at|overhead_ratio.*|median_ns)"' $engine.json |
        sed -E '/samples_ns/s/[0-9]+/N/g' >$engine.plain
done
cmp log.builtin log.hyperfine || fail 'the engines ran other commands or in another order'
cmp builtin.plain hyperfine.plain || fail 'the engines report otherwise'
cmp err.builtin err.hyperfine || fail 'the engines complain otherwise'
expect_line err.builtin 'fails, .*ended with exit status 7'
expect_line err.builtin 'dies, .*ended with exit status 137'
# Arguments arrive as they are, and every odd round is the mirror of the one before.
expect_line log.hyperfine "^tracked\\|good\\|\\|a b\\|.HOME;'\"\\\\\\|$"
arms=$(grep '|good|' log.builtin | cut -d'|' -f1 | tail -n 12 | tr '\n' ' ')
case $arms in
'untracked tracked tracked untracked tracked untracked untracked tracked untracked tracked tracked untracked ') ;;
'tracked untracked untracked tracked untracked tracked tracked untracked tracked untracked untracked tracked ') ;;
*) fail "arms ran in the order $arms" ;;
esac
expect_equal "$(grep -c '|good|' log.builtin)" 14

# A folder that hyperfine cannot be given: said when it was asked for, else the engine of our own.
folder="$PWD/$(printf 'b\344r')"
mkdir "$folder"
sed 's,"fails"\],"other"\, "{dir}"],; s,"dies"\],"third"],' suite.json >bytes.json
for engine in builtin auto hyperfine; do
    LOG=$PWD/log.bytes TMPDIR=$folder run "$BIN/tracetax" run --suite bytes.json --engine $engine \
        --rounds 1 --quiet --export-json bytes-result.json
    case $engine in
    builtin) expect_status 0; expect_empty err ;;
    auto) expect_status 0; expect_one_line err; expect_line err 'warning: .*not UTF-8.*built-in engine' ;;
    hyperfine) expect_status 3; expect_one_line err; expect_line err 'not UTF-8; set TMPDIR, or use --engine builtin' ;;
    esac
    expect_equal "$(ls -A "$folder")" ""
done

finish
