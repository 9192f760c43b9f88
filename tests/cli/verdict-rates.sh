#!/usr/bin/env bash
# What make check-verdicts counts with.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
rates=$TEST_BIN/verdict-rates
data=$TESTS/data/compare/head-base.json # 60 rounds, head slower by 4.64%

run "$rates" change "$data"
expect_status 0
expect_line out '^4\.6391$'

run "$rates" runs 3 "$data" "$data"
expect_status 0
expect_line out '^\| \+3% \| 2 \| 60 \| ±[0-9.]+% \| 2 \| 0 \| 0 \| 0 \| 0 \| 100\.0% \(15\.8 … 100\.0\) \| \+4\.64% \(\+4\.37 … \+4\.90\) '
run "$rates" runs 0 "$data"
expect_line out '^\| A/A \| 1 \| 60 .* 100\.0% '

# 180 rounds that are no A/A at all: the bar is missed, and said to be.
run "$rates" drawn 7 "$data" "$data" "$data"
expect_status 1
expect_line out '^\| A/A \| 200 \| 60 .*\| 200 \| 0 \| 0 \| 0 \| 0 \| 100\.0% \(98\.2 … 100\.0\) \| missed \|$'
expect_line out '^\| A/A \| 3 \| 60 .*\| cut end to end \|$'
expect_line out '^180 rounds recorded; drawn in blocks of 20 with seed 7\.'
mv out first
run "$rates" drawn 7 "$data" "$data" "$data"
cmp -s first out || fail 'the same seed drew other runs'

run "$rates" drawn 7 "$data"
expect_status 3
expect_one_line err
run "$rates" change "$TESTS/data/compare/now.json"
expect_status 3
expect_one_line err
expect_line err 'now\.json: its first target is void or lacks an arm'
run "$rates" runs 3 missing.json
expect_status 3
expect_one_line err
for wrong in '' 'change' 'runs 3' "runs many $data" "drawn -1 $data"; do
    read -ra argv <<<"$wrong"
    run "$rates" "${argv[@]}"
    expect_status 2
    expect_line err '^Usage: verdict-rates'
done
finish
