#!/usr/bin/env bash
# Installs what is missing of scripts/packages.tsv, after saying what.
#   deps.sh PURPOSE...      PURPOSE: build, test, lint, rehearse, coverage, cross, macos, windows, spawn, fuzz, valgrind
# Quick and silent when nothing is missing. Exit status: 0 everything is there; 1 something
# is missing and could not be installed (the command to type is printed); 2 wrong usage.
set -euo pipefail
table=$(dirname "$0")/packages.tsv

say() { printf 'deps: %s\n' "$*" >&2; }

# is_there PROBE
is_there() {
    case $1 in
    compiler:c) command -v cc >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null ;;
    command:*) command -v "${1#*:}" >/dev/null ;;
    module:*) pkg-config --exists "${1#*:}" 2>/dev/null ;;
    python:*) "$(dirname "$0")/python.sh" "${1#*:}" >/dev/null ;;
    header:*) echo "#include <${1#*:}>" | cc -x c -E -o /dev/null - 2>/dev/null ;;
    link:fuzzer) echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null ;;
    link:static) echo 'int main(void) { return 0; }' |
        cc -x c -static -o /dev/null - 2>/dev/null ;;
    *)
        say "$table: unknown probe '$1'"
        exit 2
        ;;
    esac
}

# The column of packages.tsv that this machine's package manager has.
find_manager() {
    local name
    # MSYS2's pacman knows other names than Arch Linux's.
    if [ -n "${MSYSTEM:-}" ] && [ -n "${MINGW_PACKAGE_PREFIX:-}" ] && command -v pacman >/dev/null; then
        printf 'msys2\n'
        return
    fi
    for name in apt-get pacman brew; do
        if command -v "$name" >/dev/null; then
            printf '%s\n' "$name"
            return
        fi
    done
    printf 'none\n'
}

# look_up PURPOSE...: fills $probes (what is missing) and $packages (what brings it).
look_up() {
    local purpose probe apt brew pacman msys2 wanted rows package
    probes=() packages=()
    rows=$(grep -v '^#' "$table")
    while IFS=$'\t' read -r purpose probe apt brew pacman msys2; do
        case " $* " in *" $purpose "*) ;; *) continue ;; esac
        case $manager in
        brew) wanted=$brew ;;
        pacman) wanted=$pacman ;;
        msys2) wanted=${msys2:--} ;;
        *) wanted=$apt ;;
        esac
        [ "$wanted" = - ] && continue
        is_there "$probe" && continue
        probes+=("${probe#*:}")
        for package in $wanted; do # one need may take several
            [ "$manager" != msys2 ] || package=$MINGW_PACKAGE_PREFIX-$package
            packages+=("$package")
        done
    done <<<"$rows"
}

# as_root COMMAND...: the same with sudo in front when it takes that.
as_root() {
    # shellcheck disable=SC2086 # $sudo is empty or one word
    $sudo "$@"
}

install_packages() {
    case $manager in
    apt-get)
        # Lists older than the packages on the server make the install fail, so they come first.
        as_root apt-get update -q || say 'apt-get update failed; trying with the lists that are there'
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
        ;;
    pacman) as_root pacman -Sy --needed --noconfirm "$@" ;;
    msys2) pacman -Sy --needed --noconfirm "$@" ;;
    brew) brew install "$@" ;;
    esac
}

# The command that a person types.
command_text() {
    case $manager in
    apt-get) printf '%sapt-get update && %sapt-get install -y --no-install-recommends %s' "$1" "$1" "$2" ;;
    pacman) printf '%spacman -Sy --needed %s' "$1" "$2" ;;
    esac
}

for purpose in "$@"; do
    case $purpose in build | test | lint | rehearse | coverage | cross | macos | windows | spawn | fuzz | valgrind) ;; *)
        say "no purpose '$purpose'; there are build, test, lint, rehearse, coverage, cross, macos, windows, spawn, fuzz and valgrind"
        exit 2
        ;;
    esac
done
[ $# -gt 0 ] || { say 'usage: deps.sh PURPOSE...'; exit 2; }

manager=$(find_manager)
look_up "$@"
[ ${#probes[@]} -gt 0 ] || exit 0

say "missing: ${probes[*]}"
if [ "$manager" = none ]; then
    say "found none of apt-get, pacman and brew; install by hand (names as in Debian): ${packages[*]}"
    exit 1
fi

sudo=
if [ "$manager" != brew ] && [ "$manager" != msys2 ] && [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        sudo=sudo
    else
        prefix='' who=' as root'
        command -v sudo >/dev/null && prefix='sudo ' who=''
        say "only root can install packages; type this$who and come back:"
        printf '  %s\n' "$(command_text "$prefix" "${packages[*]}")" >&2
        exit 1
    fi
fi
say "installing with $manager${sudo:+ through sudo}: ${packages[*]}"
# The package manager's own words are progress, not a result.
install_packages "${packages[@]}" >&2 || { say "$manager failed; its reason is above"; exit 1; }

look_up "$@"
[ ${#probes[@]} -eq 0 ] && exit 0
say "still missing after the install: ${probes[*]}"
exit 1
