# shellcheck shell=bash
# A watched program that cuts the shared log to nothing, which everybody has mapped, ends nobody.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

cat >cutter <<'END'
#!/bin/bash
found=0
for file in "/proc/$PPID/fd/"*; do
    [[ $(readlink "$file") == *filetrace* ]] || continue
    found=$((found + 1))
    (: >"$file") 2>/dev/null && echo "cut $file"
done
echo "found $found"
cat after
END
chmod +x cutter
echo text >after
for options in '' --strict; do
    # shellcheck disable=SC2086 # empty or one word
    run "$BIN/filetrace" $options -f json -o trace -- ./cutter
    expect_status 0
    expect_equal "$(tr '\n' ' ' <out)" 'found 1 text '
    expect_line trace '"path":"[^"]*/after","error":(null|"unknown")'
    expect_line trace '"type":"summary".*"lost":0,.*"complete":true'
done
finish
