# shellcheck shell=bash
# The injected library wraps exactly what calls.def names, all of it exists in libc, and libc has
# nothing else that takes a path.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

for tool in nm readelf ldd getconf; do
    command -v "$tool" >/dev/null || skip "no $tool here"
done
version=$(getconf GNU_LIBC_VERSION 2>/dev/null) || skip 'the C library is not glibc'
version=${version#* }
library=$BIN/libfiletrace-preload.so
libc=$(ldd "$TEST_BIN/list_calls" | sed -nE 's/^.*libc\.so\.6 => ([^ ]+) .*$/\1/p')
[ -r "$libc" ] || fail "ldd does not say where libc.so.6 is: '$libc'"
loader=$(ldd "$TEST_BIN/list_calls" | sed -nE 's/^[[:space:]]*([^ ]*\/ld-[^ ]+) .*$/\1/p')
[ -r "$loader" ] || fail "ldd does not say where the loader is: '$loader'"

# expect_no_name FILE WHAT: a name too many is a line in FILE.
expect_no_name() {
    [ -s "$1" ] || return
    fail "$2: $(tr '\n' ' ' <"$1")"
}

# names KIND: what calls.def holds.
names() { sed -n "s/^$1 //p" calls | sort; }

"$TEST_BIN/list_calls" >calls
names wrapped >wrapped.txt
names helper >helpers.txt
expect_no_name <(uniq -d wrapped.txt) 'twice in calls.def'
[ "$(wc -l <wrapped.txt)" -gt 100 ] || fail "calls.def wraps only $(wc -l <wrapped.txt) functions"

# What libc exports: all versions of every function, without what its own parts share.
# (Its loader exports a few variables for it.)
nm -D --defined-only "$libc" "$loader" | awk '$2 != "A" && $3 !~ /@GLIBC_PRIVATE$/ { sub(/@.*/, "", $3); print $3 }' | sort -u >symbols
nm -D --defined-only "$libc" | awk '$2 ~ /^[TWi]$/ && $3 !~ /@GLIBC_PRIVATE$/ { sub(/@.*/, "", $3); print $3 }' | sort -u >functions
[ "$(wc -l <functions)" -gt 1500 ] || fail "$libc exports only $(wc -l <functions) functions"

# Every wrapped name is one of libc's, or of a newer one's.
grep -v '^#' "$TESTS/system/libc-names.tsv" | while IFS=$'\t' read -r name since; do
    [ "$(printf '%s\n' "$version" "$since" | sort -V | head -n 1)" = "$since" ] || echo "$name"
done | sort >newer
sort -u wrapped.txt helpers.txt >needed
comm -23 needed symbols | comm -23 - newer >missing
expect_no_name missing "libc $version lacks what calls.def names"

# The library exports the wrapped names, no more and no less.
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >exported.txt
comm -13 wrapped.txt exported.txt >surplus
comm -23 wrapped.txt exported.txt >lacking
expect_no_name surplus 'exported and not in calls.def'
expect_no_name lacking 'in calls.def and not exported'

# It needs nothing: ld.so has next to nothing to do for it at the start of each process.
expect_equal "$(nm -D --undefined-only "$library" | awk '{ print $2 }')" _r_debug
relocations=$(readelf -r -W "$library" | grep -c ' R_')
[ "$relocations" -le 10 ] || fail "$relocations relocations instead of at most 10"
readelf -d -W "$library" >dynamic
expect_no_line dynamic '\(NEEDED\)'
expect_no_line dynamic '\(TEXTREL\)'

# Every function of libc is wrapped or known to take no path.
list=$SOURCE/tracer/no-path.txt
grep -v '^#' "$list" | cut -f 1 >no-path
LC_ALL=C sort -c -u no-path 2>order || fail "no-path.txt is not sorted: $(cat order)"
comm -12 no-path wrapped.txt >both
expect_no_name both 'in calls.def and in no-path.txt'
comm -23 functions wrapped.txt | comm -23 - no-path >neither
expect_no_name neither "libc $version exports, and neither calls.def nor no-path.txt has"
grep -v '^#' "$list" | awk -F '\t' 'NF > 2 || (NF == 2 && $2 == "") || $1 !~ /^[A-Za-z0-9_]+$/' >wrong
expect_empty wrong
finish
