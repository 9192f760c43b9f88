# shellcheck shell=bash
# The injected libraries begin before all others: they need kernel32 alone. Needs OBJDUMP; LIBRARIES, their
# paths with '|' between.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

IFS='|' read -ra files <<<"$LIBRARIES"
[ ${#files[@]} -gt 0 ] || fail 'no library is named'
for library in "${files[@]}"; do
    "$OBJDUMP" -p "$library" >parts || fail "$library cannot be read"
    expect_equal "$(sed -n 's/^[[:space:]]*DLL Name: //p' parts | tr '[:upper:]' '[:lower:]')" kernel32.dll
done
finish
