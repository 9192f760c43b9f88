#!/usr/bin/env bash
# Reads the workflow files and action.yml with four readers (tests/lint/README.md). Needs node >= 20 and npm.
#   lint-workflows.sh --check      only see whether node and npm are there
#   lint-workflows.sh [FILE...]    those files [.github/workflows/*.yml action.yml]
# Exit status: 0 clean, 1 findings, 2 wrong usage, 3 node, npm or a package is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/node.sh
. "$root/scripts/node.sh"
need_node lint
[ "${1:-}" = --check ] && exit 0

modules=$(node_modules lint "$root/tests/lint" "$root/build")
if [ $# = 0 ]; then
    cd "$root"
    set -- .github/workflows/*.yml action.yml
fi
LINT_MODULES=$modules exec node --no-warnings "$root/tests/lint/lint.mjs" "$@"
