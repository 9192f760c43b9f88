#!/usr/bin/env bash
# Runs every fuzzer of a build folder for a time, from its corpus and the inputs that were found before.
#   fuzz.sh BUILD_DIR SECONDS [NAME...]
# SECONDS are a processor's, so that a busy machine does not make a run worth less, but at most twenty times
# as many of the clock; where there is no /proc they are the clock's. FUZZ_JOBS fuzzers run at a time [as many as
# there are processors]. The last line of each says executions, coverage (before and after, in edges), and
# seconds of the clock and of the processor; all of them are in BUILD_DIR/fuzz.txt, and each one's log, new
# inputs and findings in BUILD_DIR/fuzz/NAME.
# Fails when one finds something, or when its coverage did not grow past its corpus.
set -uo pipefail
[ $# -ge 2 ] || { echo 'usage: fuzz.sh BUILD_DIR SECONDS [NAME...]' >&2; exit 2; }
build=$1 seconds=$2
shift 2
tests=$(cd "$(dirname "$0")/../tests/fuzz" && pwd) || exit 1
jobs=${FUZZ_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

# Limits: bytes of an input, memory of the process in MB, seconds of one input.
limits=(-max_len=16384 -rss_limit_mb=1024 -malloc_limit_mb=256 -timeout=20)

ticks=$(getconf CLK_TCK)
clock_seconds=$seconds
[ ! -r /proc/self/stat ] || clock_seconds=$((seconds * 20))

# coverage LOG [LINE]: the number behind "cov:" in libFuzzer's last line of that kind (INITED, NEW and so on).
coverage() {
    sed -nE "s/^#[0-9]+[[:space:]]+${2:-[A-Za-z]+}[[:space:]]+(.* )?cov: ([0-9]+).*/\2/p" "$1" | tail -n 1
}

# end_in_time PID: once the process has used its seconds, asks it to end, which libFuzzer does on SIGUSR1.
end_in_time() {
    local stat
    while read -ra stat <"/proc/$1/stat"; do
        [ $((stat[13] + stat[14])) -lt $((seconds * ticks)) ] || kill -USR1 "$1"
        sleep 1
    done 2>/dev/null
}

run_one() {
    local name=$1 work=$build/fuzz/$1 started dictionary=() seeds=("$tests/corpus/$1")
    [ -d "$tests/found/$name" ] && seeds+=("$tests/found/$name")
    [ -f "$tests/$name.dict" ] && dictionary+=("-dict=$tests/$name.dict")
    rm -rf "$work"
    mkdir -p "$work/new" || return 1
    started=$SECONDS
    # shellcheck disable=SC2034 # read by `time`
    local TIMEFORMAT='%U %S'
    { time {
        "$build/fuzzers/fuzz-$name" "${limits[@]}" "${dictionary[@]}" -max_total_time="$clock_seconds" \
            -print_final_stats=1 -artifact_prefix="$work/found-" "$work/new" "${seeds[@]}" >"$work/log" 2>&1 &
        end_in_time $!
        wait $!
    }; } 2>"$work/time"
    local status=$? before after runs cpu
    before=$(coverage "$work/log" INITED) after=$(coverage "$work/log")
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    cpu=$(awk '{ printf "%d", $1 + $2 }' "$work/time")
    printf '%-10s %10s executions, coverage %5s -> %5s, %4d s (%s s of a processor)' \
        "$name" "${runs:-?}" "${before:-?}" "${after:-?}" $((SECONDS - started)) "$cpu" >"$work/line"
    if [ "$status" != 0 ]; then
        printf ': FOUND SOMETHING, see %s\n' "$work/log" >>"$work/line"
    elif [ "${after:-0}" -le "${before:-0}" ]; then
        printf ': ITS COVERAGE DID NOT GROW\n' >>"$work/line"
        status=1
    else
        echo >>"$work/line"
    fi
    cat "$work/line"
    return "$status"
}

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for file in "$build"/fuzzers/fuzz-*; do names+=("${file##*/fuzz-}"); done
fi
status=0
for name in "${names[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || status=1; done
    run_one "$name" &
done
while [ -n "$(jobs -p)" ]; do wait -n || status=1; done
for name in "${names[@]}"; do cat "$build/fuzz/$name/line"; done >"$build/fuzz.txt"
for name in "${names[@]}"; do
    grep -q FOUND "$build/fuzz/$name/line" && grep -E 'broken:|ERROR:|SUMMARY:' "$build/fuzz/$name/log" | head -n 5 >&2
done
exit "$status"
