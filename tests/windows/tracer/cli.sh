# shellcheck shell=bash
# The command line of filetrace.exe: the same options, messages and statuses as elsewhere.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

run "$BIN/filetrace" -f json -o trace -- cmd.exe /c exit 7
expect_status 7
expect_empty err
expect_line trace '"op":"NtCreateUserProcess","access":\["read"\],"path":"[A-Z]:\\\\.*\\\\cmd.exe","error":null\}$'
expect_line trace '"op":"loader","access":\["read"\],"path":"[A-Z]:\\\\.*\\\\ntdll.dll"'
expect_line trace '"complete":true,.*"root_exit":\{"code":7\}\}$'
expect_equal "$(find . -name 'trace*' | wc -l | tr -d ' ')" 1

run "$BIN/filetrace" -f nul -o - -- cmd.exe /c echo hello
expect_status 0
expect_equal "$(tr '\000\015' '[\n*]' <out | grep -c '^hello$')" 1
expect_equal "$(tr -d -c '\0' <out | wc -c | awk '{ print ($1 > 3) && $1 % 3 == 0 }')" 1

run "$BIN/filetrace" -f text -o nowhere/trace -- cmd.exe /c exit 0
expect_status 125
expect_one_line err

run "$BIN/filetrace" -- no-such-program
expect_status 127
expect_one_line err
expect_line err '^filetrace: cannot run no-such-program: No such file or directory$'
echo 'no program' >text.exe
run "$BIN/filetrace" -o trace2 -- ./text.exe
expect_status 126
expect_one_line err
[ ! -e trace2 ] || fail 'a trace of nothing'

run "$BIN/filetrace"
expect_status 125
expect_one_line err
run "$BIN/filetrace" --backend preload -- cmd.exe
expect_status 125
expect_line err '^filetrace: no such way in \(auto, inject\): preload;'
run "$BIN/filetrace" --strict -- cmd.exe
expect_status 125
expect_one_line err
expect_line err 'Windows'
run "$BIN/filetrace" --sh cmd.exe -- cmd.exe
expect_status 125
expect_one_line err
expect_line err 'for macOS'

run "$BIN/filetrace" print nothing
expect_status 3
expect_one_line err
run "$BIN/filetrace" print --strict trace
expect_status 2
run "$BIN/filetrace" print trace
expect_status 3
expect_line err 'not a raw trace of filetrace'
finish
