# shellcheck shell=bash
# The command filetrace: what it passes on, what it writes, and what it says when it cannot.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

filetrace=$BIN/filetrace

# no_leftovers NAME...: the working folder holds these names and the test's own.
no_leftovers() { expect_equal "$(find . -mindepth 1 ! -name out ! -name err | sort | tr '\n' ' ')" "$1"; }

# wrong STATUS REGEX COMMAND...: one line on standard error, nothing on standard output.
wrong() {
    local expected=$1 regex=$2
    shift 2
    run "$@"
    expect_status "$expected"
    expect_one_line err
    expect_line err "$regex"
    expect_empty out
}

# Exit status: the command's own.
for code in 0 1 42 125 126 127 255; do
    run "$filetrace" -o trace -- sh -c "exit $code"
    expect_status "$code"
    expect_empty err
done
# A signal's death is passed on as a death by the same signal: the shell sees 128 + number.
for signal in TERM KILL USR1 ABRT PIPE; do
    # shellcheck disable=SC2016 # for the inner shell to expand
    run sh -c '"$@"; status=$?; exit $status' sh "$filetrace" -o trace -- sh -c "ulimit -c 0; kill -$signal \$\$"
    expect_status $((128 + $(kill -l "$signal")))
done
run "$filetrace" -f json -o trace -- sh -c 'kill -KILL $$'
expect_line trace '"root_exit":\{"signal":9\}\}$'
run "$filetrace" -f json -o trace -- sh -c 'exit 7'
expect_line trace '"root_exit":\{"code":7\}\}$'
rm trace

# Commands that cannot be run or found: as env does.
: >not-executable
mkdir folder
wrong 127 '^filetrace: cannot run no-such-command: No such file or directory' "$filetrace" -o trace no-such-command
wrong 127 '^filetrace: cannot run ./no-such: No such file' "$filetrace" -o trace ./no-such
wrong 126 '^filetrace: cannot run ./not-executable: Permission denied' "$filetrace" -o trace ./not-executable
wrong 126 '^filetrace: cannot run ./folder: ' "$filetrace" -o trace ./folder
wrong 127 '^filetrace: cannot run : No such file' "$filetrace" -o trace ''
wrong 127 'cannot run a\?b: ' "$filetrace" -o trace $'a\nb'
printf '#!/no/interpreter\n' >script
chmod +x script
wrong 127 '^filetrace: cannot run ./script: No such file' "$filetrace" -o trace ./script
no_leftovers './folder ./not-executable ./script '
# A script without "#!" is the shell's, as with execvp.
printf 'exit 9\n' >script
run "$filetrace" -o trace ./script
expect_status 9
rm script trace not-executable

# A search through PATH that misses at first is no reason for the kernel's filter.
if [[ $(uname) == Linux ]]; then
    expected=$(grep -E '^Seccomp(_filters)?:' /proc/self/status)
    run env PATH="/nowhere:$PATH" "$filetrace" -o trace -- env grep -E '^Seccomp(_filters)?:' /proc/self/status
    expect_status 0
    expect_equal "$(cat out)" "$expected"
    expect_line trace '/nowhere/grep'
    rm trace
fi

