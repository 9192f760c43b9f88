# shellcheck shell=bash
# The HTML report is one file, well-formed, whatever the result says about itself.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"
data=$SOURCE/tests/data/compare

# well_formed FILE: every element that begins ends, in order (void elements aside).
well_formed() {
    sed -E '1d; /^<style>/,/^<\/style>/d' "$1" | grep -oE '<[^>]*>' | awk '
        /\/>$/ || /^<(meta|link)[ >]/ { next }
        /^<\// { name = substr($0, 3, length($0) - 3); if (stack[n--] != name) { print NR ": " $0; exit } next }
        { name = $0; sub(/^</, "", name); sub(/[ >].*/, "", name); stack[++n] = name }
        END { if (n) print "left open: " stack[n] }'
}

for pair in 'now before' 'head-base before' 'odd odd-before' 'now other-cpu'; do
    read -r now before <<<"$pair"
    run "$BIN/tracetax" compare --format html --history "$data/history.json" "$data/$now.json" "$data/$before.json"
    expect_status 0
    expect_equal "$(well_formed out)" ''
    expect_equal "$(grep -c '<h1>' out)" 1
    # Nothing is fetched and nothing is run.
    expect_no_line out '<script|<img|<iframe|@import|url\(|https?://[^y]|javascript:'
    expect_no_line out 'nan|inf["% ]'
    expect_equal "$(grep -c '<svg' out)" "$(grep -c '<svg [^>]*role="img" aria-label="[^"]' out)"
done

# A target named like markup stays text.
sed 's/"name": *"dynamic"/"name": "<script>alert(1)<\/script>\\" onload=\\"x"/' "$data/now.json" >hostile.json
run "$BIN/tracetax" show --format html hostile.json
expect_status 0
expect_line out '&lt;script&gt;alert\(1\)&lt;/script&gt;&quot; onload=&quot;x'
expect_no_line out '<script'
expect_equal "$(well_formed out)" ''

# Several results make one document; the history draws a trend in it.
run "$BIN/tracetax" show --format html --history "$data/history.json" "$data/now.json" "$data/before.json"
expect_status 0
expect_equal "$(grep -c '<html' out)-$(grep -c '</html>' out)-$(grep -c '<table>' out)" 1-1-2
expect_line out 'Overhead in the last [0-9]+ runs'

run "$BIN/tracetax" show --format html --history missing.json "$data/now.json"
expect_status 3
expect_one_line err
expect_empty out

# Every sample is a dot, and of too many every n-th is.
run "$BIN/tracetax" show --format html "$data/now.json"
expect_line out '60 rounds, median'
dots=$(grep -oE 'class="dots" d="[^"]*"' out | head -n 1 | grep -o 'h0' | wc -l)
expect_equal "$dots" 60
finish
