# shellcheck shell=bash
# The workload's command line, and what each operation really does.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# Each operation; a new one must be added here and to the table of system calls below.
operations='open-close launch open-relative stat missing read-dir spawn spawn-fork'

# How the two are linked: the static one must have no interpreter.
command -v readelf >/dev/null || { echo 'readelf is needed: install binutils'; exit 1; }
readelf -lW "$BIN/workload" >dynamic.elf
readelf -lW "$BIN/workload-static" >static.elf
expect_line dynamic.elf 'INTERP'
expect_line dynamic.elf 'Requesting program interpreter'
expect_no_line static.elf 'INTERP'
readelf -dW "$BIN/workload-static" >static.dynamic
expect_no_line static.dynamic 'NEEDED'

run "$BIN/workload" --help
expect_status 0
expect_empty err
for option in --operation --threads --files --help --version; do
    expect_line out "^ +$option"
done
[ "$(wc -l <out)" -le 24 ] || fail 'the help does not fit a screen'
run "$BIN/workload" --version
expect_status 0
expect_line out '^workload [0-9]+\.[0-9]+\.[0-9]+$'

run "$BIN/workload" operations
expect_status 0
expect_equal "$(awk '{print $1}' out | tr '\n' ' ')" "$operations "

# Wrong usage: exit 2 and one line that names what is wrong.
wrong() {
    local reason=$1
    shift
    run "$BIN/workload" "$@"
    expect_status 2
    expect_empty out
    expect_one_line err
    expect_line err "^workload: .*$reason"
}
wrong 'a command is missing'
wrong 'dance: no such command' dance
wrong 'exactly one folder' run
wrong 'exactly one folder' run ''
wrong 'exactly one folder' prepare a b
wrong 'operations: no such command' operations extra
wrong '--files: its value is missing' run files --files
wrong '--fast: no such option' run files --fast
wrong '-y: no such option' run files -yz
wrong "there is no 'dance'" run files --operation dance
for value in 0 65 -1 1e9 5x '' ' 1' 99999999999999999999999; do
    wrong "--threads: '$value' is not a whole number from 1 to 64" run files "--threads=$value"
done
for value in 0 100001 -1 18446744073709551617; do
    wrong "--files: '$value' is not a whole number from 1 to 100000" run files "--files=$value"
done

# A missing file is one line that says what to do.
run "$BIN/workload" run nowhere
expect_status 1
expect_one_line err
expect_line err "^workload: open-close: cannot open nowhere/t00/file-000000: No such file or directory; run 'workload prepare nowhere' first$"

# Small runs of each, from both programs.
small='--threads 3 --files 12'
# shellcheck disable=SC2086 # one word holds several arguments
run "$BIN/workload" prepare files $small
expect_status 0
expect_empty out
expect_empty err
expect_equal "$(find files -type f | wc -l)" 36
expect_equal "$(find files -type d -name 'dir-*' | wc -l)" 36
# shellcheck disable=SC2086 # one word holds several arguments
run "$BIN/workload" prepare "$PWD/files" $small
expect_status 0
for program in workload workload-static; do
    for operation in $operations; do
        # shellcheck disable=SC2086 # one word holds several arguments
        run "$BIN/$program" run files $small --operation "$operation"
        expect_status 0
        expect_empty out
        expect_empty err
    done
done

# Only what one operation needs.
run "$BIN/workload" prepare folders --operation read-dir --threads 1 --files 2
expect_status 0
expect_equal "$(find folders | sort | tr '\n' ' ')" 'folders folders/t00 folders/t00/dir-000000 folders/t00/dir-000001 '

# Failures in the middle, of each way of touching a file.
rm files/t02/file-000007
for operation in open-close stat open-relative; do
    # shellcheck disable=SC2086 # one word holds several arguments
    run "$BIN/workload-static" run files $small --operation "$operation"
    expect_status 1
    expect_one_line err
    expect_line err "t02/file-000007: No such file or directory; run 'workload prepare files --threads 3 --files 12' first$"
done
rmdir files/t01/dir-000003
# shellcheck disable=SC2086 # one word holds several arguments
run "$BIN/workload" run files $small --operation read-dir
expect_status 1
expect_one_line err
expect_line err 'read-dir: cannot open the folder files/t01/dir-000003: No such file'
: >files/t01/gone-000005
# shellcheck disable=SC2086 # one word holds several arguments
run "$BIN/workload" run files $small --operation missing
expect_status 1
expect_one_line err
expect_line err 'missing: this file must not be there files/t01/gone-000005'
run "$BIN/workload" run nowhere --operation open-relative --threads 1
expect_status 1
expect_one_line err
expect_line err "cannot enter nowhere: No such file or directory; run 'workload prepare nowhere --threads 1 --files 2048' first$"
: >plain
run "$BIN/workload" run plain --operation open-relative
expect_status 1
expect_one_line err
expect_line err 'cannot enter plain: Not a directory$'
run "$BIN/workload" prepare plain
expect_status 1
expect_one_line err
expect_line err 'cannot make the folder plain: Not a directory'
run "$BIN/workload" prepare $'new\nline/below'
expect_status 1
expect_one_line err
expect_line err 'new\?line/below'
long=$(printf '%04100d' 0)
run "$BIN/workload" run "$long"
expect_status 1
expect_one_line err
expect_line err 'File name too long'

