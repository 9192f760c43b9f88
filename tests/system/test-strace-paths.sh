# shellcheck shell=bash
# The reader of strace's output: folders of tasks, cut calls, children seen before their birth.
# The comparison's exemptions.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# hex TEXT: as strace -xx writes it
hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../\\x&/g'; }

# paths: of the log on standard input, one `path call` a line
paths() {
    cat >log
    "$TEST_BIN/strace_paths" /start log 2>err | tr '\0' '\n' | paste -d' ' - - >out
    expect_empty err
}

# expect_paths LINE...: exactly these, in this order
expect_paths() { expect_equal "$(cat out)" "$(printf '%s\n' "$@")"; }

paths <<END
1 open("$(hex a)", O_RDONLY) = 3<$(hex /start/a)>
1 openat(AT_FDCWD<$(hex /start)>, "$(hex ./b/../c)", O_RDONLY) = -1 ENOENT (No such file or directory)
1 openat(3<$(hex /else/where)>, "$(hex d)", O_RDONLY) = 4
1 openat(3<$(hex /else/where)>, "$(hex /abs)", O_RDONLY) = 4
1 openat(99, "$(hex d)", O_RDONLY) = -1 EBADF (Bad file descriptor)
1 openat(AT_FDCWD<$(hex /start)>, NULL, O_RDONLY) = -1 EFAULT (Bad address)
1 newfstatat(3<$(hex /start/a)>, "", {st_mode=S_IFREG|0644, ...}, AT_EMPTY_PATH) = 0
1 readlink("$(hex l)", "$(hex target)", 99) = 6
1 symlink("$(hex target)", "$(hex s)") = 0
1 symlinkat("$(hex target)", 3<$(hex /d)>, "$(hex s)") = 0
1 renameat2(3<$(hex /d)>, "$(hex x)", AT_FDCWD<$(hex /start)>, "$(hex y)", 0) = 0
1 getxattr("$(hex x)", "$(hex user.a)", "$(hex v)", 8) = 1
1 execve("$(hex ./p)", ["$(hex ./p)", "$(hex 'a b')"], 0x7ffe /* 41 vars */) = 0
1 inotify_add_watch(5<anon_inode:inotify>, "$(hex w)", IN_CREATE) = 1
1 getcwd("$(hex /start)", 4096) = 7
END
expect_paths '/start/a open' '/start/c openat' '/else/where/d openat' '/abs openat' '? openat' ' newfstatat' \
    '/start/l readlink' '/start/s symlink' '/d/s symlinkat' '/d/x renameat2' '/start/y renameat2' \
    '/start/x getxattr' '/start/p execve' '/start/w inotify_add_watch'

# Names that look like syntax.
paths <<END
1 open("$(hex '", <unfinished ...>')", O_RDONLY) = 3<$(hex 'x>, = 5')>
1 open("$(hex ') = 0')", O_RDONLY) = 3
END
expect_paths '/start/", <unfinished ...> open' '/start/) = 0 open'

# A fork: the child keeps the folder of the fork, and may be seen before the fork returns.
paths <<END
1 chdir("$(hex /none/one)") = 0
1 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD <unfinished ...>
2 open("$(hex a)", O_RDONLY) = 3
2 chdir("$(hex two)") = 0
1 <... clone resumed>, child_tidptr=0x7f) = 2
1 open("$(hex b)", O_RDONLY) = 3
2 open("$(hex c)", O_RDONLY <unfinished ...>
1 chdir("$(hex ..)") = -1 EACCES (Permission denied)
1 open("$(hex d)", O_RDONLY) = 3
2 <... open resumed>) = 3
2 +++ exited with 0 +++
END
expect_paths '/none/one chdir' '/none/one/a open' '/none/one/two chdir' '/none/one/b open' '/none chdir' \
    '/none/one/d open' '/none/one/two/c open'

# Threads share their folder until one unshares it; fchdir; a removed folder; an exec of a thread.
paths <<END
1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD, stack=0x7f} => {parent_tid=[2]}, 88) = 2
2 fchdir(4<$(hex /none/shared)>) = 0
1 open("$(hex a)", O_RDONLY) = 3
2 unshare(CLONE_FS) = 0
2 chdir("$(hex own)") = 0
1 open("$(hex b)", O_RDONLY) = 3
2 execve("$(hex p)", ["$(hex p)"], 0x7f /* 1 var */ <pid changed to 1 ...>
1 +++ superseded by execve in pid 2 +++
1 <... execve resumed>) = 0
1 open("$(hex c)", O_RDONLY) = 3
1 openat(AT_FDCWD<$(hex '/none/gone (deleted)')>, "$(hex d)", O_RDONLY) = -1 ENOENT (No such file or directory)
1 open("$(hex e)", O_RDONLY <unfinished ...>) = ?
1 +++ killed by SIGKILL +++
END
expect_paths '/none/shared/a open' '/none/shared/own chdir' '/none/shared/b open' '/none/shared/own/p execve' \
    '/none/shared/own/c open' '? openat' '? open'

# compare EXEMPTION: /d is a folder in which ld.so looked, /e/sub/x is another call's path
compare() {
    printf '%s\0open\0' /d/l.so /d/sub/l.so /d/sub/sub/l.so /d/sub /e/sub/y /d/other/l.so /d/subs >paths
    "$BIN/filetrace" -f json -o trace -- true
    {
        for line in 'loader /d/l.so' 'open /e/sub/x'; do
            printf '{"type":"access","pid":1,"op":"%s","access":["read"],"path":"%s","error":null}\n' "${line% *}" "${line#* }"
        done
        tail -n 1 trace
    } >trace.made
    printf '%s\tfunction\treason\n' "$@" >exempt
    "$TEST_BIN/compare_paths" paths trace.made exempt >out 2>err
}
# missing PATH...: these and no others
missing() { expect_equal "$(sed -n 's/^missing: \(.*\) (open)$/\1/p' out)" "$(printf '%s\n' "$@")"; }
compare /nothing
missing /d/sub/l.so /d/sub/sub/l.so /d/sub /e/sub/y /d/other/l.so /d/subs
compare /d/sub
missing /e/sub/y /d/other/l.so
compare '*/sub/'
missing /e/sub/y /d/other/l.so /d/subs
expect_line out '^left out: 3 below \*/sub/ \(function\)$'
compare '*/sub/' '*/other/' /e/ /d/subs
missing
expect_line out '^left out: 1 below \*/other/ \(function\)$'
for bad in '*' '*/' '*/sub' '*/sub/x' '*/a/b/' '*sub/' sub; do
    compare "$bad"
    expect_line err '^compare_paths: not an exemption: '
done

# --- compare-strace: what its limit has cut compares nothing
if strace -qq -o /dev/null true 2>/dev/null; then
    run "$TESTS/system/compare-strace" --limit 1 -- tail -f /dev/null
    expect_status 1
    expect_line out 'strace: stopped after 1 s'
fi
finish
