# shellcheck shell=bash
# shellcheck disable=SC2016 # names hold dollars
# The tables of what is interposed on macOS: each shared name has its row, no name is there twice, and the operations
# are documented.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

for cpu in arm64 x86_64; do
    "$TEST_BIN/list_interposed" "$cpu" >"names-$cpu" || fail 'list_interposed failed'
done
sed -nE 's/^#define FT_ON_MACOS_([A-Za-z0-9_]+) , 1$/_\1/p' "$SOURCE/tracer/macos/shared.h" >shared
[ "$(wc -l <shared)" -gt 40 ] || fail 'tracer/macos/shared.h lists no names'
while read -r name; do
    grep -qx -- "$name" names-arm64 || fail "tracer/macos/shared.h lists $name, which has no row in tracer/calls.def"
done <shared
for cpu in arm64 x86_64; do
    expect_equal "$(sort "names-$cpu" | uniq -d | tr '\n' ' ')" ''
    # The issue's own list: what a tracer of this kind must have.
    for name in open openat 'open$NOCANCEL' 'openat$NOCANCEL' 'fopen$DARWIN_EXTSN' 'realpath$DARWIN_EXTSN' getattrlist \
        getattrlistbulk clonefile copyfile exchangedata renamex_np realpath dlopen posix_spawn posix_spawnp execve execv \
        execvp execl execle execlp system popen syscall unlink rename; do
        grep -qxF -- "_$name" "names-$cpu" || fail "$cpu: $name is not interposed"
    done
done
for name in stat lstat opendir scandir fts_open; do
    expect_line names-x86_64 "^_$name\\\$INODE64\$"
    expect_line names-arm64 "^_$name\$"
    expect_no_line names-arm64 'INODE64'
done

"$TEST_BIN/list_calls" | sed -n 's/^macos-op //p' | sort >ops
sed -n '/^  On macOS these, too:$/,/^- /p' "$SOURCE/docs/format.md" | sed '1d;$d' | grep -o '[a-z0-9_]*' | sort >documented
cmp -s ops documented || fail "operations of macOS, here and in docs/format.md: $(diff ops documented)"
finish
