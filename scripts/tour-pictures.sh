#!/usr/bin/env bash
# Takes the pictures of docs/tour.md anew, from a real run on this machine.
#   tour-pictures.sh BUILD_DIR
# Writes docs/pictures/*.png, and prints the tables that stand in the tour. Needs Chromium.
set -euo pipefail
bin=$(cd "${1:?usage: tour-pictures.sh BUILD_DIR}/bin" && pwd)
pictures=$(cd "$(dirname "$0")/../docs" && pwd)/pictures
browser=$(command -v chromium || command -v google-chrome) || { echo 'tour-pictures: no Chromium here' >&2; exit 3; }
work=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-tour.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"
cd "$work"
export XDG_STATE_HOME=$work/state

# picture NAME SCHEME WIDTH HEIGHT: 0 is dark, 1 light.
picture() {
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --blink-settings="preferredColorScheme=$2" --window-size="$3,$4" --virtual-time-budget=3000 \
        --screenshot="$pictures/$1.png" "file://$work/result.html" 2>/dev/null
}

"$bin/tracetax" run --rounds 60 --quiet --export-json before.json
"$bin/tracetax" run --rounds 60 --quiet --export-json result.json
"$bin/tracetax" compare result.json before.json
"$bin/tracetax" compare --format html result.json before.json >result.html
picture report-light 1 1200 1500
picture report-dark 0 1200 1500
picture report-narrow 1 500 1400
