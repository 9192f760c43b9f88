#!/usr/bin/env bash
# Reads what we ship with gcc's own analyzer (-fanalyzer): common, tracer, harness and report.
#   analyze.sh BUILD_DIR     built; its compile_commands.json says how each file is compiled
# ANALYZER is the compiler, gcc without: other versions find other things. Leaks are left to the tests that let
# each allocation fail, to LeakSanitizer and to valgrind: gcc 12 takes what is kept in an array of structures for lost.
# Exit status: 0 clean, 1 findings, 2 wrong usage.
set -uo pipefail
build=$(cd "${1:?usage: analyze.sh BUILD_DIR}" && pwd -P) || exit 2
cd "$(dirname "$0")/.." || exit 2
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
compiler=${ANALYZER:-gcc}
work=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-analyze.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

# One line a file, "FOLDER<TAB>COMMAND", each file once.
python=$(scripts/python.sh json) || exit 2
"$python" - "$build/compile_commands.json" "$PWD" >"$work/commands" <<'END' || exit 2
import json, shlex, sys
seen = set()
for entry in json.load(open(sys.argv[1])):
    name = entry["file"][len(sys.argv[2]) + 1:]
    words = shlex.split(entry["command"])
    while words and not words[0].startswith("-") and words[0].endswith("ccache"):
        words.pop(0)
    if name in seen or name.split("/")[0] not in ("common", "tracer", "harness", "report"):
        continue
    seen.add(name)
    at = words.index("-o")
    print(entry["directory"], shlex.join(words[1:at] + words[at + 2:]), sep="\t")
END
[ -s "$work/commands" ] || { echo 'analyze: nothing to read' >&2; exit 2; }

# shellcheck disable=SC2016 # the inner shell expands these
tr '\n' '\0' <"$work/commands" | xargs -0 -n 1 -P "$jobs" bash -c '
    cd "${3%%	*}" && eval "$2 -fanalyzer -Wno-analyzer-malloc-leak -DTRACETAX_ANALYZER -o /dev/null ${3#*	}" >"$(mktemp "$1/found.XXXXXX")" 2>&1 || exit 1
    ' analyze "$work" "$compiler"
status=$?
cat "$work"/found.*
if [ $status != 0 ] || cat "$work"/found.* | grep -q 'warning:'; then
    echo 'analyze: findings'
    exit 1
fi
printf 'analyze: %d files, clean\n' "$(wc -l <"$work/commands")"
