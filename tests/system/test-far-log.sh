# shellcheck shell=bash
# A static program maps the first part of the log, and the rest when it needs it: here the tracer
# is stopped, so that it empties nothing, and a part is not enough. Nothing may be missing; neither
# under a limit on addresses, which has all of it mapped from the start.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

count=20000
program=$TEST_BIN/system/stop_tracer
# all_are_there: each path of the run is in the trace, with its error
all_are_there() {
    expect_status 0
    expect_line trace '"type":"summary".*"lost":0,.*"complete":true,.*"injected":1,"not_injected":0,'
    expect_equal "$(grep -c '"path":"/far/[0-9]*","error":"ENOENT"' trace)" $count
}
run timeout 120 "$BIN/filetrace" --backend inject -f json -o trace -- "$program" $count
all_are_there
if bears_address_limit; then
    run timeout 120 sh -c 'ulimit -v 2000000 && exec "$@"' sh "$BIN/filetrace" --backend inject -f json -o trace -- \
        "$program" $count
    all_are_there
fi
finish
