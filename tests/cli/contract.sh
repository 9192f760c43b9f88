# shellcheck shell=bash
# `make contract` and `make lint` without node, with an old one or without npm say what to install, and install nothing.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
mkdir bin
for tool in bash dirname mktemp sha256sum cut; do ln -s "$(command -v $tool)" "bin/$tool"; done
node_says() {
    # shellcheck disable=SC2016 # not for this shell to expand
    printf '#!/bin/sh\n[ "$1" = -p ] && echo %s || echo v%s.0.0\n' "$1" "$1" >bin/node
    chmod +x bin/node
}
lacks() {
    for script in contract lint-workflows; do
        PATH=$PWD/bin run "$SOURCE/scripts/$script.sh" --check
        expect_status 3
        expect_one_line err
        expect_line err "^${script%%-*}: $1"
    done
}
lacks 'node is not in PATH: install node >= 20'
node_says 18
lacks 'node v18.0.0 is too old: install node >= 20'
node_says 20
lacks 'npm is not in PATH'
printf '#!/bin/sh\n' >bin/npm
chmod +x bin/npm
for script in contract lint-workflows; do
    PATH=$PWD/bin run "$SOURCE/scripts/$script.sh" --check
    expect_status 0
done
finish
