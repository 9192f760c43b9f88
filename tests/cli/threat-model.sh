# shellcheck shell=bash
# docs/threat-model.md promises nothing that is not there: limits stand in their files, tests exist.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
doc=$SOURCE/docs/threat-model.md

# Rows of the table of limits: what, limit, name, file, test.
limits=0
while IFS='|' read -r _ what _ name file _; do
    name=$(tr -d '` ' <<<"$name") file=$(tr -d '` ' <<<"$file")
    limits=$((limits + 1))
    grep -qw -- "$name" "$SOURCE/$file" || fail "$what: no $name in $file"
done < <(grep -E "^\|.*\| [\`][A-Za-z_]+[\`] \| [\`][a-z_./]+[\`] \|" "$doc")
[ "$limits" -ge 30 ] || fail "only $limits limits were found in the table"

# `unit/test_log_damage: survives_any_bytes`, `fuzz/log`, `cli/report`, `row/setuid`.
count=0
while read -r test; do
    count=$((count + 1))
    suite=${test%%: *} function=${test#*: }
    [ "$function" = "$test" ] && function=
    folder=${suite%/*} name=${suite#*/}
    case $folder in
    unit) file=$(find "$TESTS/unit" -name "$name.c") ;;
    row) file=$TESTS/system/programs/$name.expect ;;
    cli) file=$TESTS/cli/$name.sh ;;
    *) file=$TESTS/$folder/$name.c ;;
    esac
    if [ ! -f "$file" ]; then
        fail "there is no test $suite"
    elif [ -n "$function" ] && ! grep -qw -- "$function" "$file"; then
        fail "there is no $function in $suite"
    fi
done < <(grep -oE "[\`](unit|contract|fuzz|cli|row)/[a-z_-]+(: [a-z_0-9]+)?[\`]" "$doc" | tr -d '`' | sort -u)
[ "$count" -ge 60 ] || fail "only $count tests were found"
finish
