# shellcheck shell=bash
# The built programs carry what cmake/flags.cmake asks for: an own place in memory at each start, tables that
# the loader closes, a stack that neither runs code nor overflows unseen, and checked calls of the C library.
#   hardening.sh CONFIG      as CMake names it
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
config=${1:?}

# has PROGRAM WHAT REGEX READELF_OPTION...
has() {
    local program=$1 what=$2 regex=$3
    shift 3
    readelf -W "$@" "$BIN/$program" | grep -Eq -- "$regex" || fail "$program: $what"
}

for program in tracetax tracetax-report filetrace; do
    has "$program" 'its stack can run code' 'GNU_STACK .* RW +0x' -l
    has "$program" 'has no stack protector' ' __stack_chk_fail' -s
    # Linked statically, as filetrace is where musl is there, a program has no loader to do the rest.
    readelf -W -l "$BIN/$program" | grep -q ' INTERP ' || {
        [ "$program" = filetrace ] || fail "$program: is linked statically"
        continue
    }
    has "$program" 'always lies at one place (no PIE)' 'FLAGS_1.* PIE' -d
    has "$program" 'its tables stay writable (no RELRO)' ' GNU_RELRO ' -l
    has "$program" 'its tables are filled late (partial RELRO)' 'FLAGS.* (BIND_)?NOW' -d
    [ "$config" = Debug ] || [ "$INSTRUMENTED" = 1 ] ||
        has "$program" 'has no fortified calls' ' __[a-z]+_chk@GLIBC' --dyn-syms
done
finish
