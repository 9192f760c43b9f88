# shellcheck shell=bash
# tracetax table: commands interleaved, hyperfine's JSON read and written, nothing shown after a failure.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# Each command leaves its mark, so that the order of runs can be read.
mkdir bin
for name in one two; do
    printf '#!/bin/sh\necho %s "$@" >>"%s/ran"\n' $name "$PWD" >bin/$name
    chmod +x bin/$name
done
printf '#!/bin/sh\nexit 3\n' >bin/fails
chmod +x bin/fails
PATH=$PWD/bin:$PATH
cat >suite.json <<'END'
{"schema": "tracetax.table/1", "program": "one",
 "prepare": [["mkdir", "{dir}/made"]],
 "versions": [["echo", "1.2\u001b"]],
 "groups": [{"name": "First | group", "commands": [["one", "{dir}/made"], ["two", "{}"]]}]}
END
run "$BIN/tracetax" table --quiet --engine builtin --rounds 3 --build "other=$PWD/bin/two" --export-json out.json suite.json
expect_status 0
expect_empty err
expect_line out '^First \| group$'
expect_line out '^Command +Mean \[ms\] +Min \[ms\] +Max \[ms\] +Relative$'
expect_line out '^one corpus/made +[0-9.]+ ± [0-9.]+ +[0-9.]+ +[0-9.]+ +1\.00$'
expect_line out '^other corpus/made .* [0-9.]+ ± [0-9.]+$'
expect_line out '^  1\.2\?$'
# The warm-up and three rounds, each the mirror of the one before. one, its other build, two.
expect_equal "$(sed -E 's/ .*made/+/; s/ .*/-/' ran | tr -d '\n')" 'two-two+one+one+two+two-two-two+one+one+two+two-'
[ "$(grep -c '/made' ran)" = 8 ] || fail 'the folder was not put in'

run "$BIN/tracetax" table --engine builtin --rounds 1 suite.json
expect_status 0
expect_line err '^1/1 First \| group commands: warm-up 0 of 1, [0-9]+ s left$'
# `tracetax run` knows what kind of suite it is given.
run "$BIN/tracetax" run --suite suite.json --rounds 1 --quiet
expect_status 0
expect_line out '^Command +Mean'
# An option that a table has no use for is refused; nothing is run and nothing written.
for option in '--target nope' '--shard 1/2' '--export-json result.json' --no-keep '--engine builtin' \
    "--commit $(printf '%040d' 0)" '--seed 1' '--warmup 1' '--max-time 1'; do
    rm -f ran
    # shellcheck disable=SC2086 # the option and its value
    run "$BIN/tracetax" run $option --rounds 1 --suite suite.json
    expect_status 2
    expect_one_line err
    expect_line err "^tracetax run: ${option%% *}: does not go with suite.json, "
    expect_empty out
    [ ! -e ran ] || fail "$option: commands were run"
    [ ! -e result.json ] || fail "$option: a result was written"
done
run "$BIN/tracetax" calibrate --suite suite.json
expect_status 3
expect_line err "tracetax table"

# What was written is read again as it was.
run "$BIN/tracetax" table --import-json out.json
expect_status 0
cp out again
run "$BIN/tracetax" table --import-json --export-json third.json out.json
cmp -s out.json third.json || fail 'reading and writing changes the times'
cmp -s out again || fail 'one input, two tables'
run "$BIN/tracetax" table --import-json --reference two --format markdown out.json
expect_line out '^\| <code>two .* 1\.00 \|$'
expect_line out '^### First .*group$'

# hyperfine's own, of old and new shape; the values worked out by hand.
cat >hyperfine.json <<'END'
{"results": [
  {"command": "a x", "mean": 9, "stddev": 9, "median": 9, "user": 0, "system": 0, "min": 9, "max": 9,
   "times": [1.0, 2.0, 3.0], "exit_codes": [0, 0, 0]},
  {"command": "b", "mean": 4.0, "stddev": 1.0, "median": 4, "user": 0.1, "system": 0, "min": 3.0, "max": 5.0,
   "memory_usage_byte": [1, 2], "exit_codes": [null]},
  {"command": "c", "mean": 8.0, "stddev": null, "min": 8.0, "max": 8.0, "times": [8.0], "parameters": {"n": "1"}}
]}
END
run "$BIN/tracetax" table --import-json hyperfine.json
expect_status 0
expect_line out '^a x +2\.000 ± 1\.000 +1\.000 +3\.000 +1\.00$'
expect_line out '^b +4\.000 ± 1\.000 +3\.000 +5\.000 +2\.00 ± 1\.12$'
expect_line out '^c +8\.000 +8\.000 +8\.000 +4\.00$'
if command -v hyperfine >/dev/null; then
    hyperfine -N --style none --runs 2 --export-json real.json true false -i >/dev/null 2>&1
    run "$BIN/tracetax" table --import-json --reference false real.json
    expect_status 0
    expect_line out '^false .* 1\.00$'
fi

# refused STATUS REGEX ARGUMENT...: one line, and no table.
refused() {
    local wanted=$1 words=$2
    shift 2
    run "$BIN/tracetax" table --quiet "$@"
    expect_status "$wanted"
    expect_one_line err
    expect_line err "^tracetax table: .*$words"
    expect_empty out
}
refused 2 'no file named'
refused 2 'not a whole number' --rounds 0 suite.json
refused 2 'NAME=CMD' --build =x suite.json
refused 2 'more than one suite' suite.json suite.json
refused 3 'no command of First' --rounds 1 --reference three --engine builtin suite.json
refused 3 'status 3' --rounds 1 --engine builtin --build "x=$PWD/bin/fails" suite.json
refused 3 'No such file' --import-json none.json
sed 's/"one", /"not-there", /' suite.json >missing.json
refused 3 'not-there' --rounds 1 --engine builtin missing.json
sed 's/table.1/table\/9/' suite.json >newer.json
refused 3 'schema' newer.json
for text in '' '{}' '[]' '{"results":[]}' '{"results":[{"command":"a"}]}' '{"results":[{"command":"a","times":[-1]}]}' \
    '{"results":[{"command":"a","times":[1e999]}]}' '{"results":[{"command":"a\nb","times":[1]}]}'; do
    printf '%s' "$text" >bad.json
    refused 3 'bad.json' --import-json bad.json
done
for text in '{"schema":"tracetax.table/1","groups":[]}' '{"schema":"tracetax.table/1","groups":[{"name":"x","commands":[]}]}' \
    '{"schema":"tracetax.table/1","groups":[{"name":"x","commands":["true"]}]}'; do
    printf '%s' "$text" >bad.json
    refused 3 'bad.json' --engine builtin bad.json
done
finish
