#!/usr/bin/env bash
# Checks the format, and reads the code with clang-tidy, cppcheck and shellcheck, what is built for Windows
# with clang in the place of Visual C++ (visual-c.sh), and the workflows with the
# readers of tests/lint. What waives a finding must say why.
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

# Sources are what git knows or is about to know; compiled are those that this machine builds.
c_files=() scripts=() compiled=()
while IFS= read -r file; do
    [ -f "$file" ] || continue
    case $file in *.[ch]) c_files+=("$file") ;; esac
    case $(head -c 64 "$file" | tr -d '\0' | head -n 1) in
    '#!'*bash* | '#!/bin/sh'* | '# shellcheck shell='*) scripts+=("$file") ;;
    esac
done < <(git ls-files --cached --others --exclude-standard)

cmake --preset test >/dev/null || exit 1
while IFS= read -r file; do
    compiled+=("$file")
done < <(sed -nE 's|^ *"file": "'"$PWD"'/(.*)".*|\1|p' build/test/compile_commands.json | sort -u)

# shellcheck disable=SC2317 # called by check
tidy() {
    printf '%s\0' "${compiled[@]}" |
        xargs -0 -n 4 -P "$jobs" clang-tidy -p build/test --quiet
}

# A waiver without a reason on its line or the one above it: NOLINT, cppcheck-suppress, shellcheck disable.
# shellcheck disable=SC2317 # called by check
waivers() {
    awk 'FNR == 1 { before = "" }
        /shellcheck disable=[A-Z]/ && !/shellcheck disable=[A-Z0-9,]+ +#/ { print FILENAME ":" FNR ": " $0; found = 1 }
        /NOLINT|cppcheck-suppress/ && !/NOLINTEND/ &&
            (before $0) !~ /[a-z]+ [a-z]+ [a-z]+/ { print FILENAME ":" FNR ": " $0; found = 1 }
        { before = $0 }
        END { exit found }' "${c_files[@]}" "${scripts[@]}"
}

check waivers waivers
check workflows scripts/lint-workflows.sh
check workflow-rules tests/lint/test.sh
check clang-format clang-format --dry-run -Werror "${c_files[@]}"
check shellcheck shellcheck -x "${scripts[@]}"
# cppcheck knows neither the processor nor the C library's headers. The programs of tests/system allocate
# only to see whether that works; those of tests/fuzz end where a property does not hold, which it does not see.
check cppcheck cppcheck --quiet -j "$jobs" --error-exitcode=1 --inline-suppr \
    --enable=warning,performance,portability --suppress=missingIncludeSystem \
    -D__x86_64__ -DEFAULT=14 '-DElfW(type)=Elf64_##type' \
    --suppress='leakReturnValNotUsed:*tests/system/programs/*' \
    --suppress='nullPointerRedundantCheck:*tests/fuzz/*' \
    --suppress='nullPointerArithmeticRedundantCheck:*tests/fuzz/*' \
    --project=build/test/compile_commands.json
check visual-c scripts/visual-c.sh
check clang-tidy tidy

[ ${#failed[@]} -eq 0 ] && exit 0
printf 'lint: failed: %s\n' "${failed[*]}"
exit 1
