#!/usr/bin/env bash
# Watches what is large, prints a line each, and fails when an access is lost or a trace is not complete.
#   load.sh BUILD_DIR [NAME...]     NAME: tree, threads, ten-million, build, three; all without one
# Seconds and memory are figures, never limits: docs/reliability.md tells what was seen. `build` fetches zlib's
# source from Debian's archive through apt, without a change to the system; elsewhere it is left out.
# Exit status: 0 all good, 1 not, 2 wrong usage.
set -uo pipefail
build=$(cd "${1:?usage: load.sh BUILD_DIR [NAME...]}" && pwd -P) || exit 2
shift
here=$(cd "$(dirname "$0")/.." && pwd -P)
export BIN=$build/bin TEST_BIN=$build/tests
programs=$TEST_BIN/system
failures=0
work=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-load.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

bad() { failures=$((failures + 1)); printf 'load: BAD: %s\n' "$*"; }

# watch LABEL TRACE COMMAND...: prints one line of figures
watch() {
    local label=$1 trace=$2 started=$EPOCHREALTIME status accesses lost complete processes summary seconds
    shift 2
    "$TEST_BIN/peak_memory" "$trace.peak" "$BIN/filetrace" -f raw -o "$trace" -- "$@" >"$trace.out" 2>"$trace.err" </dev/null
    status=$?
    seconds=$(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    [ "$status" = 0 ] || bad "$label: exit status $status: $(head -c 300 "$trace.err")"
    summary=$("$BIN/filetrace" print -f json -o - "$trace" | tail -n 1)
    accesses=$(sed -E 's/.*"accesses":([0-9]+).*/\1/' <<<"$summary")
    lost=$(sed -E 's/.*"lost":([0-9]+).*/\1/' <<<"$summary")
    processes=$(sed -E 's/.*"processes":([0-9]+).*/\1/' <<<"$summary")
    complete=$(sed -E 's/.*"complete":([a-z]+).*/\1/' <<<"$summary")
    printf '%-34s %10s accesses %6s processes  lost %s  complete %s  %6s KiB  %7s s\n' "$label" "$accesses" "$processes" \
        "$lost" "$complete" "$(($(cat "$trace.peak") >> 10))" "$seconds"
    [ "$lost" = 0 ] || bad "$label: $lost accesses are lost"
    [ "$complete" = true ] || bad "$label: not complete: $(head -c 500 <<<"$summary")"
}

# all_there LABEL TRACE THREADS EACH: every path of many_paths
all_there() {
    "$BIN/filetrace" print --all -f nul -o - "$2" | "$TEST_BIN/count_paths" "$3" "$4" >count || bad "$1: $(cat count)"
}

# 5,220 processes: 1 + 17 + 289 + 4,913, of the last 289 at a time.
load_tree() {
    local kind program
    for kind in dynamic static; do
        program=$programs/many_paths
        [ $kind = dynamic ] || program=${program}_static
        watch "tree of 5,220 processes, $kind" tree "$programs/spawn_tree" 3 17 "$program"
        [ "$(grep -c '^ok many_paths' tree.out)" = 4913 ] || bad "tree, $kind: $(grep -c '^ok' tree.out) of 4913 programs ended well"
        all_there "tree, $kind" tree 4 1
    done
}

load_threads() {
    watch '64 threads, dynamic' threads "$programs/many_paths" 64 10000
    all_there '64 threads, dynamic' threads 64 10000
    watch '64 threads, static' threads "$programs/many_paths_static" 64 2000
    all_there '64 threads, static' threads 64 2000
}

load_ten_million() {
    watch '10,000,000 accesses, dynamic' ten "$programs/many_paths" 4 2500000
    all_there '10,000,000 accesses, dynamic' ten 4 2500000
    watch '10,000,000 accesses, static' ten "$programs/many_paths_static" 4 2500000
    all_there '10,000,000 accesses, static' ten 4 2500000
}

# zlib's source as Debian has it: leaves source.tar, or fails.
fetch_source() {
    local options
    [ ! -f source.tar ] || return 0
    command -v apt-get >/dev/null || return 1
    mkdir -p sources lists/partial
    find /etc/apt -maxdepth 2 -name '*.sources' -exec sed -s 's/^Types:.*/Types: deb-src/' {} + >sources/source.sources
    find /etc/apt -maxdepth 2 -name '*.list' -exec sed -s 's/^deb /deb-src /' {} + >sources/source.list
    options=(-q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/sources" -o "Dir::State::Lists=$work/lists"
        -o APT::Sandbox::User=root)
    { apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only zlib; } >fetch.log 2>&1 || return 1
    mv zlib_*.orig.tar.* source.tar
}

# shellcheck disable=SC2016 # the shell that runs it expands this
build_script='mkdir zlib && tar -xf "$SOURCE_TAR" -C zlib --strip-components 1 && cd zlib && ./configure'
set_up() {
    mkdir "$1"
    (cd "$1" && bash -c "$build_script") >setup.log 2>&1 || bad "zlib cannot be set up: $(tail -n 1 setup.log)"
}

load_build() {
    export SOURCE_TAR=$work/source.tar
    fetch_source || { printf 'build of a real project: left out: its source cannot be fetched here\n'; return; }
    set_up once
    watch 'make -j4 of zlib' make make -j4 -C once/zlib
    rm -rf once
    local strict
    for strict in '' --strict; do
        # shellcheck disable=SC2086 # empty or one word
        "$here/tests/system/compare-strace" $strict --setup "$build_script" --random 'cc[A-Za-z0-9]{6}' \
            --random 'st[A-Za-z0-9]{6}' --limit 1800 -- make -j4 -C zlib >compare.log 2>&1 ||
            bad "make -j4 of zlib $strict: $(tail -n 5 compare.log)"
        printf '%-34s %s\n' "make -j4 of zlib${strict:+, $strict}" "every path that strace sees is there"
    done
}

load_three() {
    export SOURCE_TAR=$work/source.tar
    fetch_source || { printf 'three builds at a time: left out: the source cannot be fetched here\n'; return; }
    local i jobs=()
    for i in 1 2 3; do
        set_up "at-$i"
    done
    for i in 1 2 3; do
        watch "three at a time, $i" "three-$i" make -j4 -C "at-$i/zlib" >"line-$i" &
        jobs+=($!)
    done
    wait "${jobs[@]}"
    cat line-1 line-2 line-3
    ! grep -q BAD line-1 line-2 line-3 || bad 'of three builds at a time'
}

[ $# -gt 0 ] || set -- tree threads ten-million build three
for name in "$@"; do
    case $name in
    tree | threads | ten-million | build | three) "load_${name//-/_}" ;;
    *) printf 'load: no load %s\n' "$name" >&2 && exit 2 ;;
    esac
done
[ "$failures" = 0 ] || { printf 'load: %d are bad\n' "$failures"; exit 1; }
echo 'load: all good'
