# shellcheck shell=bash
# 8,192 of 8,192: every file that four threads open stands in the trace, whichever way they open it.
# Needs WORKLOAD, as Windows names it.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

run "$BIN/workload" prepare files
expect_status 0
"$BIN/workload" paths files | sort -u >opened
expect_equal "$(wc -l <opened | tr -d ' ')" 8192

for operation in open-close open-close-wfopen open-close-wopen; do
    if [ "$operation" = open-close ]; then
        run "$BIN/filetrace" -f raw -o trace -- "$WORKLOAD" run files --operation "$operation"
        expect_status 0
        run "$BIN/filetrace" print -f json -o json trace
    else
        run "$BIN/filetrace" -f json -o json -- "$WORKLOAD" run files --operation "$operation"
    fi
    expect_status 0
    expect_empty err
    sed -nE 's/.*"access":\["read"\],"path":"([^"]*\\file-[0-9]+)","error":null\}/\1/p' json |
        sed 's/\\\\/\\/g' | sort -u >recorded
    expect_equal "$(comm -23 opened recorded | head -n 3)" ''
    expect_line json '^\{"type":"summary".*"lost":0,"processes":1,"complete":true,"guarantee":"calls","incomplete_because":\[\],"root_exit":\{"code":0\}\}$'
    echo "$operation: $(comm -12 opened recorded | wc -l | tr -d ' ') of 8192"
done
finish
