# shellcheck shell=bash
# Short static programs are left to the notification once their image is known to be short, busy ones
# are not; either way each access is in the trace.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

workload=$BIN/workload-static
"$workload" prepare files --threads 1 --files 64 >/dev/null || fail "cannot make the files"

# traced INJECTED BACKEND COMMAND...: so many images are injected, and none fails
traced() {
    local injected=$1 backend=$2
    shift 2
    run "$BIN/filetrace" --backend "$backend" --all -f json -o trace -- "$@"
    expect_status 0
    expect_line trace "\"type\":\"summary\".*\"lost\":0,.*\"complete\":true,.*\"injected\":$injected,\"not_injected\":0,"
}

# each_reads_its_link: 41 processes do, and nobody else
each_reads_its_link() {
    expect_equal "$(grep '"path":"/proc/self/exe"' trace | grep -o '"pid":[0-9]*' | sort -u | wc -l)" 41
}

# One program starts itself 40 times. Of its starts the first two and those of each power of two are
# injected (1, 2, 4, 8, 16, 32); each reads a link as it starts.
spawn=("$workload" run files --operation spawn --threads 1 --files 40)
traced 6 auto "${spawn[@]}"
each_reads_its_link
traced 41 inject "${spawn[@]}"
each_reads_its_link

# Short, short, short (left), short, busy (left; from now on the image is known to be busy), short, short.
# shellcheck disable=SC2016 # the shell that is watched expands these
traced 5 auto sh -c '"$0" nothing; "$0" nothing; "$0" nothing; "$0" nothing
    "$0" run files --threads 1 --files 64; "$0" nothing; "$0" nothing' "$workload"
expect_equal "$(grep -c "\"path\":\"$PWD/files/" trace)" 64
# An image that is busy from the start is always injected.
# shellcheck disable=SC2016 # the shell inside expands it
traced 5 auto sh -c 'for i in 1 2 3 4 5; do "$0" run files --threads 1 --files 64; done' "$workload"
expect_equal "$(grep -c "\"path\":\"$PWD/files/" trace)" 320
finish
