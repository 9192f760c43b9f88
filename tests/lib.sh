# shellcheck shell=bash
# Checks for the test scripts. A failed check is printed and the script goes on;
# its last line is `finish`.
failures=0

# shown NAME VALUE: one line for a failure report.
shown() { printf '    %s: %s\n' "$1" "$2"; }

fail() {
    failures=$((failures + 1))
    printf 'FAILED at line %s: %s\n' "${BASH_LINENO[1]:-?}" "$1"
}

# run COMMAND [ARG...]: leaves $status, and the files out and err.
run() {
    "$@" >out 2>err </dev/null
    status=$?
}

expect_status() {
    [ "$status" = "$1" ] && return
    fail "exit status $status instead of $1"
    shown out "$(head -c 2000 out)"
    shown err "$(head -c 2000 err)"
}

# expect_line FILE REGEX: some line of FILE matches.
expect_line() {
    grep -qE -- "$2" "$1" && return
    fail "no line of $1 matches: $2"
    shown "$1" "$(head -c 2000 "$1")"
}

expect_no_line() {
    grep -qE -- "$2" "$1" || return
    fail "a line of $1 matches: $2"
    shown "$1" "$(grep -E -- "$2" "$1" | head -c 500)"
}

# expect_one_line FILE: exactly one line, as each error message must be.
expect_one_line() {
    [ "$(wc -l <"$1")" = 1 ] && return
    fail "$1 holds $(wc -l <"$1") lines instead of 1"
    shown "$1" "$(head -c 2000 "$1")"
}

expect_equal() {
    [ "$1" = "$2" ] && return
    fail "got '$1' instead of '$2'"
}

expect_empty() {
    [ -s "$1" ] || return
    fail "$1 is not empty"
    shown "$1" "$(head -c 2000 "$1")"
}

# bears_address_limit: can what was built be run under `ulimit -v`? AddressSanitizer reserves terabytes.
bears_address_limit() {
    [ "$INSTRUMENTED" = 0 ] || (ulimit -v 2000000 && exec "$BIN/filetrace" --version) >/dev/null 2>&1 ||
        { echo 'left out: a limit on addresses, which the instrumented programs do not bear'; return 1; }
}

skip() {
    printf 'SKIPPED: %s\n' "$1"
    exit 77
}

finish() {
    [ "$failures" = 0 ] || { printf '%s checks failed\n' "$failures"; exit 1; }
    exit 0
}
