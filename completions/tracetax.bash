# shellcheck shell=bash
# Completion of tracetax(1) and tracetax-report(1) for bash.

# _tracetax_reply WORDS: of these, what the current word begins.
_tracetax_reply() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

_tracetax_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

# _tracetax_value: completes the argument of the option $before; fails where that is none.
_tracetax_value() {
    case $before in
    --suite)
        _tracetax_files
        local file
        for file in default full; do
            [[ $file = "$word"* ]] && COMPREPLY+=("$file")
        done
        ;;
    --engine) _tracetax_reply 'auto hyperfine builtin' ;;
    --format)
        if [ "$command" = table ]; then
            _tracetax_reply 'table markdown'
            return
        fi
        _tracetax_reply 'table markdown csv json html' ;;
    --fail-on) _tracetax_reply regressed ;;
    --filetrace | --base | --export-* | --history | --baseline | --baselines | --event) _tracetax_files ;;
    --workflow) _tracetax_files ;;
    --target | --shard | --rounds | --max-time | --warmup | --commit | --base-commit | --seed | \
        --margin | --unchanged-within | --repeats | --reference | --build | --author | --time-limit) ;; # anything
    *) return 1 ;;
    esac
}

# _tracetax_words: $word, $before and $command of the line.
_tracetax_words() {
    word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=
    [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
}

_tracetax() {
    local word before command
    _tracetax_words
    _tracetax_value && return
    case $command in
    run)
        _tracetax_reply '--suite --target --shard --rounds --max-time --warmup --engine --filetrace --base
            --commit --base-commit --seed --export-json --no-keep --quiet --help'
        ;;
    compare)
        case $word in
        -*) _tracetax_reply '--format --history --baselines --margin --unchanged-within --fail-on --help' ;;
        *) _tracetax_files ;;
        esac
        ;;
    show)
        case $word in
        -*) _tracetax_reply '--format --history --help' ;;
        *) _tracetax_files ;;
        esac
        ;;
    table)
        case $word in
        -*) _tracetax_reply '--rounds --engine --build --reference --import-json --export-json --format --quiet --help' ;;
        *) _tracetax_files ;;
        esac
        ;;
    calibrate)
        case $word in
        -*) _tracetax_reply '--repeats --rounds --suite --target --filetrace --quiet --help' ;;
        *) _tracetax_files ;;
        esac
        ;;
    '') _tracetax_reply 'run compare show table calibrate --help --version' ;;
    esac
}

_tracetax_report() {
    local word before command
    _tracetax_words
    _tracetax_value && return
    case $command in
    comment)
        _tracetax_reply '--event --workflow --author --dry-run --export-history --time-limit --baselines
            --fail-on --export-gab --export-bmf --help --version'
        ;;
    preview)
        case $word in
        -*) _tracetax_reply '--baseline --history --baselines --fail-on --export-gab --export-bmf --help --version' ;;
        *) _tracetax_files ;;
        esac
        ;;
    baselines) _tracetax_reply '--repository --branch --baselines --workflow --time-limit --help --version' ;;
    check-baselines)
        case $word in
        -*) _tracetax_reply '--help --version' ;;
        *) _tracetax_files ;;
        esac
        ;;
    '') _tracetax_reply 'comment preview baselines check-baselines --help --version' ;;
    esac
}

complete -F _tracetax tracetax
complete -F _tracetax_report tracetax-report
