# shellcheck shell=bash
# Each system call of our programs fails in turn (strace's injection): never a crash or a hang, never a
# half file, an exit status that is documented, a message, nothing left behind, and what filetrace has
# started runs to its end. The short version takes a sample.
#   calls.sh SCENARIO
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
# shellcheck source=tests/torture/lib.sh
. "$TESTS/torture/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'strace may not trace here'
[ "$INSTRUMENTED" = 0 ] || skip 'instrumented programs do not bear what is injected'
scenario=$1 format=
sample=8
[ "$TORTURE" = short ] || sample=100000

# What fails for want of something that cannot be missing, and is left out:
# the start of a process (before any code of ours), waiting for and signalling an own child. And brk: glibc 2.36's own malloc
# faults when the heap cannot grow by it; test_allocations lets allocations fail.
left_out=' execve exit exit_group arch_prctl set_tid_address set_robust_list rseq rt_sigreturn restart_syscall
    brk wait4 kill tkill tgkill futex nanosleep clock_nanosleep '

# failure CALL: an error that this call has in life
failure() {
    case $1 in
    write | writev | pwrite64 | fsync | rename* | mkdir* | ftruncate | linkat) echo ENOSPC ;;
    open* | pipe* | dup* | memfd_create | signalfd* | socket* | fcntl | pidfd*) echo EMFILE ;;
    mmap | brk | mprotect | mremap | clone* | fork | vfork | madvise) echo ENOMEM ;;
    access | stat | lstat | newfstatat | readlink | chmod | fchmod) echo EACCES ;;
    *) echo EIO ;;
    esac
}

cat >program <<'END'
#!/bin/sh
cat given >/dev/null
echo ran >>ran
exit 7
END
chmod +x program
echo text >given
cp "$TESTS/data/compare/now.json" now.json
cp "$TESTS/data/compare/before.json" before.json
cat >suite.json <<'END'
{"schema": "tracetax.suite/1", "name": "test", "version": "1", "tracker": ["env", "{command}"],
 "targets": [{"name": "true", "operation": "nothing", "command": ["true"]}]}
END
"$BIN/filetrace" -f raw -o raw -- cat given >/dev/null || fail 'no trace to print'

# Each scenario: `command`, the file that it `makes`, the statuses of `good` and `bad` ends, `whole`
# (is the file whole?), and the `program` whose message a bad end has.
program=tracetax bad=3 good=0
traced() {
    program=filetrace makes=made good=7 bad='125 126 127'
    command=("$BIN/filetrace" "$@" -o made -- ./program)
    whole() {
        [[ " $* " = *" json "* ]] || "$BIN/filetrace" print -f json -o made.json made || return
        local trace=made
        [ ! -e made.json ] || trace=made.json
        grep -q '"path":"[^"]*/given"' $trace || grep -q '"complete":false' $trace || return
        tail -n 1 $trace | grep -q '"type":"summary"'
    }
}
case $scenario in
filetrace) traced -f json && format=json ;;
filetrace-kernel) traced -f json --strict && format=json ;;
filetrace-ptrace) traced -f raw --backend ptrace && format=raw ;;
print)
    program=filetrace makes=made
    command=("$BIN/filetrace" print -f json -o made raw)
    whole() { tail -n 1 made | grep -q '"complete":true'; }
    ;;
compare)
    makes=
    command=("$BIN/tracetax" compare --format markdown now.json before.json)
    whole() { grep -q '^<details>\|^|' out; }
    ;;
run)
    makes=made
    command=("$BIN/tracetax" run --quiet --engine builtin --suite suite.json --rounds 2 --warmup 0 --export-json made)
    whole() { "$BIN/tracetax" show made >/dev/null; }
    ;;
*) fail "no scenario $scenario" && finish ;;
esac

clean() { rm -rf made* ran result.json state out err; }
# The folder as it has to be after each run.
listing() { find . -mindepth 1 \( -path ./state -o -name 'made*' -o -name ran -o -name out -o -name err -o -name log \) -prune -o -print | sort; }
touch log places
before=$(listing)

# Which calls there are, closes of pipes and the like apart: those cannot fail.
clean
strace -qq -y -o calls "${command[@]}" >out 2>err </dev/null
status=$?
expect_status "$good"
[ -z "$makes" ] || whole "$format" || fail 'the file is not whole without any failure'
# What ld.so does before any code of ours ends with taking its cache down.
loading=0
[ "$program" = filetrace ] || loading=1
awk -v left_out="$left_out" -v loading="$loading" '
    /^[a-z0-9_]+\(/ {
        call = substr($0, 1, index($0, "(") - 1); seen[call]++
        if (loading) { loading = call != "munmap"; next }
        if (index(left_out, " " call " ")) next
        if (call == "close" && $0 !~ /^close\([0-9]+<\//) next
        print call, seen[call]
    }' calls >places
rm calls
[ "$(wc -l <places)" -gt 10 ] || fail 'hardly a call was seen: the test does not work'

runs=0
while read -r call number; do
    error=$(failure "$call")
    at="$call $number ($error)"
    clean
    timeout -s KILL 60 strace -qq -o log -e "inject=$call:error=$error:when=$number" "${command[@]}" >out 2>err </dev/null
    status=$?
    runs=$((runs + 1))
    if [[ " $good " = *" $status "* ]]; then
        [ -z "$makes" ] || [ -e "$makes" ] || fail "$at: status $status and no file"
        [ ! -e "$makes" ] && [ -n "$makes" ] || whole "$format" || fail "$at: status $status and the file is not whole"
    elif [[ " $bad " = *" $status "* ]]; then
        grep -q "^$program" err || fail "$at: status $status without a message"
        # A void target makes a file and status 3.
        [ -z "$makes" ] || [ ! -e "$makes" ] || { grep -q ' is void: ' err && whole "$format"; } ||
            fail "$at: status $status and a file"
    elif [ "$status" = 127 ] && grep -qE 'error while loading shared libraries|cannot apply additional memory protection' err; then
        : # ld.so, before any code of ours
    elif [ "$status" = 2 ] && [ "$scenario" = run ]; then
        grep -q "^$program" err || fail "$at: status $status without a message"
    else
        fail "$at: ends with $status: $(head -c 300 err)"
    fi
    if [ "$program" = filetrace ] && [ -e ran ]; then
        expect_equal "$(cat ran)" ran
    elif [ "$program" = filetrace ] && [ "$good" = 7 ] && [ "$status" = 7 ]; then
        fail "$at: the command has not run"
    fi
    case $call in
    unlink* | rmdir | openat | open | getdents* | lstat | newfstatat | fstat | fchdir) ;; # they may be the removal itself
    *)
        now=$(listing)
        [ "$now" = "$before" ] || fail "$at: files are left: $(diff <(echo "$before") <(echo "$now") | grep '^>' | head -n 3)"
        ;;
    esac
    find tmp -mindepth 1 -delete
    expect_no_process "$at"
done < <(shuffled <places | head -n $sample)
echo "$runs of $(wc -l <places) calls have failed in turn"
finish
