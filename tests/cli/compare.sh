#!/usr/bin/env bash
# tracetax compare and show: which baseline is taken, exit statuses, messages.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
data=$TESTS/data/compare
tracetax=$BIN/tracetax

# The baseline given.
run "$tracetax" compare "$data/now.json" "$data/before.json"
expect_status 0
expect_line out '^Compared with the file given of 2026-11-29T15:30:00Z at bbbbbbbb'
expect_empty err

# None anywhere: still a table, and one line that says so.
mkdir work && cd work || exit 1
run "$tracetax" compare "$data/now.json"
expect_status 0
expect_line out 'no baseline'
expect_one_line err
expect_line err 'no baseline: .*baselines/linux-x86_64\.json'

# The committed one, from a folder below; a folder with .git is the last that is looked into.
mkdir -p baselines deep/er
cp "$data/before.json" baselines/linux-x86_64.json
(cd deep/er && "$tracetax" compare "$data/now.json") >out 2>err
expect_line out '^Compared with baselines/ of 2026-11-29'
expect_empty err
mkdir deep/.git
(cd deep/er && "$tracetax" compare "$data/now.json") >out 2>err
expect_line err 'no baseline'
run "$tracetax" compare --baselines baselines "$data/now.json"
expect_line out '^Compared with baselines/ of 2026-11-29T15:30:00Z at bbbbbbbb \(baselines/linux-x86_64\.json\)'

# This machine's last run goes before it; the result itself, kept as well, does not count.
kept=$XDG_STATE_HOME/tracetax/linux-x86_64
mkdir -p "$kept"
cp "$data/now.json" "$kept/20261130T153000Z_000.json"
run "$tracetax" compare "$data/now.json"
expect_line out '^Compared with baselines/'
cp "$data/before.json" "$kept/20261129T153000Z_000.json"
run "$tracetax" compare "$data/now.json"
expect_line out "^Compared with this machine's last run of 2026-11-29"
# A newer one that cannot be compared yields to an older one that can.
sed 's/2026-11-28T/2026-11-29T2/; s/T215:30:00/T21:30:00/' "$data/other-cpu.json" >"$kept/20261129T213000Z_000.json"
run "$tracetax" compare "$data/now.json"
expect_line out "^Compared with this machine's last run of 2026-11-29T15:30"
rm "$kept/20261129T153000Z_000.json"
run "$tracetax" compare "$data/now.json"
expect_line out "^Compared with this machine's last run of 2026-11-29T21:30"
expect_line out 'not comparable with .* other CPU \(AMD EPYC 9V74, before AMD EPYC 7763\)'
expect_no_line out '^dynamic.*%\)? +[+-][0-9.]+% +\('
# A kept file that is none is passed over.
echo '{' >"$kept/20261129T223000Z_000.json"
run "$tracetax" compare "$data/now.json"
expect_status 0
expect_line out "^Compared with this machine's last run of 2026-11-29T21:30"

# Only a regression of the same job fails, and only when asked to.
run "$tracetax" compare "$data/head-base.json" "$data/before.json"
expect_status 0
run "$tracetax" compare --fail-on regressed "$data/head-base.json" "$data/before.json"
expect_status 1
run "$tracetax" compare --fail-on regressed --margin 6 "$data/head-base.json" "$data/before.json"
expect_status 0
run "$tracetax" compare --fail-on regressed "$data/before.json" "$data/now.json"
expect_status 0
expect_line out 'maybe regressed'

# Unreadable input: one line, status 3, nothing on standard output.
echo '{"schema": "tracetax.result/1"' >cut.json
sed 's,tracetax.result/1,tracetax.result/7,' "$data/before.json" >newer.json
for bad in missing.json cut.json newer.json /dev/null .; do
    run "$tracetax" compare "$data/now.json" "$bad"
    expect_status 3
    expect_one_line err
    expect_empty out
    run "$tracetax" show "$bad"
    expect_status 3
    expect_one_line err
    expect_empty out
done
run "$tracetax" compare "$data/now.json" newer.json
expect_line err 'newer version'
cp cut.json baselines/linux-x86_64.json
rm -r "$XDG_STATE_HOME"
run "$tracetax" compare "$data/now.json"
expect_status 3
expect_one_line err
run "$tracetax" compare --history cut.json "$data/now.json" "$data/before.json"
expect_status 3
expect_one_line err

# Wrong usage: one line, status 2.
wrong_usage() {
    run "$tracetax" "$@"
    expect_status 2
    expect_one_line err
    expect_empty out
}
wrong_usage compare
wrong_usage compare a b c
wrong_usage compare --margin 101 a
wrong_usage compare --margin 1% a
wrong_usage compare --margin -1 a
wrong_usage compare --unchanged-within 0 a
wrong_usage compare --unchanged-within nan a
wrong_usage compare --fail-on improved a
wrong_usage compare --format pdf a
wrong_usage compare --no-such a
wrong_usage compare --history
wrong_usage show
wrong_usage show --format pdf a
wrong_usage show $'--x\n::error::forged'

run "$tracetax" compare --help
expect_status 0
expect_line out 'Usage: tracetax compare'
run "$tracetax" show --help
expect_status 0

# Standard output that cannot be written to is not success. (Of an emulated program scripts/wine.sh
# keeps the output in a file and hands it on.)
if [ -w /dev/full ] && [ "${EMULATED:-0}" = 0 ]; then
    "$tracetax" show "$data/now.json" >/dev/full 2>err
    # shellcheck disable=SC2034 # expect_status reads it
    status=$?
    expect_status 3
    expect_one_line err
fi
# No colour where there is no terminal.
run "$tracetax" compare "$data/head-base.json" "$data/before.json"
expect_no_line out $'\033'
finish
