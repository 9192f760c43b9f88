# shellcheck shell=bash
# Every fault has a test: faults.tsv names it, and it is there and is run.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
table=$TESTS/contract/faults.tsv
words='403-retry-after 403 429-retry-after 429 5xx 5xx-for-ever dropped broken-off cut-json post-unanswered
    post-502 lag patch-404 artifact-410 locked closed moved-on read-only two-reporters older-attempt back-off
    20-requests total-time exit-0 exit-1 exit-2 exit-3-permission exit-3-api exit-3-no-result summary'

declare -A contents

# load FILE: its text into contents, once.
load() { [ -n "${contents[$1]+x}" ] || contents[$1]=$(<"$TESTS/$1"); }

# has_test FILE NAME: defined and, in C, in the list of the tests that main() runs.
has_test() {
    local text=${contents[$1]}
    case $1 in
    *.c) [[ $text == *"static void $2(void **"* && ($text == *"CASE($2)"* || $text == *"unit_test($2)"*) ]] ;;
    *) [[ $text == *"$2"* ]] ;;
    esac
}

# check TABLE: prints what is missing.
check() {
    local key fault file name lists
    local -A count
    while IFS=$'\t' read -r key fault file name; do
        case $key in '#'*) continue ;; esac
        count[$key]=$((${count[$key]:-0} + 1))
        [ -n "$name" ] || { echo "$key ($fault): no test is named"; continue; }
        [ -f "$TESTS/$file" ] || { echo "$key: no file $file"; continue; }
        load "$file"
        has_test "$file" "$name" || echo "$key: $file has no $name"
        lists=${file%/*}/CMakeLists.txt
        load "$lists"
        name=${file##*/}
        [[ ${contents[$lists]} == *"${name%.c}"* ]] || echo "$key: $file is not run"
    done <"$1"
    for key in {1..36} $words; do
        [ "${count[$key]:-0}" = 1 ] || echo "$key does not stand there exactly once"
    done
}

check "$table" >missing
[ -s missing ] && fail "faults.tsv: $(cat missing)"

# The check itself must find what is missing.
grep -v '^24	' "$table" >without.tsv
check without.tsv >missing
expect_line missing '^24 does not stand there'
sed 's/token_is_not_sent_to_storage/no_such_test/' "$table" >renamed.tsv
check renamed.tsv >missing
expect_line missing '^24: contract/test_faults.c has no no_such_test'
finish