# What a watcher must see, as absolute and normal paths.
run "$BIN/workload" paths "./files/../files//" --threads 2 --files 11
expect_status 0
expect_empty err
expect_equal "$(wc -l <out)" 22
expect_equal "$(head -n 1 out)" "$PWD/files/t00/file-000000"
expect_equal "$(tail -n 1 out)" "$PWD/files/t01/file-000010"
expect_equal "$(sort -u out | wc -l)" 22
run "$BIN/workload" paths /nowhere
expect_status 0
expect_equal "$(wc -l <out)" 8192
expect_equal "$(tail -n 1 out)" /nowhere/t03/file-002047
run "$BIN/workload" paths / --threads 1 --files 1
expect_equal "$(cat out)" /t00/file-000000
run "$BIN/workload" paths /../.. --threads 1 --files 1
expect_equal "$(cat out)" /t00/file-000000
run "$BIN/workload" paths files --threads 1 --files 1 --operation missing
expect_equal "$(cat out)" "$PWD/files/t00/gone-000000"
run "$BIN/workload" paths files --threads 1 --files 1 --operation read-dir
expect_equal "$(cat out)" "$PWD/files/t00/dir-000000"
ln -s files link
run "$BIN/workload" paths link --threads 1 --files 1 --operation open-relative
expect_equal "$(cat out)" "$(pwd -P)/files/t00/file-000000"
run "$BIN/workload" paths files --operation launch
expect_status 0
expect_empty out
run "$BIN/workload-static" paths files --operation spawn
expect_equal "$(cat out)" "$(cd "$BIN" && pwd -P)/workload-static"
run "$BIN/workload" paths $'a\nb'
expect_status 1
expect_one_line err
run "$BIN/workload" paths nowhere --operation open-relative
expect_status 1
expect_one_line err
expect_line err 'paths: nowhere: No such file or directory'
if [ -e /dev/full ]; then
    "$BIN/workload" paths files >/dev/full 2>err
    status=$?
    expect_status 1
    expect_line err 'cannot write standard output: No space left'
fi

# What the runs do, by what the kernel was asked for.
if [ "$INSTRUMENTED" = 0 ] && strace -o probe true 2>/dev/null; then
    "$BIN/workload" prepare files --threads 3 --files 12
    rm -f files/t01/gone-000005
    count() { grep -cE -- "$1" trace; }
    for program in workload workload-static; do
        traced() {
            rm -f trace trace.*
            # A file a thread, so that no call is split by another thread's.
            run strace -ff -qq -s 4096 -o trace "$BIN/$program" run "$PWD/files" --operation "$@"
            expect_status 0
            cat trace.* >trace
        }
        traced open-close --threads 3 --files 12
        expect_equal "$(count 'openat?\(.*/t0[0-2]/file-0000[01][0-9]", O_RDONLY\|O_CLOEXEC')" 36
        "$BIN/$program" paths files --threads 3 --files 12 | sort >expected
        grep -oE '"[^"]*/t0[0-9]/file-[0-9]+"' trace | tr -d '"' | sort >seen
        cmp -s expected seen || fail "$program: the paths opened are not those that it lists"
        traced open-relative --threads 3 --files 12
        expect_equal "$(count 'chdir\(')" 1
        expect_equal "$(count 'openat?\((AT_FDCWD, )?"t0[0-2]/file-0000[01][0-9]"')" 36
        traced stat --threads 3 --files 12
        expect_equal "$(count 'stat.*/t0[0-2]/file-0000[01][0-9]"')" 36
        expect_equal "$(count 'open.*/t0[0-2]/')" 0
        traced missing --threads 3 --files 12
        expect_equal "$(count 'openat?\(.*/t0[0-2]/gone-0000[01][0-9]".*ENOENT')" 36
        traced read-dir --threads 3 --files 12
        expect_equal "$(count 'openat?\(.*/t0[0-2]/dir-0000[01][0-9]".*O_DIRECTORY')" 36
        traced launch
        expect_equal "$(count '/t0[0-9]/')" 0
        traced spawn --threads 3
        expect_equal "$(count 'execve\(.*"nothing"\]')" 100
        traced spawn-fork --threads 3 --files 2
        expect_equal "$(count 'execve\(.*"nothing"\]')" 6
    done
else
    echo 'not checked with strace: it cannot trace here, or this build is instrumented'
fi
finish
