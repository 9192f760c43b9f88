# shellcheck shell=bash
# tracetax-report's command line: options, exit status, one line for each mistake.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
report=$BIN/tracetax-report
sample() { "$TEST_BIN/make-sample" "$@" || fail "make-sample $*"; }
sample linux-x86_64 head_base=1.1 >regressed.json
sample linux-x86_64 head_base=1.0 >same.json
sample macos-arm64 >macos.json

run "$report" --help
expect_status 0
expect_empty err
for option in --event --workflow --author --dry-run --export-history --time-limit --baseline --history \
    --baselines --repository --branch --fail-on --export-gab --export-bmf --help --version; do
    grep -qF -- "$option" out || fail "the help lacks $option"
done
[ "$(wc -l <out)" -le 40 ] || fail 'the help does not fit a screen'
run "$report" --version
expect_status 0
expect_line out '^tracetax-report [0-9]+\.[0-9]+\.[0-9]+$'

# usage ARGUMENT...: exit status 2, nothing on standard output, no job summary.
usage() {
    GITHUB_STEP_SUMMARY=$PWD/summary run "$report" "$@"
    expect_status 2
    expect_empty out
    [ ! -e summary ] || fail "wrong usage wrote a summary: $*"
}
usage
usage nonsense
usage preview
usage comment
usage --nonsense
usage preview same.json --event x
usage preview same.json --dry-run
usage comment --event x --baseline y
usage comment --event x y
usage comment --event x --time-limit 0
usage comment --event x --time-limit 1e9
usage comment --event x --time-limit -1
usage preview same.json --fail-on improved
usage preview same.json --repository a/b
usage baselines
usage baselines --repository a
usage baselines --repository a/../b
usage baselines --repository a/b --event x
usage baselines --repository a/b --fail-on regressed
usage baselines --repository a/b c
usage check-baselines
usage check-baselines x.json --export-gab y
expect_one_line err

# Committed baselines: whole, named for their platform, and saying where they come from.
sample linux-x86_64 commit=ecf9e9af19c581f156188679cb2a9e8d458c9ba8 >linux-x86_64.json
cp linux-x86_64.json linux-aarch64.json
sample macos-arm64 >macos-arm64.json
sed 's/"shards": 1/"shards": 2/' linux-x86_64.json >part.json
mkdir part && mv part.json part/linux-x86_64.json
run "$report" check-baselines linux-x86_64.json
expect_status 0
expect_line err 'linux-x86_64.json: run 5000, attempt 1, commit ecf9e9a'
run "$report" check-baselines linux-x86_64.json linux-aarch64.json macos-arm64.json part/linux-x86_64.json absent.json
expect_status 3
expect_line err 'linux-aarch64.json: its name is not that of its platform'
expect_line err 'macos-arm64.json: it does not say which commit was measured'
expect_line err 'part/linux-x86_64.json: it is a part of a suite only'
expect_line err 'absent.json'
expect_line err '4 of 5 baselines are not right'

# The environment of comment.
echo '{}' >event.json
export GITHUB_REPOSITORY_ID=1
usage comment --event event.json
expect_line err 'GITHUB_TOKEN'
export GITHUB_TOKEN=ghs_secret
GITHUB_REPOSITORY_ID=x usage comment --event event.json
expect_line err 'GITHUB_REPOSITORY_ID'
for url in http://api.github.com http://127.0.0.1.evil.com ftp://localhost https://a:b@c nonsense; do
    GITHUB_API_URL=$url usage comment --event event.json
    expect_line err 'GITHUB_API_URL'
    expect_one_line err
done

# failed ARGUMENT...: exit status 3, one line, and the job summary says it too.
failed() {
    rm -f summary
    GITHUB_STEP_SUMMARY=$PWD/summary run "$report" "$@"
    expect_status 3
    # An instrumented build has no sandbox, and says so.
    [ "$INSTRUMENTED" = 0 ] || sed -i '/: this build has no sandbox$/d' err
    expect_one_line err
    expect_line summary 'tracetax benchmark'
    expect_no_line summary 'ghs_secret'
}
failed comment --event missing.json
expect_line err 'missing.json'
failed comment --event event.json
expect_line err 'workflow_run'
printf '{"action":"completed","action":"x"}' >double.json
failed comment --event double.json
head -c 100 same.json >cut.json
failed comment --event cut.json
GITHUB_TOKEN='two words' failed comment --event event.json

# preview: no network, no token.
unset GITHUB_TOKEN GITHUB_REPOSITORY_ID
run "$report" preview same.json
expect_status 0
expect_empty err
expect_line out '^<!-- tracetax:benchmark -->$'
run "$report" preview regressed.json
expect_status 0
run "$report" preview regressed.json --fail-on regressed
expect_status 1
run "$report" preview same.json --fail-on regressed
expect_status 0
for bad in missing.json cut.json event.json; do
    run "$report" preview "$bad"
    expect_status 3
    expect_one_line err
    expect_line err "$bad|result"
