#!/usr/bin/env bash
# Checks the format, and reads the code with clang-tidy, cppcheck and shellcheck.
#   lint.sh
# All of them run, so that one pass shows everything. Exit status: 0 clean, 1 findings.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
failed=()

# check NAME COMMAND...: its words are shown only when it fails.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        printf 'lint: %s: clean\n' "$name"
    else
        printf '%s\nlint: %s: findings\n' "$output" "$name"
        failed+=("$name")
    fi
}

# What is in git or about to be: the sources that this machine compiles are those that
# compile_commands.json names.
mapfile -t c_files < <(git ls-files --cached --others --exclude-standard '*.[ch]')
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard |
    while IFS= read -r file; do
        [ -f "$file" ] || continue
        case $(head -c 64 "$file" | tr -d '\0' | head -n 1) in
        '#!'*bash* | '#!/bin/sh'* | '# shellcheck shell='*) printf '%s\n' "$file" ;;
        esac
    done)

cmake --preset test >/dev/null || exit 1
mapfile -t compiled < <(sed -nE 's|^ *"file": "'"$PWD"'/(.*)".*|\1|p' build/test/compile_commands.json | sort -u)

# shellcheck disable=SC2317 # called by check
tidy() {
    # Its count of warnings in system headers is no finding.
    printf '%s\0' "${compiled[@]}" |
        xargs -0 -n 4 -P "$jobs" clang-tidy -p build/test --quiet 2>/dev/null
}

check clang-format clang-format --dry-run -Werror "${c_files[@]}"
check shellcheck shellcheck -x "${scripts[@]}"
check cppcheck cppcheck --quiet -j "$jobs" --error-exitcode=1 --inline-suppr \
    --enable=warning,performance,portability --suppress=missingIncludeSystem \
    -I . -D_GNU_SOURCE -D__linux__ -DWL_VERSION='""' "${compiled[@]}"
check clang-tidy tidy

[ ${#failed[@]} -eq 0 ] && exit 0
printf 'lint: failed: %s\n' "${failed[*]}"
exit 1
