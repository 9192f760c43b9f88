#!/usr/bin/env bash
# Prints what measure.sh measured as Markdown, for the summary of a job.
#   measured.sh
# Exit status 0 also without a result: the step before has failed already.
set -euo pipefail
cd "$(dirname "$0")/.."
result=build/measure/result.json

# The reporter is not built on Windows; the table itself is the same.
if [ -s "$result" ] && [ -x build/release/bin/tracetax-report ]; then
    exec build/release/bin/tracetax-report preview "$result"
elif [ -s "$result" ]; then
    exec build/release/bin/tracetax show --format markdown "$result"
fi
echo '**No result.** The log of the step that measures says why.'
