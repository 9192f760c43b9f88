# shellcheck shell=bash
# tracetax run on Windows: the words and exit statuses of tests/cli/run.sh, with a helper of ours where
# that uses env, true and sh.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

mkdir folder
before=$("$BIN/helper" leftovers)
expect_nothing_left() {
    expect_equal "$("$BIN/helper" leftovers)" "$before"
}
# shellcheck disable=SC2153 # from the environment of the test
helper=${HELPER//\\/\\\\}

# suite FILE COMMAND: one target, tracked by a program that only runs it.
suite() {
    cat >"$1" <<END
{"schema": "tracetax.suite/1", "name": "test", "version": "1", "tracker": ["$helper", "run", "{command}"],
 "targets": [{"name": "good", "operation": "nothing", "command": ["$helper", "exit", "0"]},
             {"name": "odd", "operation": "nothing", "command": $2}]}
END
}
suite true.json "[\"$helper\", \"exit\", \"0\"]"
measure() {
    run "$BIN/tracetax" run --engine builtin --quiet "$@"
}
# refuse STATUS REGEX ARG...: one line that matches, that status, nothing written.
refuse() {
    local expected=$1 regex=$2
    shift 2
    measure "$@"
    expect_status "$expected"
    expect_one_line err
    expect_line err "$regex"
    expect_empty out
    [ ! -e result.json ] || fail 'result.json was written'
}

refuse 2 '^tracetax run: --rounds.*whole number from 1 to 100000.*--help' --rounds 0
refuse 2 '--nonsense: no such option' --nonsense
refuse 2 '--target static: .*no such target; it has dynamic' --target static
refuse 3 'cannot read the suite nosuch: No such file.*default and full' --suite nosuch
suite missing.json '["C:\\nonexistent\\a b"]'
refuse 3 'cannot run C:.nonexistent.a b: No such file' --suite missing.json
refuse 3 'cannot run C:/nonexistent/filetrace: No such file.*--filetrace' --filetrace C:/nonexistent/filetrace
refuse 3 'cannot write nofolder/r.json: No such file.*--export-json' --suite true.json --export-json nofolder/r.json
refuse 3 'cannot write folder: Is a directory' --suite true.json --export-json folder
refuse 3 'cannot write true.json/r.json: Not a directory' --suite true.json --export-json true.json/r.json

# A target that fails is void, the other one kept, and the exit status says so.
suite odd.json "[\"$helper\", \"exit\", \"5\"]"
measure --suite odd.json --rounds 2 --warmup 0 --no-keep --export-json odd-result.json
expect_status 3
expect_one_line err
expect_line err '^tracetax run: odd, operation nothing, is void: .*exit status 5'
expect_equal "$(grep -c '"void": null' odd-result.json)" 1
suite crash.json "[\"$helper\", \"exit\", \"0xc0000005\"]"
measure --suite crash.json --rounds 1 --warmup 0 --no-keep --export-json odd-result.json
expect_status 3
expect_line err 'odd, operation nothing, is void: .*exit status 139'
sed "s/\"command\": \[\"\(.*\)\", \"exit\", \"5\"\]/\"command\": [\"\1\", \"exit\", \"0\"], \"prepare\": [\"\1\", \"complain\", \"the disk is full\", \"4\"]/" odd.json >prepare.json
measure --suite prepare.json --rounds 1 --no-keep --export-json odd-result.json
expect_status 3
expect_line err 'odd, .*is void: .*helper.* failed with exit status 4: the disk is full'
expect_nothing_left

# Names that are no ASCII, of a file that is written and of a suite that is read.
cp true.json 'tést 日本.json'
measure --suite 'tést 日本.json' --rounds 2 --export-json 'größe 日.json' --seed 11
expect_status 0
expect_empty err
expect_line 'größe 日.json' '"schema": "tracetax.result/1"'
expect_line 'größe 日.json' '"id": "windows-(x86_64|aarch64)"'
expect_line 'größe 日.json' '"engine": \{"name": "builtin"'
# It was kept as the baseline of the next one.
measure --suite true.json --rounds 2
expect_status 0
run "$BIN/tracetax" compare result.json
expect_status 0
expect_line out '^good +nothing|^good '
expect_line out '^Compared with '
rm result.json

# What hyperfine is there, is used or refused in words; where there is none, ours is taken.
run "$BIN/tracetax" run --quiet --suite true.json --rounds 1 --no-keep --export-json engine.json
expect_status 0
expect_line engine.json '"engine": \{"name": "(builtin|hyperfine)"'

run "$BIN/tracetax" run --help
expect_status 0
expect_line out '^Example: tracetax run'
run "$BIN/tracetax" measure
expect_status 2
expect_line err 'measure: no such command.*--help'
run "$BIN/tracetax" --version
expect_line out '^tracetax [0-9]+\.[0-9]+\.[0-9]+$'
finish
