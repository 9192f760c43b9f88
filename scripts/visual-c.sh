#!/usr/bin/env bash
# Reads what is built for Windows as Visual C++ would, as far as clang and mingw-w64's headers can tell: no
# extension of GNU's and no name of POSIX's, but for strdup(), which Visual C++ has too.
#   visual-c.sh    exit status: 0 clean, 1 findings, 3 clang or mingw-w64's headers are missing
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
libraries=build/windows-libraries/root/include
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
headers=$(echo '#include <windows.h>' | x86_64-w64-mingw32-gcc -M -x c - 2>/dev/null |
    tr " " "\n" | sed -n "s|/windows\.h$||p")
if ! command -v clang >/dev/null || [ -z "$headers" ]; then
    echo 'visual-c: clang or the headers of mingw-w64 are missing' >&2
    exit 3
fi

# What each system has, and of the tracer what each system's has.
folders='common workload'
if [ -e "$libraries/jansson.h" ]; then
    folders+=' harness'
else
    echo "visual-c: harness/ is left out: no jansson.h in $libraries"
fi
# shellcheck disable=SC2086 # names of folders
sources=$(find $folders tracer/windows -name '*.c' ! -name '*_linux.c' ! -name '*_macos.c' ! -name '*_posix.c')
tracer=$(sed -n 's/^set(TRACER_SOURCES_COMMON \(.*\))$/\1/p' tracer/CMakeLists.txt)
for name in main.c $tracer; do
    sources+=$'\n'tracer/$name
done

# Without __clang__ compiler.h takes what it has for Visual C++. Errors within mingw-w64's headers, which are
# for another compiler, do not count; what they then do not declare would.
visual=(--target=x86_64-pc-windows-msvc -fms-compatibility-version=19.30 -U__clang__ -std=c17 -fsyntax-only
    -ferror-limit=0 -Wall -Wno-unknown-pragmas -Wno-macro-redefined -DNO_OLDNAMES -Dstrdup=_strdup -D_CRT_RAND_S
    -D_WIN32_WINNT=0x0A00 -DWIN32_LEAN_AND_MEAN -DNOMINMAX '-DTRACETAX_VERSION="0"' '-DWL_VERSION="0"'
    "-I$PWD" "-I$PWD/common/windows" "-I$PWD/tests/lint/visual-c" -isystem "$libraries" -isystem "$headers")
mkdir -p "$work/harness" && echo '#define TT_VERSION "0"' >"$work/harness/version.h"

# look FILE...: prints what is found in files of ours.
look() {
    local file
    for file in "$@"; do
        clang "${visual[@]}" "-I$work" "$file" 2>&1 | grep -E "^($PWD|\./|${file%/*}|$work/).*: (error|warning):"
    done
    return 0
}

# It sees what it is there for.
printf '%s\n' '#include <string.h>' 'int f(const char *p);' \
    'int f(const char *p) { return strcasecmp(p, "x"); }' >"$work/bad.c"
look "$work/bad.c" | grep -q strcasecmp || { echo 'visual-c: finds nothing where it should'; exit 1; }

found=$work/found
# shellcheck disable=SC2086 # one name a word
look $sources >"$found"
cat "$found"
[ ! -s "$found" ]
