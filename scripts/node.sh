# shellcheck shell=bash
# For scripts that need node: is it there, and the packages that a lock file pins. To be sourced.

# need_node NAME: exits with 3 when node >= 20 or npm is missing; nothing is installed in its place.
need_node() {
    local major
    if ! command -v node >/dev/null; then
        printf '%s: node is not in PATH: install node >= 20 with npm (https://nodejs.org, or nodejs and npm of your system)\n' "$1" >&2
        exit 3
    fi
    major=$(node -p 'process.versions.node.split(".")[0]')
    if [ "$major" -lt 20 ]; then
        printf '%s: node %s is too old: install node >= 20 (https://nodejs.org)\n' "$1" "$(node --version)" >&2
        exit 3
    fi
    if ! command -v npm >/dev/null; then
        printf '%s: npm is not in PATH: it comes with node from https://nodejs.org; do not install another package over this node\n' "$1" >&2
        exit 3
    fi
}

# node_modules NAME PINNED BUILD: prints the folder below BUILD that has the packages of PINNED/package-lock.json. It is
# made anew when the lock file changes, whole or not at all; no package's own scripts are run.
node_modules() {
    local modules making
    modules=$3/$1-$(sha256sum "$2/package-lock.json" | cut -c1-12)
    if [ ! -d "$modules" ]; then
        mkdir -p "$3"
        making=$(mktemp -d "$3/$1-making.XXXXXX")
        cp "$2/package.json" "$2/package-lock.json" "$making"
        if ! (cd "$making" && npm ci --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error >/dev/null); then
            rm -rf "$making"
            printf '%s: npm could not fetch what %s pins: is there a network?\n' "$1" "$2/package-lock.json" >&2
            return 3
        fi
        mv "$making" "$modules"
    fi
    (cd "$modules" && pwd)
}
