# shellcheck shell=bash
# scripts/run-tests.sh counts what ctest did, and lets no unexpected skip pass.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

mkdir scripts tests build
cp "$SOURCE/scripts/run-tests.sh" scripts/

# tests_are NAME:STATUS...: a build folder whose tests end so.
tests_are() {
    local one
    rm -rf build/*
    for one in "$@"; do
        printf 'add_test(%s "%s" "-c" "echo SKIPPED: no %s here; exit %s")\n' \
            "${one%:*}" "$(command -v bash)" "${one%:*}" "${one#*:}"
        printf 'set_tests_properties(%s PROPERTIES SKIP_RETURN_CODE 77)\n' "${one%:*}"
    done >build/CTestTestfile.cmake
}
last_line() { tail -n 1 out; }

: >tests/skips.txt
tests_are unit/a:0 cli/b:0
run scripts/run-tests.sh build
expect_status 0
expect_equal "$(last_line)" '2 passed, 0 failed, 0 skipped'

tests_are unit/a:0 cli/b:3 a-test-with-a-name-that-is-so-long-that-ctest-prints-no-row-of-dots-behind-it:1
run scripts/run-tests.sh build
expect_status 1
expect_equal "$(last_line)" '1 passed, 2 failed, 0 skipped'

tests_are unit/a:0 cli/b:77
run scripts/run-tests.sh build
expect_status 1
expect_line out '^skipped: cli/b: no cli/b here \(NOT EXPECTED by tests/skips.txt\)$'
expect_equal "$(last_line)" '1 passed, 0 failed, 1 skipped'

printf '# comment\ncli/b\tanother reason\n' >tests/skips.txt
run scripts/run-tests.sh build
expect_status 1

printf 'cli/b\tno cli/b\n' >>tests/skips.txt
run scripts/run-tests.sh build
expect_status 0
expect_line out '^skipped: cli/b: no cli/b here \(expected\)$'
expect_equal "$(last_line)" '1 passed, 0 failed, 1 skipped'

# No test at all is no success.
tests_are
run scripts/run-tests.sh build
expect_status 1

# The real list is well-formed.
awk -F '\t' '!/^#/ && (NF != 2 || $1 == "" || $2 == "") { print NR ": " $0 }' "$SOURCE/tests/skips.txt" >wrong
expect_empty wrong
finish
