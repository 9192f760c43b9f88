# shellcheck shell=bash disable=SC2317
# Each option stands in the code, in --help, in the man page and in the completion of each shell.
# PLACE_options are called by their names, which shellcheck takes for never (SC2317).
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

# Program, command ("-": none), the code that reads its options ("-": no table of its own).
rows='filetrace - tracer/main.c
filetrace print -
tracetax - -
tracetax run harness/cmd_run.c
tracetax compare harness/cmd_compare.c
tracetax show harness/cmd_show.c
tracetax table harness/cmd_table.c
tracetax calibrate harness/cmd_calibrate.c
tracetax-report comment report/main.c
tracetax-report preview report/main.c
tracetax-report baselines -
tracetax-report check-baselines -'

# words: the options in a text, one a line.
words() { grep -oE -- '(^|[^a-zA-Z0-9-])--?[a-z][a-z-]*' | sed -E 's/^[^-]//' | sort -u; }

# listed: the option lines of a help text, without what they say.
listed() { sed -nE 's/^ {2,6}(-.*)$/\1/p' | sed -E 's/ {2,}.*//'; }

help_options() {
    case $1-$2 in
    filetrace-print)
        # The line of the synopsis, each short option with the long one that the list gives it.
        local list option
        list=$("$BIN/filetrace" --help | listed)
        for option in $("$BIN/filetrace" --help | grep 'filetrace print' | words) -h --version; do
            grep -E -- "(^|, )$option( |,|$)" <<<"$list" | words
        done | sort -u
        ;;
    tracetax-report-*baselines)
        { "$BIN/$1" --help | awk -v command="$2" '
              /^[a-z-]+:/ { inside = index($0, command ":") == 1 } inside' | listed | words
          printf '%s\n' --help --version; } | sort -u ;;
    tracetax-report-*)
        "$BIN/$1" --help | awk -v command="$2" '
            /^[a-z-]+:/ { inside = index($0, command ":") == 1 || /^both:/ }
            inside' | listed | words
        ;;
    *--) "$BIN/$1" --help | listed | words ;;
    *) "$BIN/$1" "$2" --help | listed | words ;;
    esac
}

man_options() {
    local sections
    case $1-$2 in
    filetrace--) sections='.Ss filetrace' ;;
    tracetax--) sections='.Sh DESCRIPTION' ;;
    tracetax-report-*baselines) sections=".Ss $2" ;;
    tracetax-report-*) sections=".Ss $2|.Ss Both" ;;
    *) sections=".Ss $1 $2" ;;
    esac
    awk -v sections="|$sections|" '
        /^\.S[sh] / { inside = index(sections, "|" $0 "|") }
        inside && /^\.It Fl /' "$root/docs/$1.1" | grep -oE 'Fl [a-z-]+' | sed 's/^Fl /-/' | sort -u
}

# The options of the one table of tracetax-report are those of all its commands.
code_options() {
    {
        grep -oE '\{"[a-z-]+", +(no|required|optional)_argument' "$root/$1" | sed -E 's/.*"(.*)".*/--\1/'
        sed -nE 's/.*getopt_long\([^"]*"([^"]*)".*/\1/p' "$root/$1" | grep -oE '[a-z]' | sed 's/^/-/'
    } | sort -u
}

bash_options() {
    local file=$1
    [ "$file" = tracetax-report ] && file=tracetax
    # shellcheck disable=SC2016 # that shell expands them
    bash --norc -c '
        . "$1"
        shift
        COMP_WORDS=("$1") COMP_CWORD=1
        [ "$2" = - ] || COMP_WORDS+=("$2") COMP_CWORD=2
        COMP_WORDS+=(-)
        spec=$(complete -p "$1")
        name=${spec##*-F } name=${name%% *}
        "$name"
        printf "%s\n" "${COMPREPLY[@]}"' - "$root/completions/$file.bash" "$1" "$2" | words
}

zsh_options() {
    local file=_$1 name=_$1_$2
    [ "$1" = tracetax-report ] && file=_tracetax
    case $1-$2 in
    filetrace--) name=_filetrace_run ;;
    tracetax--) name=_tracetax_main ;;
    esac
    awk -v head="$name() {" '$0 == head { inside = 1; next } /^}/ { inside = 0 } inside' \
        "$root/completions/$file" | sed -E 's/\[[^]]*\]//g; s/"[^"]*"//g' | words
}

