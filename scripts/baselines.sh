#!/usr/bin/env bash
# Writes baselines/ anew from the newest artifacts of main's own runs, and checks what it wrote.
#   baselines.sh           needs GITHUB_TOKEN (actions: read) and the network
#   baselines.sh --check   only checks the files that are there, without either
# REPOSITORY=owner/name says whose; without it, the address of the remote origin does. The change is left for a
# maintainer to look at and to commit: nothing else writes there.
set -euo pipefail
cd "$(dirname "$0")/.."
report=build/release/bin/tracetax-report

say() { printf 'baselines: %s\n' "$*" >&2; }

check() {
    local files=(baselines/*.json)
    if [ ! -e "${files[0]}" ]; then
        say 'none is committed yet'
        return
    fi
    "$report" check-baselines "${files[@]}"
}

if [ "${1:-}" = --check ]; then
    check
    exit
fi
if [ -z "${REPOSITORY:-}" ]; then
    address=$(git remote get-url origin 2>/dev/null || true)
    REPOSITORY=$(sed -nE 's,^.*[/:]([A-Za-z0-9._-]+/[A-Za-z0-9._-]+)$,\1,p' <<<"${address%.git}")
    if [ -z "$REPOSITORY" ]; then
        say 'which repository? type: make baselines REPOSITORY=owner/name'
        exit 2
    fi
fi
if [ -z "${GITHUB_TOKEN:-}" ]; then
    say "set GITHUB_TOKEN to a token that may read the repository's actions, as \`gh auth token\` prints one"
    exit 2
fi
"$report" baselines --repository "$REPOSITORY"
check
git status --short -- baselines
say 'look at the change and commit it alone; the lines above say for the message which run and commit it comes from'
