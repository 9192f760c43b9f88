#!/usr/bin/env bash
# Runs the contract tests of BUILD_DIR and holds every exchange against GitHub's own description of its
# API (tests/contract/referee/README.md). Needs node >= 20 and npm.
#   contract.sh --check        only see whether node and npm are there
#   contract.sh BUILD_DIR
# Exit status 3 when node or npm is missing or too old; nothing is installed in its place.
set -euo pipefail
build=${1:?usage: contract.sh BUILD_DIR, or --check}
referee=$(cd "$(dirname "$0")/../tests/contract/referee" && pwd)

# shellcheck source=scripts/node.sh
. "$(dirname "$0")/node.sh"
need_node contract
[ "$build" = --check ] && exit 0

modules=$(node_modules contract "$referee" "$build")
log=$(cd "$build" && pwd)/contract.log
rm -f "$log"
# one test after the other: they append to one file
TRACETAX_CONTRACT_LOG=$log ctest --test-dir "$build" --label-regex contract --parallel 1 --output-on-failure --no-tests=error
REFEREE_MODULES=$modules node "$referee/referee.mjs" "$log"
