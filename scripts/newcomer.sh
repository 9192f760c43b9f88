#!/usr/bin/env bash
# Does what the README tells a newcomer, in a fresh Debian root that holds git, make and a C compiler.
#   newcomer.sh SUITE [ROOT]     SUITE: bookworm, trixie, ...; ROOT: a root made before, which is kept
# As an unprivileged user and as root; without network once `make deps` is done. Needs root,
# mmdebstrap and unshare; the packages come from the archives that this machine's apt uses.
# Prints a line a step, each with its seconds; logs are in build/newcomer. Nothing else is left behind.
# Exit status: 0 all steps are good, 1 one is not, 3 cannot be tried here.
set -uo pipefail
suite=${1:?usage: newcomer.sh SUITE [ROOT]}
given=${2:-}
here=$(cd "$(dirname "$0")/.." && pwd -P)
logs=$here/build/newcomer/$suite
failures=0

say() { printf 'newcomer %s: %s\n' "$suite" "$*"; }
cannot() { say "$*" >&2; exit 3; }
[ "$(id -u)" = 0 ] || cannot 'needs root, to make a root file system'
command -v unshare >/dev/null || cannot 'unshare is missing (util-linux)'
[ -n "$given" ] || command -v mmdebstrap >/dev/null || cannot 'mmdebstrap is not installed: apt-get install mmdebstrap'
unshare --mount --net --pid --fork true 2>/dev/null || cannot 'no name spaces can be made here'

work=$(mktemp -d "${TMPDIR:-/tmp}/tracetax-newcomer.XXXXXX") || exit 3
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 143' TERM INT HUP
mkdir -p "$logs"
root=${given:-$work/root}

# step NAME NETWORK WHO EXPECT COMMAND: a shell command inside, as a login shell has it. NETWORK: online or
# offline (127.0.0.1 only); WHO: root or user; EXPECT: an exit status, and words that its output must hold.
step() {
    local name=$1 network=$2 who=$3 status=$4 words=$5 command=$6 started=$SECONDS got
    local log=$logs/${name// /-}.log space=(--mount --pid --fork --kill-child)
    [ "$network" = online ] || space+=(--net)
    # shellcheck disable=SC2016 # the shell inside expands these
    unshare "${space[@]}" bash -c '
        set -e
        root=$1 network=$2 who=$3 command=$4
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/dev/shm"
        [ "$network" = online ] || ip link set lo up
        id=newcomer home=/home/newcomer
        [ "$who" != root ] || id=root home=/root
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
            HOME="$home" USER="$id" LOGNAME="$id" TERM=dumb setpriv --reuid "$id" --regid "$id" --init-groups \
            bash -c "cd && $command"
    ' bash "$root" "$network" "$who" "$command" >"$log" 2>&1 </dev/null
    got=$?
    if [ "$got" = "$status" ] && { [ -z "$words" ] || grep -qE -- "$words" "$log"; }; then
        say "good: $name ($((SECONDS - started)) s)"
        return
    fi
    failures=$((failures + 1))
    say "BAD: $name: exit status $got (wanted $status), output (wanted /$words/), see ${log#"$here/"}:"
    tail -n 20 "$log" | sed 's/^/    /'
}

# --- the fresh machine
if [ -z "$given" ]; then
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mkdir "$work/sources"
    while IFS= read -r file; do
        sed "s/\\b$codename\\b/$suite/g; s/\\b$codename-/$suite-/g" "$file" >"$work/sources/$(basename "$file")"
    done < <(find /etc/apt -maxdepth 2 \( -name '*.list' -o -name '*.sources' \))
    mmdebstrap --quiet --variant=apt --include=git,make,gcc,libc6-dev,passwd "$suite" "$root" "$work/sources"/* \
        >"$logs/root.log" 2>&1 || cannot "no root can be made (are the packages to be had?): $(tail -n 1 "$logs/root.log")"
fi
rm -rf "$root/home/newcomer" "$root/root/tracetax" "$root/opt/tracetax"
chroot "$root" userdel newcomer >/dev/null 2>&1
chroot "$root" useradd --create-home --shell /bin/bash newcomer || exit 3
# The commit that is checked out, as `git clone` gives it.
git -C "$here" bundle create -q "$work/bundle" HEAD && cp "$work/bundle" "$root/tmp/bundle" || exit 3
for who in user root; do
    step "$who clones" offline $who 0 '' 'git clone -q /tmp/bundle tracetax && cd tracetax && make | grep bench'
done

# --- nothing is installed yet, and no way to install it: one command to type, nothing half done
step 'user without packages' offline user 2 'only root can install packages.*' 'cd tracetax && make bench'
step 'deps without network' offline root 2 'apt-get (update )?failed' 'cd tracetax && make deps'
step 'deps' online root 0 '' 'cd tracetax && make deps'
step 'deps again' offline root 0 '' 'cd tracetax && make deps'

# --- the two commands, without network
step 'user bench' offline user 0 '^static open-close .* no baseline' 'cd tracetax && make bench'
step 'user bench again' offline user 0 'Compared with this machine.s last run' 'cd tracetax && make bench'
step 'user test' offline user 0 ' 0 failed' 'cd tracetax && make test'
step 'root bench' offline root 0 'static open-close' 'cd tracetax && make bench'
step 'root test' offline root 0 ' 0 failed' 'cd tracetax && make test'

# --- installed
# shellcheck disable=SC2016 # the shell inside expands it
step 'user installs at home' offline user 0 '' 'cd tracetax && make install PREFIX=$HOME/.local'
step 'user uses that' offline user 0 'read	/etc/hostname	-' '.local/bin/filetrace -o - -- cat /etc/hostname'
step 'user installs for all' offline user 2 'Permission denied|cannot' 'cd tracetax && make install'
step 'root installs' offline root 0 '' 'cd tracetax && make install'
step 'user measures' offline user 0 'dynamic open-close' 'mkdir -p m && cd m && tracetax run --rounds 3 --quiet && tracetax compare result.json'

# --- wrong ways: one line that says what to do
step 'no command' offline user 125 '^filetrace: no command' 'filetrace'
step 'no such command' offline user 127 '^filetrace: cannot run nosuch: No such file' 'filetrace nosuch'
step 'no such result' offline user 3 '^tracetax compare: cannot read nosuch.json: No such file' 'tracetax compare nosuch.json'
step 'a folder that is not ours' offline user 3 '^tracetax run: cannot write .*: give --export-json|Permission denied' 'cd / && tracetax run --rounds 2'
step 'a trace that is none' offline user 3 '^filetrace: .*passwd' 'filetrace print /etc/passwd'

[ "$failures" = 0 ] || { say "$failures steps are bad"; exit 1; }
say 'all steps are good'
