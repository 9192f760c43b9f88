#!/usr/bin/env bash
# Runs tests with our own programs under valgrind: what reads, writes or branches on memory that it must not,
# or loses memory for good, fails. What our programs start (watched commands, filetrace itself) runs as ever.
#   valgrind.sh BUILD_DIR [NAME...]      tests as ctest names them [all of unit, contract, golden and those of cli
#                                        that run tracetax or tracetax-report]
# Keeps what valgrind says in BUILD_DIR/valgrind. Exit status: 0 clean, 1 findings or failed tests, 2 wrong usage.
set -uo pipefail
[ $# -ge 1 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
shift
root=$(cd "$(dirname "$0")/.." && pwd)
out=$build/valgrind
rm -rf "$out"
mkdir -p "$out/bin" "$out/logs"

# An error ends a program with a status that none of ours has, so that every test notices.
check=(valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite
    --child-silent-after-fork=yes)
for program in "$build"/bin/*; do
    ln -s "$program" "$out/bin/"
done
for program in tracetax tracetax-report; do
    rm "$out/bin/$program"
    # shellcheck disable=SC2016 # the wrapper's own arguments
    printf '#!/bin/sh\nexec %s --log-file="%s/logs/%s.%%p" "%s" "$@"\n' "${check[*]}" "$out" "$program" \
        "$build/bin/$program" >"$out/bin/$program"
    chmod +x "$out/bin/$program"
done
# It makes a whole process of what shares memory until its exec: posix_spawn(3) cannot tell that an exec failed.
export UNDER_VALGRIND=1
export BIN=$out/bin SOURCE=$root TESTS=$root/tests TEST_BIN=$build/tests INSTRUMENTED=1

# run NAME: one test as ctest would, its programs under valgrind.
run() {
    local name=${1#*/}
    case $1 in
    unit/*) (cd "$out" && "${check[@]}" --log-file="$out/logs/$name.%p" "$build/tests/$name") ;;
    contract/*) (cd "$out" && "${check[@]}" --trace-children=yes --log-file="$out/logs/$name.%p" "$build/tests/$name") ;;
    golden/tables) "$root/tests/run-script" "$root/tests/golden/run" ;;
    golden/report) "$root/tests/run-script" "$root/tests/golden/report/run" ;;
    cli/*) "$root/tests/run-script" "$root/tests/cli/$name.sh" ;;
    *) printf 'no such test\n' && return 1 ;;
    esac
}

# Left out: the tests of the log, whose writer asks the processor for its number by an instruction (lsl) that valgrind lacks.
names=("$@")
if [ $# = 0 ]; then
    while IFS= read -r name; do
        [[ $name == unit/test_log* ]] || names+=("$name")
    done < <(ctest --test-dir "$build" -N -L 'unit|contract' | sed -nE 's/^ *Test +#[0-9]+: ((unit|contract)\/test_.*)/\1/p')
    names+=(golden/tables golden/report cli/compare cli/run cli/calibrate cli/report cli/table cli/html cli/options cli/engines)
fi
failed=() skipped=0
for name in "${names[@]}"; do
    run "$name" >"$out/said" 2>&1 </dev/null
    status=$?
    if [ "$status" = 77 ]; then
        skipped=$((skipped + 1))
        printf 'valgrind: %s: skipped: %s\n' "$name" "$(sed -n 's/^SKIPPED: //p' "$out/said")"
    elif [ "$status" != 0 ]; then
        cat "$out/said"
        printf 'valgrind: %s: exit status %d\n' "$name" "$status"
        failed+=("$name")
    fi
done
# A test that expects a failure may take valgrind's for it: what it wrote counts.
while IFS= read -r log; do
    cat "$log"
    failed+=("$(basename "$log")")
done < <(find "$out/logs" -type f -size +0)
printf 'valgrind: %d tests, %d skipped, %d failed or with findings\n' "${#names[@]}" "$skipped" "${#failed[@]}"
[ ${#failed[@]} = 0 ] || { printf 'valgrind: failed: %s\n' "${failed[*]}"; exit 1; }
