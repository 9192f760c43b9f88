#!/usr/bin/env bash
# Looks at the HTML report in headless Chromium: at 360 and at 1600 pixels, in light and dark, nothing
# may stick out sideways, and the console must stay empty; on paper it must make a PDF.
#   check-html.sh BUILD_DIR [FOLDER]
# FOLDER receives the screenshots; without it they are thrown away. Exit status: 0 fine, 1 not,
# 3 there is no Chromium.
set -euo pipefail
bin=$(cd "${1:?usage: check-html.sh BUILD_DIR [FOLDER]}/bin" && pwd)
data=$(cd "$(dirname "$0")/../tests/data" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-html.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "${2:-$work}"
shots=$(cd "${2:-$work}" && pwd)
cd "$data"

say() { printf 'check-html: %s\n' "$*" >&2; }
browser=
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        browser=$name
        break
    fi
done
[ "$browser" ] || { say 'no Chromium here: apt-get install chromium'; exit 3; }

# browse URL OPTION...: what the page says on the console ends in $work/console.
browse() {
    local url=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --allow-file-access-from-files --virtual-time-budget=5000 --enable-logging=stderr --v=0 "$@" \
        "file://$url" 2>"$work/log"
    grep ':CONSOLE' "$work/log" >>"$work/console" || true
}

# A frame is as narrow as we want; a window is not. It tells what sticks out of it.
frame() {
    cat >"$work/frame-$2-$1.html" <<END
<!DOCTYPE html><meta charset="utf-8"><title>frame</title><style>body{margin:0}iframe{border:0}</style>
<pre id="told">not loaded</pre><iframe id="frame" src="$2.html" width="$1" height="900"></iframe>
<script>
addEventListener('load', () => {
  const page = document.getElementById('frame').contentDocument, root = page.documentElement, out = [];
  if (root.scrollWidth > root.clientWidth) out.push('page is ' + root.scrollWidth + ' wide');
  for (const element of page.querySelectorAll('body *')) {
    const box = element.getBoundingClientRect();
    if (box.width && getComputedStyle(element).clipPath === 'none' && !element.closest('thead') &&
        (box.right > root.clientWidth + 1 || box.left < -1))
      out.push(element.tagName + ' from ' + box.left + ' to ' + box.right);
  }
  for (const svg of page.querySelectorAll('svg'))
    if (!svg.getAttribute('aria-label') || svg.getAttribute('role') !== 'img') out.push('svg without a label');
  if (!page.querySelector('h1')) out.push('no heading');
  document.getElementById('frame').height = root.scrollHeight;
  document.getElementById('told').textContent = 'told:' + root.scrollHeight + ':' + out.join('; ') + ':';
  document.getElementById('told').hidden = true;
});
</script>
END
}

: >"$work/console"
failures=0
"$bin/tracetax" compare --format html --history compare/history.json compare/now.json \
    compare/before.json >"$work/history.html"
"$bin/tracetax" compare --format html compare/head-base.json compare/before.json >"$work/base.html"
"$bin/tracetax" compare --format html compare/odd.json compare/odd-before.json >"$work/odd.html"
for page in history base odd; do
    for width in 360 1600; do
        frame $width $page
        told=$(browse "$work/frame-$page-$width.html" --dump-dom |
            sed -n 's/.*id="told"[^>]*>told:\(.*\):<.*/\1/p')
        height=${told%%:*}
        if [ "$told" != "$height:" ]; then
            say "$page at $width pixels: ${told:-nothing was loaded}"
            failures=$((failures + 1))
            height=2000
        fi
        for scheme in 0-dark 1-light; do
            browse "$work/frame-$page-$width.html" --window-size="$((width > 500 ? width : 500)),$height" \
                --blink-settings="preferredColorScheme=${scheme%-*}" \
                --screenshot="$shots/$page-$width-${scheme#*-}.png" >/dev/null
        done
    done
    browse "$work/$page.html" --print-to-pdf="$shots/$page.pdf" >/dev/null
    [ -s "$shots/$page.pdf" ] || { say "$page cannot be printed"; failures=$((failures + 1)); }
done
if [ -s "$work/console" ]; then
    say "the console is not empty: $(head -n 3 "$work/console")"
    failures=$((failures + 1))
fi
[ "$failures" = 0 ] || exit 1
say 'three reports fit 360 and 1600 pixels, print, and leave the console empty'
