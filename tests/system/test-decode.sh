# shellcheck shell=bash
# The length of each instruction of real programs, as objdump sees it and as we do.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
command -v objdump >/dev/null || skip "no objdump on this machine (binutils)"
for program in "$BIN/workload-static" "$BIN/filetrace" "$(command -v bash)"; do
    objdump -dw "$program" | "$TEST_BIN/decode_check" || fail "$program: not all instructions are decoded"
done
finish