fish_options() {
    local name=$2
    case $1-$2 in
    filetrace--) name=run ;;
    tracetax--) name=main ;;
    esac
    grep -E "^complete -c $1 " "$root/completions/$1.fish" |
        awk -v name="\"\$$name\"" '!/ -n / || index($0, "-n " name " ") || (name !~ /baselines/ && index($0, "-n \"$both\" "))' |
        sed -E "s/-d '.*//" | grep -oE ' -(s [a-z]|l [a-z-]+)' | sed -E 's/^ -s /-/; s/^ -l /--/' | sort -u
}

# tell WHO PLACE: how the file other differs from the file help.
tell() {
    diff help other | awk -v who="$1" -v place="$2" '
        /^</ { print who ": " $2 " is not in " place }
        /^>/ { print who ": " $2 " is in " place " and not in --help" }'
}

# differences ROOT REGEX: a line for each option that one place has and another lacks, of the rows
# that match.
differences() {
    local root=$1 program command code place
    while read -r program command code; do
        help_options "$program" "$command" >help
        [ -s help ] || printf '%s %s: no option in --help\n' "$program" "$command"
        for place in man bash zsh fish; do
            "${place}_options" "$program" "$command" >other
            tell "$program $command" "$place"
        done
        [ "$code" = - ] && continue
        code_options "$code" >other
        if [ "$program" = tracetax-report ]; then
            sort -u <(for command in comment preview baselines; do help_options "$program" $command; done) >help
        fi
        tell "$program $command" "$code"
    done < <(grep -E "$2" <<<"$rows")
}

differences "$SOURCE" . >found
expect_empty found

# Each command of tracetax-report takes the options that --help gives it, and refuses the others by name.
# Where it takes one, something else is missing, and nothing is asked of GitHub.
unset GITHUB_TOKEN
for command in comment preview baselines check-baselines; do
    help_options tracetax-report "$command" >help
    for option in $(root=$SOURCE code_options report/main.c | grep -vE '^--(help|version)$'); do
        case $option in
        --dry-run) set -- "$option" ;;
        --fail-on) set -- "$option" regressed ;;
        *) set -- "$option" 1 ;;
        esac
        run "$BIN/tracetax-report" "$command" "$@"
        if grep -qxe "$option" help; then
            expect_no_line err 'does not go with'
        else
            expect_status 2
            expect_one_line err
            expect_line err "^tracetax-report: $option does not go with $command; see --help\$"
        fi
    done
done

# The comparison itself: one option less, or one more, in one place is found.
mkdir -p copy/tracer copy/harness copy/report
cp "$SOURCE/tracer/main.c" copy/tracer
cp "$SOURCE/report/main.c" copy/report
cp "$SOURCE"/harness/cmd_*.c copy/harness
cp -R "$SOURCE/docs" "$SOURCE/completions" copy

# altered FILE SED_SCRIPT ROW WORDS
altered() {
    cp "copy/$1" kept
    sed "$2" kept >"copy/$1"
    differences copy "$3" >found
    expect_equal "$(cat found)" "$4"
    cp kept "copy/$1"
}
altered docs/tracetax.1 '/^\.It Fl -shard/d' '^tracetax run' 'tracetax run: --shard is not in man'
altered docs/filetrace.1 's/^\.It Fl -deny-io-uring/.It Fl -other , Fl -deny-io-uring/' '^filetrace -' \
    'filetrace -: --other is in man and not in --help'
altered completions/tracetax.bash 's/--margin --/--/' '^tracetax compare' 'tracetax compare: --margin is not in bash'
altered completions/_tracetax '/--repeats=/d' '^tracetax calibrate' 'tracetax calibrate: --repeats is not in zsh'
altered completions/tracetax-report.fish '/-l dry-run/d' '^tracetax-report comment' \
    'tracetax-report comment: --dry-run is not in fish'
altered harness/cmd_show.c 's/{"help", no_argument/{"odd", no_argument, NULL, 0}, &/' '^tracetax show' \
    'tracetax show: --odd is in harness/cmd_show.c and not in --help'

# The words of the files, where the shells are there to judge them.
for shell in bash zsh fish; do
    command -v "$shell" >/dev/null || continue
    for file in "$SOURCE"/completions/*; do
        case $shell:${file##*/} in
        bash:*.bash | zsh:_* | fish:*.fish)
            "$shell" -n "$file" 2>err || fail "$shell does not read $file: $(cat err)"
            ;;
        esac
    done
done
if command -v mandoc >/dev/null; then
    for file in "$SOURCE"/docs/*.[135]; do
        mandoc -T lint -W warning "$file" >err || fail "$file: $(cat err)"
    done
fi
finish
