#!/usr/bin/env bash
# Builds libraries for another system from the sources that this system's own package archive has, with a CMake toolchain
# file, statically. What is there already is left alone.
#   cross-libraries.sh TOOLCHAIN FOLDER LIBRARY...   LIBRARY: jansson
# They are installed in FOLDER; beside it sources are kept, and what CMake found out about the target, which the next
# folder of the same toolchain file takes over: only processors with C types of the same sizes belong side by side.
# Needs apt, dpkg-dev, cmake and ninja, and the variables that the toolchain file needs.
# Exit status: 0 done, 1 something failed, 2 wrong usage, 3 a source could not be had.
set -euo pipefail
say() { printf 'cross-libraries: %s\n' "$*" >&2; }
[ $# -ge 3 ] || { say 'usage: cross-libraries.sh TOOLCHAIN FOLDER LIBRARY...'; exit 2; }
toolchain=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
sources=$(dirname "$folder")/sources
shift 2

# The archive's lists of sources, in a folder of ours: the system's own set-up is not touched.
open_archive() {
    local apt=$work/apt list
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -e "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/sources/$(basename "$list")"
    done
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$list" ] && sed -n 's/^deb\([[:blank:]]\)/deb-src\1/p' "$list" >"$apt/sources/$(basename "$list")"
    done
    printf '%s\n' 'Dir::Etc::sourcelist "/dev/null";' "Dir::Etc::sourceparts \"$apt/sources\";" \
        "Dir::State::lists \"$apt/lists\";" "Dir::Cache \"$apt/cache\";" 'APT::Sandbox::User "";' >"$apt/apt.conf"
    export APT_CONFIG=$apt/apt.conf
    apt-get update -q >&2 || say 'apt-get update failed in part; trying with the lists that came'
}

# fetch LIBRARY: its source in $work/LIBRARY.
fetch() {
    if [ ! -e "$sources/$1.whole" ]; then
        mkdir -p "$sources"
        [ -n "${APT_CONFIG:-}" ] || open_archive
        (cd "$sources" && apt-get source -q --download-only "$1" >&2) || {
            say "the archive gave no source of $1: is there a network?"
            exit 3
        }
        : >"$sources/$1.whole"
    fi
    dpkg-source --no-check -x "$sources/$1"_*.dsc "$work/$1" >&2
}

# The options of each that leave only the library.
options() {
    case $1 in
    jansson) printf '%s\n' -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_BUILD_SHARED_LIBS=OFF ;;
    *)
        say "no library '$1'; there is jansson"
        return 2
        ;;
    esac
}

give_up() {
    cat "$work/log" >&2
    exit 1
}

work=$(mktemp -d "$folder/making.XXXXXX")
trap 'rm -rf "$work"' EXIT
for library in "$@"; do
    arguments=$(options "$library")
    name=$library-$( (cat "$toolchain" && printf '%s' "$arguments") | sha256sum | cut -c1-12)
    mark=$folder/.made-$name
    [ -e "$mark" ] && continue
    checks=$(dirname "$folder")/$name.cmake
    [ -e "$checks" ] && arguments="$arguments -C$checks"
    fetch "$library"
    # cmake 4 refuses what jansson says that it needs
    # shellcheck disable=SC2086 # words
    cmake -G Ninja -S "$work/$library" -B "$work/$library-build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_INSTALL_LIBDIR=lib \
        -DCMAKE_POLICY_VERSION_MINIMUM=3.5 $arguments >"$work/log" 2>&1 || give_up
    cmake --build "$work/$library-build" --target install >>"$work/log" 2>&1 || give_up
    sed -nE '/^CMAKE_/!s/^([A-Z][A-Za-z0-9_]*):INTERNAL=(.*)/set(\1 "\2" CACHE INTERNAL "")/p' \
        "$work/$library-build/CMakeCache.txt" >"$checks"
    : >"$mark"
done
