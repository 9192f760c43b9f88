#!/usr/bin/env bash
# Runs a Windows program under wine, in a prefix of its own below build/.
#   wine.sh PROGRAM [ARG...]   exit status: the program's (its low 8 bits); 125 when there is no prefix
#   wine.sh --begin            make the prefix, so that the first program does not pay for it
#   wine.sh --end              end every process of the prefix; what is in it stays
# WINEPREFIX, when set, is used instead of build/wine.
set -uo pipefail
: "${WINEPREFIX:=$(cd "$(dirname "$0")/.." && pwd)/build/wine}"
# Quiet: no debug text, no offers to install .NET or a browser, no window.
export WINEPREFIX WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
# Arguments and names of files are UTF-8, whatever the caller's locale is.
export LC_ALL=C.UTF-8
ready=$WINEPREFIX/tracetax-ready

make_prefix() {
    command -v wine >/dev/null || { echo 'wine.sh: wine is missing: install wine and wine64' >&2; return 1; }
    mkdir -p "$WINEPREFIX" || return 1
    # Tests start at the same time; one makes it, the others wait.
    (
        flock 9 || exit 1
        [ -e "$ready" ] && exit 0
        wine wineboot -i >/dev/null 2>&1 </dev/null || exit 1
        # A new prefix says that it is Windows 7.
        wine winecfg -v win10 >/dev/null 2>&1 </dev/null || exit 1
        : >"$ready"
    ) 9>"$WINEPREFIX/tracetax-lock" || { echo "wine.sh: cannot make the prefix $WINEPREFIX" >&2; return 1; }
}

case ${1:?usage: wine.sh PROGRAM [ARG...]} in
--begin)
    make_prefix
    exit
    ;;
--end)
    [ ! -d "$WINEPREFIX" ] && exit 0
    wineserver -k >/dev/null 2>&1
    wineserver -w >/dev/null 2>&1
    exit 0
    ;;
esac

[ -e "$ready" ] || make_prefix || exit 125
# Through files, in the prefix because TMPDIR may be the program's to judge: the processes that wine leaves in the background hold what the first program's
# streams were, and who reads a pipe would wait for them.
streams=$(mktemp -d "$WINEPREFIX/streams.XXXXXX") || exit 125
trap 'rm -rf "$streams"' EXIT
wine "$@" >"$streams/out" 2>"$streams/err"
status=$?
cat "$streams/out"
cat "$streams/err" >&2
exit "$status"
