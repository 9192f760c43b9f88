#!/usr/bin/env bash
# Writes the comment of a benchmark run: what the trusted workflow does (docs/reporting.md).
#   report.sh
# Reads what GitHub Actions sets: GITHUB_EVENT_PATH, GITHUB_TOKEN and what else `tracetax-report --help` names.
# A run of the default branch also leaves its longer history in build/report/history.json.
# The exit status is tracetax-report's.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build/report
rm -f build/report/history.json
exec build/release/bin/tracetax-report comment --event "${GITHUB_EVENT_PATH:?is set by GitHub Actions}" \
    --export-history build/report/history.json
