# shellcheck shell=bash
# Four supervised programs at once, dynamic and static, each with four threads: nothing is lost.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
for program in many_paths many_paths_static; do
    jobs=()
    for i in 1 2 3 4; do
        "$BIN/filetrace" -f json -o "trace$i" -- "$TEST_BIN/system/$program" 4 2500 >"out$i" 2>"err$i" &
        jobs+=($!)
    done
    printf '10000*any\t~/absent/t[0-3]-[0-9]{7}-z+\t*\n' >expect
    for i in 1 2 3 4; do
        wait "${jobs[i - 1]}" || fail "$program: filetrace $i ends with $?"
        expect_equal "$(cat "out$i")" 'ok many_paths'
        "$TEST_BIN/check_trace" "$PWD" "$program" expect true - 'exit 0' "trace$i" || fail "$program: accesses are lost"
    done
done
finish
