# shellcheck shell=bash
# env(1) is linked with a copy of the C library's `environ`: what it passes on is that copy, with
# the changes of those before it, not what the C library started with.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

mkdir tools
printf '#!/bin/sh\necho found\n' >tools/only-in-tools
# shellcheck disable=SC2016 # the scripts expand these
printf '#!/usr/bin/env sh\nonly-in-tools "$1"\n' >second
# shellcheck disable=SC2016 # and this one
printf '#!/usr/bin/env sh\nPATH=%s/tools:$PATH exec %s/second\n' "$PWD" "$PWD" >first
chmod +x tools/only-in-tools first second
run "$BIN/filetrace" -f json -o trace -- ./first
expect_status 0
expect_equal "$(cat out)" found
expect_line trace '"op":"execve","access":\["read"\],"path":"[^"]*/tools/only-in-tools","error":null'
finish