done
run "$report" preview same.json --baseline macos.json
expect_status 3
expect_line err 'macos-arm64'
run "$report" preview same.json --history same.json
expect_status 3
expect_one_line err

# Committed baselines are the last resort.
mkdir baselines
cp same.json baselines/linux-x86_64.json
run "$report" preview same.json
expect_line out 'committed baseline'
run "$report" preview same.json --baseline same.json
expect_no_line out 'committed baseline'
echo nonsense >baselines/linux-x86_64.json
run "$report" preview same.json
expect_status 0
expect_line err 'warning: a committed baseline is not used'
rm -r baselines

# Exports: written beside and renamed; a folder that is not there leaves nothing.
run "$report" preview same.json --export-gab nowhere/gab.json
expect_status 3
expect_one_line err
run "$report" preview same.json --export-bmf bmf.json
expect_status 0
expect_line bmf.json 'overhead-ratio'

# On standard output, and so in a log that GitHub's runner reads, a name is no command.
sample linux-x86_64 'target=##[set-env name=A]b' >command.json
for format in gab bmf; do
    run "$report" preview command.json --export-$format -
    expect_status 0
    expect_line out '"(name": ")?linux-x86_64/# #\[set-env name=A\]b/'
    expect_no_line out '##\['
done

# Oddities in numbers never print NaN or infinity.
sed 's/"samples_ns": \[[^]]*\]/"samples_ns": [0, 0, 0, 0, 0, 0]/' same.json | tr '\n' ' ' |
    sed 's/"samples_ns": \[[^]]*\]/"samples_ns": [0, 0, 0, 0, 0, 0]/g' >zero.json
run "$report" preview zero.json --baseline same.json --export-gab gab.json --export-bmf bmf.json
expect_status 0
expect_no_line out '[^a-z](nan|inf)[^a-z]'
expect_no_line gab.json 'nan|inf'
expect_no_line bmf.json 'nan|inf'
run "$report" preview same.json --baseline zero.json
expect_status 0
expect_no_line out '[^a-z](nan|inf)[^a-z]'

# The headline: a void target is named, and few rounds are not called a missing base build.
sed 's/"operation": "open-close",/& "void": "the trace lacks a file",/' same.json >void.json
run "$report" preview void.json
expect_line out '^⚠️ \*\*1 target is void:\*\* .*the trace lacks a file'
expect_no_line out 'not measured in the same job'
sample linux-x86_64 head_base=1 rounds=3 targets=2 >short.json
run "$report" preview short.json
expect_line out '^\*\*No verdict:.* 2 have head against base without an interval'
expect_no_line out 'not measured in the same job'

# shown_as REGEX ARGUMENT...: a preview whose table says so, and no number that is none.
shown_as() {
    local regex=$1
    shift
    run "$report" preview "$@"
    expect_status 0
    expect_line out "$regex"
    expect_no_line out '[^a-z](nan|inf)[^a-z]'
}
# fault-3: 990 ns against 1.1 us is a difference of 11%, not of a factor of 900.
sample linux-x86_64 untracked=1 overhead=0.00099 >nano.json
sample linux-x86_64 untracked=1 overhead=0.0011 >micro.json
shown_as '\+1[01]\.[0-9]+%' micro.json --baseline nano.json
# fault-13: from nothing to 5 s is not passed over.
sample linux-x86_64 untracked=1 overhead=5000 >slow.json
shown_as 'dynamic.* [45][0-9]{3}\.[0-9]+ ms .*untracked time of 0' slow.json --baseline zero.json
# fault-17: one run has no interval, and says so.
sample linux-x86_64 rounds=1 >one.json
shown_as 'no interval' one.json
# fault-18: a ratio of 0.004 is not rounded to 0 and divided by.
sample linux-x86_64 untracked=1000 overhead=0.004 >tiny.json
shown_as 'dynamic.*-99\.60%' tiny.json --baseline tiny.json

# It shuts itself off from programs and foreign files before it opens a file of others.
if [ "$INSTRUMENTED" = 0 ] && strace -o calls true 2>/dev/null; then
    run strace -f -o calls "$report" preview one.json --export-gab kept/gab.json
    expect_status 3
    expect_line calls 'seccomp\(SECCOMP_SET_MODE_FILTER.* = 0'
    shut=$(grep -n 'seccomp(SECCOMP_SET_MODE_FILTER' calls | head -n 1 | cut -d : -f 1)
    opened=$(grep -n 'one\.json' calls | sed 1d | head -n 1 | cut -d : -f 1) # the first is the exec
    if [ "${shut:-0}" -eq 0 ] || [ "${shut:-0}" -ge "${opened:-0}" ]; then
        fail "it opens line $opened of the calls before it is shut off in line $shut"
    fi
fi
finish
