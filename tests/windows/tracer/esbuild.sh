# shellcheck shell=bash
# A real Go program: esbuild.exe bundles lodash-es. The bundle is the unwatched one, and each file that
# esbuild says it has read or written stands in the trace. Needs npm, which fetches both by pinned
# versions and sums into FOLDER, and node; EMULATOR; PROCESSOR; PRNG, the library that wine 8 lacks.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
: "${FOLDER:?}" "${EMULATOR=}" "${PRNG:?}"
[ "$PROCESSOR" = AMD64 ] || skip 'the esbuild.exe that is pinned is for x86-64'
command -v npm >/dev/null || skip 'npm is missing'
esbuild=$FOLDER/node_modules/@esbuild/win32-x64/esbuild.exe
if [ ! -e "$esbuild" ]; then
    mkdir -p "$FOLDER" && cp "$TESTS"/esbuild/package*.json "$FOLDER"
    (cd "$FOLDER" && npm ci --ignore-scripts --no-audit --no-fund --silent --os=win32 --cpu=x64) ||
        skip "npm cannot fetch esbuild for Windows"
fi
# Not in the folder of the packages: its own goes when the test ends.
cp -r "$FOLDER/node_modules" . || exit 1
echo 'import * as lodash from "lodash-es"; console.log(lodash);' >entry.js
if [ -n "$EMULATOR" ]; then
    # Go looks for this one in the system's folder alone.
    "$EMULATOR" --begin
    system=${WINEPREFIX:-$SOURCE/build/wine}/drive_c/windows/system32
    [ -e "$system/bcryptprimitives.dll" ] || cp "$PRNG" "$system" || exit 1
fi
program=node_modules/@esbuild/win32-x64/esbuild.exe
bundle=(--bundle entry.js --log-level=error --metafile=meta.json)

# shellcheck disable=SC2086 # one word or none
run $EMULATOR "$program" "${bundle[@]}" --outfile=unwatched.js
expect_status 0
run "$BIN/filetrace" -f json -o trace -- "./$program" "${bundle[@]}" --outfile=watched.js
expect_status 0
expect_empty err
cmp unwatched.js watched.js || fail 'another bundle'
expect_line trace '"complete":true'

node -e 'const m = JSON.parse(require("fs").readFileSync("meta.json"));
    for (const f of Object.keys(m.inputs)) console.log("read\t" + f);
    for (const f of Object.keys(m.outputs)) console.log("write\t" + f);' | sort >told
[ "$(wc -l <told)" -gt 100 ] || fail "esbuild tells of $(wc -l <told) files"
folder=$(pwd -P)
sed -nE 's/.*"access":\["(read|write)"\],"path":"([^"]*)","error":null\}$/\1\t\2/p' trace |
    sed -e 's/\\\\/\//g' -e "s|\t[A-Z]:.*${folder##*/}/|\t|" | sort -u >recorded
comm -23 told recorded >lacking
expect_empty lacking
echo "esbuild: $(wc -l <told) files told, $(wc -l <recorded) accesses recorded, $(wc -c <watched.js) bytes"
finish
