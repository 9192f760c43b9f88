#!/usr/bin/env bash
# Counts how often verdicts are right, by real runs on this machine: make check-verdicts.
#   check-verdicts.sh BUILD_DIR AA_ROUNDS SLOWER_ROUNDS [RUN_OPTION...]
# BUILD_DIR holds this tree's programs. 40 A/A runs of AA_ROUNDS each and 20 runs of SLOWER_ROUNDS for
# each injected change; with 100 and 100 it takes half an hour on two processors that do nothing
# else. Ends with Markdown on standard output and keeps every result in BUILD_DIR/check-verdicts.
set -euo pipefail
usage='usage: check-verdicts.sh BUILD_DIR AA_ROUNDS SLOWER_ROUNDS [RUN_OPTION...]'
build=$(cd "${1:?$usage}" && pwd)
aa_rounds=${2:?$usage}
slower_rounds=${3:?$usage}
shift 3
source=$(cd "$(dirname "$0")/.." && pwd)
kept=$build/check-verdicts
iterations=20 # 2 A/A runs and one of each size in each
probe_ns=20000 # the delay from which a nanosecond's price is learned
seed=$(date +%Y%m%d) # of everything that is drawn

say() { printf 'check-verdicts: %s\n' "$*" >&2; }
rates() { "$build/tests/verdict-rates" "$@"; }

