#!/usr/bin/env bash
# tracetax calibrate: learns from results, and compare uses what it learned.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
data=$TESTS/data/compare
tracetax=$BIN/tracetax

# result FILE RATIO: a result of the same machine, suite and engine as now.json.
result() {
    sed "s/RATIO/$2/g" >"$1" <<'JSON'
{"schema": "tracetax.result/1", "created_at": "2026-11-20T00:00:00Z", "tool_version": "0.1.0",
 "platform": {"id": "linux-x86_64", "os": "Linux", "image": "Debian GNU/Linux 12 (bookworm)",
  "kernel": "6.18.44", "libc": "glibc 2.36", "arch": "x86_64", "cpu": "AMD EPYC 9V74", "cores": 4},
 "suite": {"name": "default", "version": "1", "parameters": {"threads": "4", "files": "2048"},
  "shard": 1, "shards": 1},
 "engine": {"name": "hyperfine", "version": "1.15.0"}, "seed": 0, "warmup_rounds": 0,
 "targets": [{"name": "dynamic", "operation": "open-close", "operations_count": 8192, "arms": {},
  "overhead_ratio": RATIO, "overhead_ratio_low": RATIO, "overhead_ratio_high": RATIO}]}
JSON
}
i=0
for ratio in 1.400 1.404 1.399 1.401 1.405 1.402 1.398 1.403; do
    result "$i.json" "$ratio"
    i=$((i + 1))
done

run "$tracetax" compare "$data/now.json" "$data/before.json"
before=$(grep '^dynamic open-close' out)
expect_line out '^Note: uncalibrated: a spread of 3\.00%'

run "$tracetax" calibrate ./*.json
expect_status 0
expect_empty err
# median difference of neighbours ln(1.405 / 1.401) and such: 0.28% / (0.6745 x 1.4142)
expect_line out '^dynamic open-close +0\.30%  no same-job comparison$'
expect_line out "^Kept in $XDG_STATE_HOME/tracetax/linux-x86_64/calibration\.json"

run "$tracetax" compare "$data/now.json" "$data/before.json"
expect_line out '^Note: a spread of up to 0\.30% from run to run, learned from 8 results'
expect_line out '^Note: uncalibrated: .*, for some targets$'
after=$(grep '^dynamic open-close' out)
[ "$before" != "$after" ] || fail "the interval did not change: $after"
expect_line out '^dynamic open-close .*\+0\.77% \(-0\.[0-9]+ … \+[12]\.[0-9]+\)'

# A baseline that was committed was measured elsewhere: this machine's spread says nothing.
mkdir baselines
cp "$data/before.json" baselines/linux-x86_64.json
run "$tracetax" compare "$data/now.json"
expect_line out '^Compared with baselines/'
expect_no_line out 'learned from'

# A calibration that cannot be read is one warning.
echo '{' >"$XDG_STATE_HOME/tracetax/linux-x86_64/calibration.json"
run "$tracetax" compare "$data/now.json" "$data/before.json"
expect_status 0
expect_one_line err
expect_line err 'calibrate again'

run "$tracetax" calibrate 0.json 1.json
expect_status 3
expect_one_line err
expect_line err '2 results; it takes 8 to 200'
run "$tracetax" calibrate 0.json 1.json 2.json 3.json 4.json 5.json 6.json "$data/other-cpu.json"
expect_status 3
expect_one_line err
expect_line err 'results 1 and 8 differ: other CPU'
run "$tracetax" calibrate missing.json
expect_status 3
expect_one_line err
# Real runs, of a target with a tracker of its own.
cat >suite.json <<'JSON'
{"schema": "tracetax.suite/1", "name": "tiny", "version": "1", "tracker": ["env", "{command}"],
 "targets": [{"name": "true", "operation": "launch", "command": ["true"]}]}
JSON
run "$tracetax" calibrate --suite suite.json --repeats 8 --rounds 6 --quiet
expect_status 0
expect_line err 'only the spread'
expect_line out '^true launch +[0-9]+\.[0-9]{2}%  no same-job comparison$'
"$tracetax" run --suite suite.json --rounds 6 --quiet --export-json a.json
"$tracetax" run --suite suite.json --rounds 6 --quiet --export-json b.json
run "$tracetax" compare b.json a.json
expect_line out '^Note: a spread of up to .*, learned from 8 results'
run "$tracetax" calibrate --suite no-such-suite --quiet
expect_status 3
expect_one_line err
run "$tracetax" calibrate --suite suite.json --target none --quiet
expect_status 2
expect_one_line err

for wrong in '--repeats 7' '--repeats 201' '--rounds 0' '--rounds 1e9' '--no-such' '--repeats'; do
    read -ra argv <<<"$wrong"
    run "$tracetax" calibrate "${argv[@]}"
    expect_status 2
    expect_one_line err
done
finish