# Wrong usage: 125, for print 2; one line that names the word and where to read on.
wrong 125 "^filetrace: no command to run; see 'filetrace --help'$" "$filetrace"
wrong 125 '^filetrace: no command to run' "$filetrace" -f json --
wrong 125 "^filetrace: unknown option: --nonsense; see 'filetrace --help'$" "$filetrace" --nonsense true
wrong 125 '^filetrace: unknown option: -x; ' "$filetrace" -x true
wrong 125 '^filetrace: no such format .*: xml; ' "$filetrace" -f xml true
wrong 125 '^filetrace: no such format .*; ' "$filetrace" -f '' true
wrong 125 '^filetrace: no such way in .*: magic; ' "$filetrace" --backend magic true
wrong 125 '^filetrace: an option lacks its argument: -o; ' "$filetrace" -o
wrong 125 '^filetrace: an option lacks its argument: --format; ' "$filetrace" --format
wrong 125 'unknown option: --all=yes|takes no argument: --all' "$filetrace" --all=yes true
wrong 125 'unknown option: -z; ' "$filetrace" -z true
wrong 125 'unknown option: --x\?y; ' "$filetrace" $'--x\ny' true
wrong 2 '^filetrace: print takes one trace; ' "$filetrace" print
wrong 2 '^filetrace: print takes one trace; ' "$filetrace" print a b
wrong 2 '^filetrace: print does not write this format: raw; ' "$filetrace" print -f raw a
wrong 2 '^filetrace: no such format .*: xml; ' "$filetrace" print -f xml a
wrong 2 '^filetrace: not an option of print: ' "$filetrace" print --backend auto a
wrong 2 '^filetrace: not an option of print: --deny-io-uring; ' "$filetrace" print --deny-io-uring a
wrong 2 '^filetrace: unknown option: --nonsense; ' "$filetrace" print --nonsense a

# Options end at the command's name: its own are its own.
run "$filetrace" -o trace printf '%s ' --all -o x -- -f
expect_status 0
expect_equal "$(cat out)" '--all -o x -- -f '

# Help and version.
for arguments in --help -h 'print --help'; do
    # shellcheck disable=SC2086 # two words
    run "$filetrace" $arguments
    expect_status 0
    expect_empty err
    expect_line out '^Usage: filetrace '
    expect_line out '^Example: '
    [ "$(wc -l <out)" -le 24 ] || fail "--help has $(wc -l <out) lines"
    expect_equal "$(awk 'length > 80' out)" ''
done
run "$filetrace" --version
expect_status 0
expect_line out '^filetrace [0-9]+\.[0-9]+\.[0-9]+$'
run sh -c '"$1" --help >/dev/full' sh "$filetrace"
expect_status 125

# Where the trace goes: standard error, standard output, a file beside that is renamed.
: >input
run "$filetrace" cat input
expect_status 0
expect_empty out
expect_line err "^read	$PWD/input	-$"
run "$filetrace" -o - cat input
expect_line out "^read	$PWD/input	-$"
expect_empty err
printf 'old\n' >trace
chmod 640 trace
run "$filetrace" -o trace -- sh -c 'cat trace; ls -A'
expect_status 0
expect_line out '^old$'
expect_equal "$(grep -v -E '^(old|trace\.[0-9]+-0)$' out | tr '\n' ' ')" 'err folder input out trace '
expect_line trace "^read	$PWD/trace	-$"
expect_equal "$(stat -c %a trace)" 640
run "$filetrace" -o new.trace true
expect_equal "$(stat -c %a new.trace)" "$(printf '%o' $((0666 & ~$(umask))))"
rm new.trace
# Nothing that failed leaves anything, and the old file stays.
printf 'old\n' >trace
run "$filetrace" -o trace no-such-command
expect_equal "$(cat trace)" old
wrong 125 '^filetrace: cannot write no/where: No such file or directory' "$filetrace" -o no/where true
wrong 125 '^filetrace: cannot write folder: Is a directory' "$filetrace" -o folder true
wrong 125 '^filetrace: cannot write : No such file or directory' "$filetrace" -o '' true
for format in text json nul raw; do
    wrong 125 '^filetrace: cannot (write|record).*: No space left on device' "$filetrace" -f "$format" -o /dev/full true
done
if [ "$(id -u)" != 0 ]; then
    mkdir locked
    chmod 555 locked
    wrong 125 '^filetrace: cannot write locked/trace: Permission denied' "$filetrace" -o locked/trace true
    rmdir locked
fi
# A file system that is full: no file may become larger than this.
run sh -c 'ulimit -f 8; trap "" XFSZ; "$@"' sh "$filetrace" -f json -o trace -- sh -c 'for i in 1 2 3 4 5 6 7 8 9; do cat /no/such/file/$i 2>/dev/null; done; exit 0'
expect_status 125
expect_one_line err
expect_equal "$(cat trace)" old
run "$filetrace" -o /dev/null true
expect_status 0
no_leftovers './folder ./input ./trace '

