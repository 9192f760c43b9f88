# shellcheck shell=bash
# An installation below DESTDIR works from there: filetrace, a run of tracetax, and a program that was
# built against libfiletrace through pkg-config and through CMake.
#   install.sh BUILD_DIR
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
build=$1
prefix=/opt/of-its-own
root=$PWD/root$prefix
[ "$INSTRUMENTED" = 1 ] && skip 'instrumented programs are not what is installed'

DESTDIR=$PWD/root run cmake --install "$build" --prefix "$prefix"
expect_status 0

# Nothing but what was meant, and nothing in PATH with a name that is not ours.
expect_equal "$(ls -x -w 200 "$root/bin")" 'filetrace  tracetax  tracetax-report'
for file in lib/filetrace/libfiletrace-preload.so libexec/tracetax/workload libexec/tracetax/workload-static \
    share/man/man1/filetrace.1 share/man/man1/tracetax.1 share/man/man1/tracetax-report.1 \
    share/man/man5/tracetax-suite.5 share/man/man3/libfiletrace.3 share/tracetax/suites/strace.json \
    share/bash-completion/completions/tracetax share/zsh/site-functions/_tracetax \
    share/fish/vendor_completions.d/tracetax.fish share/doc/tracetax/format.md; do
    [ -s "$root/$file" ] || fail "$file is not installed"
done

run "$root/bin/tracetax" run --rounds 6 --warmup 0 --engine builtin --quiet --no-keep --export-json result.json
expect_status 0
expect_empty err
expect_equal "$(grep -c '"void": null' result.json)" "$(grep -c '"operation": ' result.json)"
run "$root/bin/tracetax" show result.json
expect_status 0
expect_line out '^dynamic +launch '
run "$root/bin/tracetax" calibrate --suite "$root/share/tracetax/suites/none.json"
expect_status 3
expect_line err 'none\.json'

# Each public header alone, as another project's compiler takes it.
pc=$(dirname "$(find "$root" -name libfiletrace.pc)")
export PKG_CONFIG_PATH=$pc
for header in "$root"/include/libfiletrace/*/*.h; do
    name=${header#"$root/include/libfiletrace/"}
    printf '#include <%s>\nint main(void) { return 0; }\n' "$name" >header.c
    run cc -std=c17 -Wall -Werror "-I$root/include/libfiletrace" -fsyntax-only header.c
    expect_status 0
done

# The example of the man page is a program that works.
awk '/^\.Bd -literal$/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside' "$SOURCE/docs/libfiletrace.3" |
    sed 's/\\e/\\/g' >example.c
mapfile -t flags < <(pkg-config --cflags --libs libfiletrace | xargs -n 1)
preload=$(pkg-config --variable=preload libfiletrace)
run cc -std=c17 -Wall -Wextra -Werror "-DPRELOAD=\"$preload\"" example.c "${flags[@]}" -o example
expect_status 0
run ./example cat "$SOURCE/LICENSE"
expect_status 0
expect_line out "^open(at)? $SOURCE/LICENSE\$"
expect_empty err

mkdir other
cat >other/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(other C)
find_package(libfiletrace 0.1 REQUIRED)
add_executable(other ../example.c)
target_compile_definitions(other PRIVATE PRELOAD="${LIBFILETRACE_PRELOAD}")
target_link_libraries(other PRIVATE libfiletrace::libfiletrace)
END
run cmake -S other -B other/build -DCMAKE_PREFIX_PATH="$root"
expect_status 0
run cmake --build other/build
expect_status 0
run other/build/other cat "$SOURCE/LICENSE"
expect_status 0
expect_line out "^open(at)? $SOURCE/LICENSE\$"

# The whole tree elsewhere still works: nothing remembers where it was installed.
mv root moved
run "moved$prefix/bin/filetrace" -o trace cat "$SOURCE/LICENSE"
expect_status 0
expect_line trace "^read	$SOURCE/LICENSE	-\$"
finish
