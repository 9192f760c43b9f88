#!/usr/bin/env bash
# The whole loop with the real parts: prepare, run, trace, check, write, show, compare.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
[ "${INSTRUMENTED:-0}" != 1 ] || skip 'instrumented programs are not what is measured'

mkdir tmp
export TMPDIR=$PWD/tmp

# recorded FILE: what the traces of each target held, without numbers that differ from run to run.
recorded() { grep -oE '"(expected|recorded_min|lost)": [0-9]+|"complete": [a-z]+|"void": .*' "$1"; }

engines=builtin
command -v hyperfine >/dev/null && engines='builtin hyperfine'
# Each operation for each form of the workload, one of them only where code can be put into programs.
forms=2
[ "$(uname -sm)" != 'Linux x86_64' ] || forms=3
for engine in $engines; do
    run "$BIN/tracetax" run --engine "$engine" --rounds 2 --warmup 0 --seed 1 --quiet --export-json "$engine.json"
    expect_status 0
    expect_empty err
    expect_equal "$(grep -c '"void": null' "$engine.json")" $((2 * forms))
    expect_equal "$(grep -c '"expected": 8192, "recorded_min": 8192,.*"lost": 0, "complete": true' "$engine.json")" $forms
    expect_equal "$(grep -c '"expected": 0, "recorded_min": 0,.*"lost": 0, "complete": true' "$engine.json")" $forms
    expect_line "$engine.json" '"name": "filetrace", "sha256": "[0-9a-f]{64}"'
    expect_line "$engine.json" '"name": "workload-static", "sha256": "[0-9a-f]{64}"'
    recorded "$engine.json" >"$engine.recorded"
    cmp builtin.recorded "$engine.recorded" || fail 'the engines recorded other files'
    expect_equal "$(ls -A tmp)" ""
done

run "$BIN/tracetax" show builtin.json
expect_status 0
expect_line out '^dynamic open-close .* ms .* ms .*%'
expect_line out '^static launch .* ms .* ms .*%'
run "$BIN/tracetax" compare builtin.json
expect_status 0

# A base build: copied beside head's, three arms a round.
mkdir -p "base/some where/deeper"
cp "$BIN"/filetrace "$BIN"/libfiletrace* "base/some where/deeper/"
run "$BIN/tracetax" run --engine builtin --rounds 6 --warmup 0 --target dynamic --quiet \
    --base "base/some where/deeper/filetrace" --base-commit ecf9e9af19c581f156188679cb2a9e8d458c9ba8 --export-json base.json
expect_status 0
expect_empty err
expect_equal "$(grep -c '"tracked-base": {' base.json)" 2
expect_equal "$(grep -c '"expected": 8192, "recorded_min": 8192' base.json)" 2
expect_equal "$(grep -c '"head_base_ratio":' base.json)" 2
expect_line base.json '"base_commit": "ecf9e9a'
expect_equal "$(grep -c '"name": "libfiletrace' base.json)" 2
expect_equal "$(ls -A tmp)" ""

# A tracer that loses one path in 8,192 is not fast: the target is void, the others are kept.
cat >losing <<END
#!/bin/sh
[ "\$1" = print ] || exec "$BIN/filetrace" "\$@"
"$BIN/filetrace" "\$@" | sed 's,/t02/file-001777,/t02/elsewhere,'
END
chmod +x losing
run "$BIN/tracetax" run --engine builtin --rounds 2 --warmup 0 --target dynamic --quiet --filetrace "$PWD/losing" --export-json lost.json
expect_status 3
expect_one_line err
expect_line err 'dynamic, operation open-close, is void: the trace of arm tracked lacks 1 of 8192 paths .*/t02/file-001777'
expect_equal "$(grep -c '"void": null' lost.json)" 1
expect_line lost.json '"expected": 8192, "recorded_min": 8191'
expect_equal "$(ls -A tmp)" ""

# A trace that cannot be printed voids, too.
# shellcheck disable=SC2016 # for the script to expand
printf '#!/bin/sh\n[ "$1" = print ] && { echo "filetrace: broken" >&2; exit 3; }\nexec "%s/filetrace" "$@"\n' "$BIN" >broken
chmod +x broken
run "$BIN/tracetax" run --engine builtin --rounds 1 --warmup 0 --target dynamic --quiet --filetrace "$PWD/broken" --export-json broken.json
expect_status 3
expect_line err 'dynamic, operation launch, is void: .*print failed with exit status 3: filetrace: broken'

finish
