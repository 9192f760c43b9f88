# shellcheck shell=bash
# What action.yml runs (scripts/action.sh): what it refuses, and what it says to the steps that follow. With the
# programs of this build, put where `build` would install them.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
action=$SOURCE/scripts/action.sh
export RUNNER_TEMP=$PWD/temp GITHUB_OUTPUT=$PWD/output GITHUB_STEP_SUMMARY=$PWD/summary
mkdir -p temp/tracetax project
ln -s "$BIN" temp/tracetax/bin
cd project || exit

# A word that names no command: nothing is built.
mkdir bin
printf '#!/bin/sh\necho built\n' >bin/make
chmod +x bin/make
for command in reprot '' 'run report'; do
    INPUT_COMMAND=$command run env "PATH=$PWD/bin:$PATH" "$action" build
    expect_status 2
    expect_empty out
    expect_one_line err
    expect_line err "^tracetax: command: $command: not run or report\$"
done

suite() { printf '{"schema": "tracetax.%s/1", "name": "test", "version": "1", %s}\n' "$1" "$2"; }
suite suite '"tracker": ["env", "{command}"], "targets": [{"name": "a", "operation": "b", "command": ["true"]}]' >suite.json
INPUT_SUITE=suite.json INPUT_ROUNDS=2 run "$action" run
expect_status 0
expect_line "$GITHUB_OUTPUT" '^artifact=tracetax-[a-z0-9_-]+$'
expect_equal "$(sed -n 's/^result=//p' "$GITHUB_OUTPUT")" "$RUNNER_TEMP/tracetax/result.json"
expect_line "$GITHUB_STEP_SUMMARY" '^\| a '

# Plain commands make a table and no result: the step fails, whichever of the two says so.
rm -f "$GITHUB_OUTPUT"
suite table '"groups": [{"name": "g", "commands": [["true"]]}]' >table.json
INPUT_SUITE=table.json INPUT_ROUNDS=2 run "$action" run
[ "$status" != 0 ] || fail 'a run that left no result succeeded'
[ ! -e "$GITHUB_OUTPUT" ] || fail "something is to be uploaded: $(cat "$GITHUB_OUTPUT")"

# The job with the token says nothing to later steps; an older file is never uploaded as this run's.
mkdir tracetax-report
echo old >tracetax-report/history.json
echo '{}' >event.json
INPUT_WORKFLOW=w.yml INPUT_AUTHOR='us[bot]' GITHUB_EVENT_PATH=event.json GITHUB_TOKEN=x GITHUB_REPOSITORY_ID=1 \
    run "$action" report
expect_status 3
[ ! -e "$GITHUB_OUTPUT" ] || fail "report told later steps: $(cat "$GITHUB_OUTPUT")"
[ ! -e tracetax-report/history.json ] || fail 'the history of another run is still there'
if grep -nE 'path: .*(outputs\.history|steps\.report)' "$SOURCE/action.yml"; then
    fail 'an output of the job with the token chooses what is uploaded'
fi
finish
