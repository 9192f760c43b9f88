# shellcheck shell=bash
# scripts/coverage.py joins what gcovr counted with what a change touches, and keeps the floor.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
command -v python3 >/dev/null || skip 'no python3 here'
coverage=(python3 "$SOURCE/scripts/coverage.py")

# line NUMBER COUNT [BRANCH COUNTS]: a line as gcovr writes it.
line() {
    local branches='' branch
    for branch in ${3:-}; do branches+="${branches:+,}{\"count\":$branch,\"fallthrough\":false,\"throw\":false}"; done
    printf '{"line_number":%s,"count":%s,"branches":[%s],"gcovr/noncode":false}' "$1" "$2" "$branches"
}
# file NAME LINE...
file() {
    local name=$1
    shift
    printf '{"file":"%s","lines":[%s]}' "$name" "$(IFS=, && echo "$*")"
}
counts() { printf '{"files":[%s]}' "$(IFS=, && echo "$*")"; }

git init --quiet --initial-branch main .
git config user.name a
git config user.email a@example.org
mkdir common tests
printf 'int a;\nint b;\nint c;\n' >common/x.c
printf 'int y;\n' >common/y.c
printf '# a floor\nlines 50\nbranches 10\n' >tests/floor
git add --all
git commit --quiet --message first
base=$(git rev-parse HEAD)
printf 'int a;\nint b2;\nint b3;\nint b4;\nint c;\n' >common/x.c

counts "$(file common/x.c "$(line 1 1)" "$(line 2 1 '1 0')" "$(line 3 1)")" "$(file common/y.c "$(line 1 1)")" >before.json
counts "$(file common/x.c "$(line 1 0)" "$(line 2 1 '1 0')" "$(line 3 0)" "$(line 4 0)" "$(line 5 5)")" \
    "$(file common/y.c "$(line 1 0)")" >now.json

run "${coverage[@]}" now.json
expect_status 0
expect_line out '^2 files. Lines: 2 of 6 are run, 33.3%. Branches: 1 of 2, 50.0%.$'
expect_line out '^\| common/x.c \| 5 \| 2 \| 40.0% \| 2 \| 1 \| 50.0% \|$'

run "${coverage[@]}" now.json --base "$base" --base-json before.json
expect_status 0
expect_line out '33.3% \(-66.7 since the base\)'
# line 1 is not run either, but the change does not touch it
expect_line out '^\*\*2 lines of the change are not run by any test:\*\*$'
expect_line out '^- common/x.c: 3-4$'
expect_line out '^\| common/x.c .*\| -60.0 \| 0 \|$'
expect_line out '^1 file that the change does not touch is run differently.$'
expect_line out '^\| common/y.c .*\| -100.0 \| - \|$'

# Below the floor, and a floor that went down.
run "${coverage[@]}" now.json --floor tests/floor
expect_status 1
expect_line out '^\*\*Below the floor.\*\* lines: 33.3% is below the floor of 50.0%'
expect_line out '^The floor of branches, 10.0%, can rise: tests/floor.$'
printf 'lines 33.3\nbranches 10\n' >tests/floor
run "${coverage[@]}" now.json --floor tests/floor --base "$base"
expect_status 1
expect_line out 'the floor of lines went down from 50.0% to 33.3%'
printf 'lines 33.3\n' >tests/floor
run "${coverage[@]}" now.json --floor tests/floor
expect_status 3
run "${coverage[@]}" absent.json
expect_status 3
expect_one_line err
finish
