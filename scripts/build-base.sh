#!/usr/bin/env bash
# Builds another commit's programs, to be measured beside this one's.
#   build-base.sh REVISION
# The commit is checked out in a git worktree, build/base-<commit>/source, and built with the same
# flags into build/base-<commit>, which is as deep as build/release: a path's length and depth are
# part of what a run costs. The path of its filetrace is the one line on standard output.
set -euo pipefail
revision=${1:?usage: build-base.sh REVISION}
cd "$(dirname "$0")/.."

say() { printf 'build-base: %s\n' "$*" >&2; }

if ! commit=$(git rev-parse --verify --quiet --end-of-options "$revision^{commit}"); then
    say "$revision: no such commit here; fetch it first (git fetch origin)"
    exit 1
fi
build=$PWD/build/base-${commit:0:12}
source=$build/source

if [ "$(git -C "$source" rev-parse HEAD 2>/dev/null)" != "$commit" ]; then
    git worktree prune
    mkdir -p "$build"
    say "checking out $revision ($commit)"
    git worktree add --quiet --force --detach "$source" "$commit" >&2
fi
if [ ! -d "$source/tracer" ]; then
    say "$revision has no tracer yet: there is nothing to compare with"
    exit 1
fi
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF >&2
cmake --build "$build" >&2
[ -x "$build/bin/filetrace" ] || { say "$build/bin/filetrace was not built"; exit 1; }
printf '%s\n' "$build/bin/filetrace"
