#!/usr/bin/env bash
# Makes the packages, installs the .deb in a clean Debian root, and uses it there.
#   check-package.sh BUILD_DIR
# Needs mmdebstrap, and root or user namespaces. The root is made in a temporary folder, from the
# archives that this machine's apt uses. Exit status: 0 it works, 1 it does not, 3 cannot be tried.
set -euo pipefail
build=$(cd "${1:?usage: check-package.sh BUILD_DIR}" && pwd)

say() { printf 'check-package: %s\n' "$*" >&2; }
command -v mmdebstrap >/dev/null || { say 'mmdebstrap is not installed: apt-get install mmdebstrap'; exit 3; }

work=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

(cd "$build" && cpack -B "$work/packages" >"$work/cpack.log") || { cat "$work/cpack.log" >&2; exit 1; }
deb=$(find "$work/packages" -maxdepth 1 -name '*.deb')
archive=$(find "$work/packages" -maxdepth 1 -name '*.tar.gz')
if [ -z "$deb" ] || [ -z "$archive" ]; then
    say 'cpack made no .deb or no tarball'
    exit 1
fi
tar -tzf "$archive" | grep '/bin/tracetax$' >/dev/null || { say "$archive holds no tracetax"; exit 1; }
chmod 755 "$work" "$work/packages"

cat >"$work/use" <<'END'
set -eu
cd /tmp
export XDG_STATE_HOME=/tmp/state
filetrace --version
filetrace -f json -o trace.json -- cat /etc/hostname >/dev/null
grep -q '"path":"/etc/hostname"' trace.json
tracetax run --rounds 6 --warmup 0 --engine builtin --target dynamic --quiet --export-json result.json
tracetax show result.json
tracetax show --format html result.json >result.html
tracetax-report --version
END

mapfile -t sources < <(find /etc/apt -maxdepth 2 \( -name '*.list' -o -name '*.sources' \))
# shellcheck disable=SC2016 # $1 is the root's folder, put in by mmdebstrap
mmdebstrap --quiet --variant=apt \
    --customize-hook="copy-in $deb $work/use /tmp" \
    --customize-hook='chroot "$1" sh -c "apt-get install --yes --no-install-recommends /tmp/*.deb </dev/null"' \
    --customize-hook='chroot "$1" sh /tmp/use' \
    "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" /dev/null "${sources[@]}"
say "$(basename "$deb") installs and runs in a clean root"
