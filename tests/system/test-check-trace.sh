# shellcheck shell=bash
# The checker of traces must find what is wrong with a trace.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

access='{"type":"access","pid":7,"op":"openat","access":["read"],"path":"/w/a","error":null}'
summary='{"type":"summary","accesses":9,"lost":0,"processes":1,"complete":true,"guarantee":"calls","incomplete_because":[],"root_exit":{"code":0}}'

# check EXPECT [COMPLETE REASON STATUS]: with the trace in the file `trace`.
check() {
    printf '%b' "$1" >expect
    run "$TEST_BIN/check_trace" /w /w/prog expect "${2:-true}" "${3:--}" "${4:-exit 0}" trace
}

trace() { printf '%s\n' "$@" >trace; }

trace "$access" "$summary"
check 'read\ta\t-\n' && expect_status 0
check 'read\t/w/a\t-\topenat\n' && expect_status 0
check 'any\t~[a-c]\t*\n' && expect_status 0
check 'read\ta\t-\n' any && expect_status 0
check '!any\tb\t*\n' && expect_status 0
check '!any\ta\t*\n' && expect_status 1
check 'write\ta\t-\n' && expect_status 1
check 'list+\ta\t-\n' && expect_status 1
check 'read\ta\tENOENT\n' && expect_status 1
check 'read\ta\t-\topen\n' && expect_status 1
check 'read\tb\t-\n' && expect_status 1
check 'read\t~a.\t-\n' && expect_status 1
check '2*read\t~.*\t-\n' && expect_status 1
check 'red\ta\t-\n' && expect_status 1
check 'read\ta\n' && expect_status 1
check '' false && expect_status 1
check '' true setuid && expect_status 1
check '' true - 'exit 1' && expect_status 1
check '' true - 'signal 9' && expect_status 1

trace "${access/null/\"ENOENT\"}" "${access/\"\/w\/a\"/\"\/w\/b\"}" "$summary"
check '2*any\t~.\t*\nread\ta\tENOENT\n' && expect_status 0
trace "${access/null/\"unknown\"}" "$summary"
check 'read\ta\t-\n' && expect_status 1
run "$TEST_BIN/check_trace" --errors-unknown /w /w/prog expect true - "exit 0" trace
expect_status 0

trace '{"type":"access","pid":7,"op":"openat","access":["read","list"],"path_base64":"L3cv/w==","error":null}' "$summary"
check 'list+\t\\xff\t-\n' && expect_status 0

trace "${summary/\"complete\":true/\"complete\":false}"
check '' false && expect_status 1 # no reason
trace "$(printf %s "$summary" | sed 's/"complete":true/"complete":false/; s/because":\[\]/because":[{"pid":1,"image":"\/x","reason":"setuid"}]/')"
check '' false setuid && expect_status 0
check '' false outlived && expect_status 1
check '' true && expect_status 1

trace "${access/\/w\/a/a}" "$(printf %s "$summary" | sed 's/"complete":true/"complete":false/; s/because":\[\]/because":[{"pid":7,"image":"a","reason":"path-unknown"}]/')"
check '' false path-unknown && expect_status 0
check 'read\ta\t-\n' any && expect_status 1 # whose is not known

# What breaks the format, one by one.
bad() {
    trace "$@"
    check '' any && expect_status 1
}
bad "$access"                                    # no summary
bad "$summary" "$access"                         # a line after it
bad '{"type":"access"' "$summary"                # not JSON
bad "${access/\/w\/a/\/w\/..\/a}" "$summary"     # not normal
bad "${access/\/w\/a/\/w\/\/a}" "$summary"
bad "${access/\/w\/a/\/w\/a\/}" "$summary"
bad "${access/\/w\/a/w\/a}" "$summary"           # not absolute
bad "${access/\"read\"/}" "$summary"             # no access
bad "${access/\"read\"/\"see\"}" "$summary"
bad "${access/null/\"nope\"}" "$summary"
bad "${access/:7/:0}" "$summary"
bad "${access/\"path\":\"\/w\/a\"/\"path_base64\":\"L3cvYQ==\"}" "$summary" # is UTF-8
bad "${access/\"path\":\"\/w\/a\"/\"path_base64\":\"L3c\"}" "$summary"      # no base64
bad "${summary/\"lost\":0/\"lost\":1}"
bad "$access" "${summary/\"accesses\":9/\"accesses\":0}"
finish
