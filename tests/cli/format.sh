# shellcheck shell=bash
# docs/format.md lists the operations and reasons that filetrace has, no more and no fewer.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

"$TEST_BIN/list_calls" >calls
sed -n '/^## Traces$/,$p' "$SOURCE/docs/format.md" >traces
[ -s traces ] || fail 'docs/format.md has no section about traces'

sed -n 's/^op //p' calls | sort >ops
sed -n '/Those of this version:$/,/^  and .unknown/p' traces | grep -v '^- \|^  and ' | tr -d '`' >lines
grep -o '[a-z0-9_]*' lines | sort >documented-ops
cmp -s ops documented-ops || fail "operations, here and in docs/format.md: $(diff ops documented-ops)"
expect_equal "$(sort -u ops | wc -l)" "$(wc -l <ops)"

# Reasons in their order: raw traces number them.
sed -n 's/^reason //p' calls >reasons
tr '`' @ <traces | sed -n '/^### Why a trace/,/^### Text/s/^| @\([a-z-]*\)@ |.*/\1/p' >documented-reasons
cmp -s reasons documented-reasons || fail "reasons, here and in docs/format.md: $(diff reasons documented-reasons)"

# The examples are what a reader gets: valid, and with each documented key.
sed -n 's/^    \({"type":.*\)/\1/p' traces >examples
expect_equal "$(wc -l <examples)" 3
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <examples || fail 'an example is not JSON'
fi
run "$BIN/filetrace" -f json -o made -- cat /dev/null /no/such
expect_status 1
for pattern in '^\{"type":"access","pid":[0-9]+,"op":"[a-z0-9_]+","access":\["read"\],"path":"/dev/null","error":null\}$' \
    '"path":"/no/such","error":"ENOENT"\}$'; do
    expect_line made "$pattern"
done
# A summary has the keys of the example, in its order.
keys() { grep '"type":"summary"' "$1" | grep -oE '"[a-z_]+":' | tr -d '\n'; }
expect_equal "$(keys made)" "$(keys examples)"
finish
