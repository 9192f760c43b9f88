# shellcheck shell=bash
# The workload on Windows: its command line, and that each operation does what it says.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

operations='open-close launch open-relative stat missing read-dir spawn open-close-wfopen open-close-wopen'
run "$BIN/workload" operations
expect_status 0
expect_equal "$(awk '{print $1}' out | tr '\n' ' ')" "$operations "

# The same words and statuses as elsewhere.
run "$BIN/workload" run files --operation dance
expect_status 2
expect_one_line err
expect_line err "^workload: --operation: there is no 'dance'"
run "$BIN/workload" run files --threads 65
expect_status 2
expect_line err "^workload: --threads: '65' is not a whole number from 1 to 64"
run "$BIN/workload" run nowhere
expect_status 1
expect_one_line err
expect_line err "^workload: open-close: cannot open nowhere/t00/file-000000: No such file or directory; run 'workload prepare nowhere' first$"

# 8,192 of 8,192, in a folder whose name is no ASCII.
folder='tést 日本'
run "$BIN/workload" prepare "$folder"
expect_status 0
expect_empty err
expect_equal "$(find "$folder" -type f | wc -l | tr -d ' ')" 8192
for operation in open-close open-close-wfopen open-close-wopen; do
    run "$BIN/workload" run "$folder" --operation "$operation"
    expect_status 0
    expect_empty err
done
run "$BIN/workload" paths "$folder"
expect_status 0
expect_equal "$(sort -u out | wc -l | tr -d ' ')" 8192
expect_line out '^[A-Z]:\\.*\\tést 日本\\t03\\file-002047$'
expect_no_line out '/'

# Small runs of the others; what is missing is named by all that touch it.
for operation in open-relative stat missing read-dir; do
    run "$BIN/workload" run "$folder" --operation "$operation" --threads 2 --files 12
    expect_status 0
    expect_empty err
done
run "$BIN/workload" run "$folder" --operation spawn --threads 2 --files 2
expect_status 0
rm "$folder/t01/file-000007"
for operation in open-close open-relative stat open-close-wfopen; do
    run "$BIN/workload" run "$folder" --operation "$operation" --threads 2 --files 12
    expect_status 1
    expect_one_line err
    expect_line err "t01/file-000007: No such file or directory; run 'workload prepare"
done
: >"$folder/t01/gone-000005"
run "$BIN/workload" run "$folder" --operation missing --threads 2 --files 12
expect_status 1
expect_line err 'this file must not be there .*t01/gone-000005: '
: >plain
run "$BIN/workload" prepare plain
expect_status 1
expect_line err 'cannot make the folder plain: Not a directory'
run "$BIN/workload" paths plain --operation open-relative --threads 1 --files 1
expect_status 1
expect_line err 'paths: plain: Not a directory'
run "$BIN/workload" paths files/../x/ --threads 1 --files 1
expect_line out '^[A-Z]:\\.*\\x\\t00\\file-000000$'
run "$BIN/workload" paths x --operation spawn
expect_line out '^[A-Z]:\\.*\\workload\.exe$'
finish
