#!/usr/bin/env bash
# Runs the contract tests of BUILD_DIR and holds every exchange against GitHub's own description of its
# API (tests/contract/referee/README.md). Needs node >= 20 and npm.
#   contract.sh --check        only see whether node and npm are there
#   contract.sh BUILD_DIR
# Exit status 3 when node or npm is missing or too old; nothing is installed in its place.
set -euo pipefail
build=${1:?usage: contract.sh BUILD_DIR, or --check}
referee=$(cd "$(dirname "$0")/../tests/contract/referee" && pwd)

lacks() {
    printf 'contract: %s\n' "$1" >&2
    exit 3
}
command -v node >/dev/null ||
    lacks 'node is not in PATH: install node >= 20 with npm (https://nodejs.org, or nodejs and npm of your system)'
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || lacks "node $(node --version) is too old: install node >= 20 (https://nodejs.org)"
command -v npm >/dev/null ||
    lacks 'npm is not in PATH: it comes with node from https://nodejs.org; do not install another package over this node'

[ "$build" = --check ] && exit 0

# A folder of its own, made anew when the pinned versions change, whole or not at all.
modules=$build/contract-$(sha256sum "$referee/package-lock.json" | cut -c1-12)
if [ ! -d "$modules" ]; then
    making=$(mktemp -d "$build/contract-making.XXXXXX")
    trap 'rm -rf "$making"' EXIT
    cp "$referee/package.json" "$referee/package-lock.json" "$making"
    (cd "$making" && npm ci --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error >/dev/null) || {
        echo "contract: npm could not fetch the checker: is there a network? (pinned in $referee)" >&2
        exit 3
    }
    mv "$making" "$modules"
    trap - EXIT
fi

log=$(cd "$build" && pwd)/contract.log
rm -f "$log"
# one test after the other: they append to one file
TRACETAX_CONTRACT_LOG=$log ctest --test-dir "$build" --label-regex contract --parallel 1 --output-on-failure --no-tests=error
REFEREE_MODULES=$(cd "$modules" && pwd) node "$referee/referee.mjs" "$log"
