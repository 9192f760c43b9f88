#!/usr/bin/env bash
# Each rule finds what it is for, at the right line, and nothing in a good workflow. Needs node: `make lint` runs it.
#   test.sh      ends with "N passed, N failed"
set -uo pipefail
lint=$(cd "$(dirname "$0")/../.." && pwd)/scripts/lint-workflows.sh
folder=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-lint.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
pin=11bd71901bbe5b1630ceea73d27597364c9af683

# finds NAME PATTERN: the file on standard input has exactly one finding, which matches; "-" for none. It is only
# written down here: one run reads all of them.
finds() {
    mkdir -p "$1"
    cat >"$1/${3:-w.yml}"
    printf '%s\t%s\n' "$1/${3:-w.yml}" "$2" >>wanted
}

# workflow ON STEP...: a workflow with one job of these steps.
workflow() {
    printf 'name: t\non: %s\npermissions: {contents: read}\nconcurrency: {group: g}\njobs:\n  a:\n' "$1"
    printf '    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n    steps:\n'
    shift
    printf '      - %s\n' "$@"
}
push='{push: {branches: [main]}}'
trusted='{workflow_run: {workflows: [b], types: [completed]}} # lint-ok: privileged-trigger because it is tested'
checkout="{uses: actions/checkout@$pin, with: {persist-credentials: false}} # v4.2.2"

workflow "$push" "$checkout" 'run: make' | finds good -
printf 'on: push\njobs:\n  a:\n    x: 1\n   y: 2\n' | finds broken ANY
workflow "$push" '{run: make, if: nosuch.x}' | finds expression ANY
workflow "$push" 'rnu: make' | finds typo ANY
# shellcheck disable=SC2016 # the expressions are GitHub's
{
    workflow "$trusted" 'run: echo "${{ github.event.workflow_run.head_branch }}"' | finds branch ':10:.*\[stranger-in-script\]'
    workflow "$push" 'run: echo "${{ github.sha }}"' | finds sha ':10:.*\[expression-in-script\]'
    workflow "$trusted" "{uses: actions/checkout@$pin, with: {persist-credentials: false, ref: '\${{ github.event.workflow_run.head_sha }}'}} # v4.2.2" | finds foreign ':10:.*\[stranger-checkout\]'
    workflow "$push" 'run: make' | sed 's/    steps:/    env: {T: "${{ github.token }}"}\n    steps:/' | finds wide ':9:.*\[wide-token\]'
    printf 'name: a\ndescription: b\nruns:\n  using: composite\n  steps:\n    - run: make\n' | finds shell ':6:.*\[no-shell\]' action.yml
    printf 'name: a\ndescription: b\ninputs: {x: {description: c}}\nruns:\n  using: composite\n  steps:\n    - run: echo ${{ inputs.x }}\n      shell: bash\n' | finds input ':7:.*\[expression-in-script\]' action.yml
}
workflow '{workflow_run: {workflows: [b], types: [completed]}}' 'run: make' | finds trigger ':2:.*\[privileged-trigger\]'
workflow "$trusted" "{uses: actions/cache@$pin, with: {path: x, key: y}} # v4.2.2" | finds cache ':10:.*\[privileged-cache\]'
workflow "$push" "{uses: actions/checkout@$pin} # v4.2.2" | finds credentials ':10:.*\[kept-credentials\]'
workflow "$push" '{uses: actions/checkout@v4, with: {persist-credentials: false}}' | finds pin ':10:.*\[unpinned\]'
workflow "$push" "{uses: actions/checkout@$pin, with: {persist-credentials: false}}" | finds version ':10:.*\[unpinned\]'
workflow "$push" 'run: make' | sed 's/ubuntu-24.04/ubuntu-latest/' | finds label ':7:.*\[moving-runner\]'
workflow "$push" 'run: make' | sed '/timeout/d' | finds timeout '\[no-timeout\]'
workflow pull_request 'run: make' | sed '/concurrency/d' | finds together '\[no-concurrency\]'
workflow "$push" 'run: make' | sed '/^permissions/d' | finds permissions '\[no-permissions\]'
workflow "$push" 'run: make' | sed 's/^permissions.*/permissions: write-all/' | finds all '\[all-permissions\]'
workflow "$push" 'run: "a\nb\nc\nd\ne\nf\ng"' | finds thick ':10:.*\[thick-step\]'
# shellcheck disable=SC2016 # for the script that is linted
workflow "$push" 'run: rm $HOME' | finds quotes ':10:.*\[SC2086\]'
workflow "$push" 'run: make # lint-ok: no-timeout because' | finds reason '\[waiver\]'
workflow "$push" 'run: make # lint-ok: no-timeout because it is short' | finds unused '\[waiver\]'

cut -f 1 wanted | xargs "$lint" >found 2>&1
passed=0 failed=0
while IFS=$'\t' read -r file pattern; do
    output=$(grep "^$file:" found)
    count=$(grep -c . <<<"$output")
    case $pattern in
    ANY) [ "$count" -gt 0 ] ;;
    -) [ "$count" = 0 ] ;;
    *) [ "$count" = 1 ] && grep -qE -- "$pattern" <<<"$output" ;;
    esac && passed=$((passed + 1)) && continue
    failed=$((failed + 1))
    printf 'FAILED %s: wanted %s, got\n%s\n' "$file" "$pattern" "$output"
done <wanted
if ! grep -q "^$(wc -l <wanted) files, " found; then
    failed=$((failed + 1))
    cat found
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