# Formats.
printf 'x' >$'odd\tna\nme\\'
run "$filetrace" -f text -o trace cat $'odd\tna\nme\\' /no/such
expect_line trace '/odd\\tna\\nme\\\\	-$'
expect_line trace '^read	/no/such	ENOENT$'
expect_equal "$(awk -F '\t' 'NF != 3' trace)" ''
run "$filetrace" -f nul -o trace cat $'odd\tna\nme\\'
expect_equal "$(($(tr -dc '\0' <trace | wc -c) % 3))" 0
tr '\n\0' '\1\n' <trace >lines
expect_line lines "/odd	na.me\\\\$"
run "$filetrace" -f json -o trace cat $'odd\tna\nme\\' $'\xff'
expect_line trace '/odd\\u0009na\\u000ame\\\\","error":null\}$'
expect_line trace '"path_base64":"[A-Za-z0-9+/]+=*","error":"ENOENT"\}$'
expect_equal "$(tail -n 1 trace | cut -c 1-17)" '{"type":"summary"'
expect_equal "$(grep -c '"type":"summary"' trace)" 1
run "$filetrace" -f raw -o raw cat input
expect_status 0
run "$filetrace" print -f json -o printed raw
expect_status 0
expect_empty out
expect_line printed "\"op\":\"open(at)?\",\"access\":\[\"read\"\],\"path\":\"$PWD/input\",\"error\":null"
expect_line printed '"complete":true,"guarantee":"(calls|kernel)","incomplete_because":\[\],"root_exit":\{"code":0\}'
run "$filetrace" print raw
expect_line out "^read	$PWD/input	-$"
run sh -c '"$1" print - <raw' sh "$filetrace"
expect_line out "^read	$PWD/input	-$"
# Repeats are printed on request.
run "$filetrace" -f json -o once -- cat input input input
run "$filetrace" -f json --all -o all -- cat input input input
expect_equal "$(grep -c "\"path\":\"$PWD/input\"" all)" "$((3 * $(grep -c "\"path\":\"$PWD/input\"" once)))"
expect_equal "$(grep -o '"accesses":[0-9]*' once)" "$(grep -o '"accesses":[0-9]*' all)"
expect_equal "$(grep -o '"accesses":[0-9]*' all)" "\"accesses\":$(grep -c '"type":"access"' all)"
rm -f odd* lines once all printed

# Traces that cannot be read.
size=$(stat -c %s raw)
: >empty
head -c $((size - 1)) raw >shortened
head -c 20 raw >stump
printf 'This is no trace of anything at all.\n' >text
{ head -c 8 raw; printf '\2\0\0\0'; tail -c +13 raw; } >newer
{ head -c $((size - 48)) raw; printf '\377\377\377\377'; tail -c 44 raw; } >damaged
{ cat raw; printf 'more and more and more!!'; } >longer
wrong 3 '^filetrace: cannot read the trace missing: No such file or directory' "$filetrace" print missing
wrong 3 '^filetrace: cannot read the trace folder: ' "$filetrace" print folder
for file in empty stump text; do
    wrong 3 "^filetrace: cannot read the trace $file: not a raw trace of filetrace; " "$filetrace" print -f json "$file"
done
wrong 3 '^filetrace: cannot read the trace newer: version 2, this filetrace reads 1; ' "$filetrace" print newer
for file in shortened damaged longer; do
    run "$filetrace" print -f json -o printed "$file"
    expect_status 3
    expect_one_line err
    expect_line err "^filetrace: cannot read the trace $file: (cut short|damaged in the middle); "
    [ ! -e printed ] || fail "printed half of $file"
done
run sh -c '"$1" print raw >/dev/full' sh "$filetrace"
expect_status 3
expect_one_line err
wrong 3 '^filetrace: cannot write no/where: ' "$filetrace" print -o no/where raw
rm empty shortened stump text newer damaged longer raw