# suite NAME FILES: the target `dynamic` with so many files a thread, always called the same.
suite() {
    local arguments="\"{dir}\", \"--operation\", \"open-close\", \"--threads\", \"4\", \"--files\", \"$2\"]"
    cat >"$kept/$1" <<JSON
{"schema": "tracetax.suite/1", "name": "check-verdicts", "version": "1", "parameters": {"threads": "4"},
 "targets": [{"name": "dynamic", "operation": "open-close",
  "prepare": ["{bin}/workload", "prepare", $arguments,
  "command": ["{bin}/workload", "run", $arguments,
  "paths": ["{bin}/workload", "paths", $arguments}]}
JSON
}

# tracer NS: this tree's filetrace, slower by NS a record, as $kept/tracer-NS/filetrace.
tracer() {
    cmake -S "$source" -B "$kept/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DTRACETAX_TEST_DELAY_NS="$1" >/dev/null
    cmake --build "$kept/build" --target filetrace >/dev/null
    mkdir -p "$kept/tracer-$1"
    cp "$kept/build/bin/filetrace" "$kept"/build/bin/libfiletrace* "$kept/tracer-$1/"
}

# measure FILE SUITE HEAD_NS BASE_NS|"" [OPTION...]
measure() {
    local file=$1 suite=$2 head=$3 base=$4
    shift 4
    "$build/bin/tracetax" run --suite "$kept/$suite" --filetrace "$kept/tracer-$head/filetrace" \
        ${base:+--base "$kept/tracer-$base/filetrace"} --no-keep --quiet --export-json "$kept/$file" "$@"
    cut -d' ' -f1 /proc/loadavg >>"$kept/loads"
}

# ticks: busy, stolen and all ticks of the processors since boot (proc_stat(5)).
ticks() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8, $9, $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9 }' /proc/stat; }

rm -rf "$kept"
mkdir -p "$kept"
begun=$(date -u +%Y-%m-%dT%H:%M:%SZ)
start=$(date +%s)
ticks >"$kept/ticks"
suite normal.json 2048
suite longer.json 2560 # a quarter more work in every arm

say "building tracers"
tracer 0
tracer $probe_ns
measure probe.json normal.json $probe_ns 0 --rounds 40 "$@"
price=$(rates change "$kept/probe.json")
say "$probe_ns ns a record make the tracked time $price% longer"
declare -A delay
for size in 1 3 5; do
    delay[$size]=$(awk -v size=$size -v probe=$probe_ns -v price="$price" 'BEGIN { printf "%.0f", size * probe / price }')
    tracer "${delay[$size]}"
done

for ((i = 1; i <= iterations; i++)); do
    say "$i of $iterations, after $(($(date +%s) - start)) s"
    measure "aa-$i-1.json" normal.json 0 0 --rounds "$aa_rounds" "$@"
    measure "aa-$i-2.json" normal.json 0 0 --rounds "$aa_rounds" "$@"
    for size in 1 3 5; do
        measure "slower-$size-$i.json" normal.json "${delay[$size]}" 0 --rounds "$slower_rounds" "$@"
    done
    [ $((i % 2)) = 1 ] || measure "longer-$i.json" longer.json 0 "" --rounds "$slower_rounds" "$@"
done

# --- across jobs: untracked and tracked slowed alike, with this machine's learned spread
export XDG_STATE_HOME=$kept/state
"$build/bin/tracetax" calibrate "$kept"/aa-*.json >"$kept/calibration"
alike=0
alarms=0
for ((i = 2; i <= iterations; i += 2)); do
    "$build/bin/tracetax" compare "$kept/longer-$i.json" "$kept/aa-$i-1.json" >"$kept/alike-$i.txt"
    grep '^dynamic' "$kept/alike-$i.txt" >>"$kept/alike"
    alike=$((alike + 1))
    ! grep -qE '^dynamic.*(regressed|improved)( |$)' "$kept/alike-$i.txt" || alarms=$((alarms + 1))
done

status=0
rates drawn "$seed" "$kept"/aa-*.json >"$kept/drawn" || status=$?
[ "$status" -le 1 ] || exit "$status"

read -r busy stolen all < <(paste -d' ' "$kept/ticks" <(ticks) | awk '{ print $4 - $1, $5 - $2, $6 - $3 }')
read -r least median most < <(sort -n "$kept/loads" | awk '{ v[NR] = $1 } END { print v[1], v[int((NR + 1) / 2)], v[NR] }')
columns='Rounds | Half width | Regressed | Improved | Unchanged | Inconclusive | Estimates on the wrong side | Rate with 95% interval'
cat <<MARKDOWN
# Verdicts, checked

What \`make check-verdicts\` printed. Target \`dynamic\`, operation \`open-close\`; begun $begun, $(($(date +%s) - start)) s.

- Machine: $(sed -nE 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(getconf _NPROCESSORS_ONLN) processors online, kernel $(uname -r).
- Load meanwhile: load average (1 minute) $median in the middle, $least to $most, our own runs included; processors
  $(awk -v b="$busy" -v s="$stolen" -v a="$all" 'BEGIN { printf "%.0f%% busy, %.1f%% stolen by other guests", 100 * b / a, 100 * s / a }'); niceness $(nice).
- Engine: $(sed -nE 's/.*"engine": \{"name": "([a-z]+)", "version": "([^"]+)".*/\1 \2/p' "$kept/aa-1-1.json").
- Injected change: a build of the tracer that is busy for a set time a record (\`TRACETAX_TEST_DELAY_NS\`). $probe_ns ns made the
  tracked time $price% longer over 40 rounds, so +1% was built as ${delay[1]} ns, +3% as ${delay[3]} ns, +5% as ${delay[5]} ns.

The rate is that of *regressed* for a slower head, of *improved* for a faster one, and of either for A/A. Its interval is
Clopper and Pearson's. The half width is the mean over the runs.

## Real runs

Each row's runs were \`tracetax run --base\` of their own, the sizes in turn.

| Change | Runs | $columns | Measured over all rounds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
$(rates runs 0 "$kept"/aa-*.json)
$(for size in 1 3 5; do rates runs "$size" "$kept"/slower-"$size"-*.json; done)

## Drawn runs

From the rounds of all A/A runs above, one after another. Each drawn run is put together of
blocks of neighbouring rounds that do not overlap; the change is head's tracked times made longer by that part. Runs share
rounds with one another, which the intervals do not know. *Cut end to end*: the recording divided into consecutive runs.

| Change | Runs | $columns | Bar |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
$(cat "$kept/drawn")

Bars, for as many rounds as the pilot asks for: A/A at most 1%, +1% at most 5%, +3% at least 90%, ±5% at least 98% and never the wrong word.

## Untracked and tracked slowed alike

A quarter more files in every arm, compared across jobs with an A/A run of the ordinary suite under the spread that
\`tracetax calibrate\` learned from the A/A runs: *maybe regressed* or *maybe improved* in $alarms of $alike comparisons.

\`\`\`
$(sed "s,$source/,," "$kept/calibration" | grep -v '^Kept in')

$(cat "$kept/alike")
\`\`\`
MARKDOWN
[ "$alarms" = 0 ] || status=1
exit "$status"