# What the command sees is what it would see without us.
printf 'some words\n' >words
"$filetrace" -o trace cat <words >out 2>err
expect_equal "$(cat out)" 'some words'
env -i A=1 B=2 env | sort >without
env -i A=1 B=2 "$filetrace" -o trace env | sort >with
expect_equal "$(grep -v '^FILETRACE=\|^LD_PRELOAD=' with)" "$(cat without)"
expect_equal "$(wc -l <with)" 4
expect_line with '^LD_PRELOAD=/.*/libfiletrace-preload\.so$'
# shellcheck disable=SC2012 # names are numbers
ls /proc/self/fd >without
# shellcheck disable=SC2012 # names are numbers
"$filetrace" -o trace ls /proc/self/fd >with
expect_equal "$(cat with)" "$(cat without)"
# Each reads its own state: a shell that waits for another may block signals for a moment.
for state in "grep -E ^(Sig(Blk|Ign|Cgt)|Seccomp|NoNewPrivs|Umask|Threads) /proc/self/status" 'cat /proc/self/limits'; do
    # shellcheck disable=SC2086 # words of a command
    $state >without
    # shellcheck disable=SC2086 # words of a command
    run "$filetrace" -o trace -- $state
    expect_status 0
    expect_equal "$(cat out)" "$(cat without)"
done
rm words without with

# A command that says that it is ready and then waits to be killed.
mkfifo ready hold
cat >waits <<END
#!/bin/sh
cat "$PWD/input"
echo ready >"$PWD/ready"
read -r line <"$PWD/hold"
END
chmod +x waits

# interrupted SIGNAL FORMAT: run `waits`, send the signal to filetrace when it is ready.
interrupted() {
    local pid line
    "$filetrace" -f "$2" -o trace ./waits >out 2>err </dev/null &
    pid=$!
    read -r line <ready
    expect_equal "$line" ready
    kill "-$1" "$pid"
    wait "$pid"
    status=$?
}
for signal in INT TERM HUP; do
    # Shells let what they start in the background ignore SIGINT: not with job control.
    set -m
    interrupted "$signal" json
    set +m
    expect_status $((128 + $(kill -l "$signal")))
    expect_line trace "\"path\":\"$PWD/input\",\"error\":null"
    expect_line trace '"complete":false,.*"reason":"interrupted"'
    expect_equal "$(tail -n 1 trace | cut -c 1-17)" '{"type":"summary"'
done
interrupted TERM text
expect_one_line err
expect_line err '^filetrace: the trace is incomplete: interrupted'
expect_line trace "^read	$PWD/input	-$"
interrupted TERM raw
run "$filetrace" print -f json trace
expect_status 0
expect_line out '"complete":false,.*"reason":"interrupted"'
rm ready hold waits trace

# What runs on when the command has ended is said, in a raw trace too; also of a child that has
# done nothing yet: it waits in its first call until somebody writes to `hold`.
mkfifo ready hold
# shellcheck disable=SC2016 # for the inner shell to expand
for child in 'read -r line <hold' 'cat input; echo ready >ready; read -r line <hold'; do
    for way in auto notify; do
        for format in json raw; do
            wait_for='exit 0'
            [ "${child#cat}" = "$child" ] || wait_for='read -r line <ready'
            run "$filetrace" --backend "$way" -f "$format" -o "$format" -- sh -c "{ $child; } & $wait_for"
            expect_status 0
            : >hold # lets it end
        done
        run "$filetrace" print -f json raw
        expect_line json '"complete":false,.*"reason":"outlived"'
        expect_line out '"complete":false,.*"reason":"outlived"'
    done
done
rm ready hold json raw

# Standard streams that are closed are nobody's to write to.
run sh -c '"$1" -o trace -- sh -c "exit 5" <&- >&- 2>&-' sh "$filetrace"
expect_status 5
no_leftovers './folder ./input ./trace '
expect_line trace "^read	.*/sh	-$"
finish
