# shellcheck shell=bash
# Completion of filetrace(1) for bash.

# _filetrace_command_at FIRST: index of the first word from FIRST on that is neither an option nor
# the argument of one; it is the command that is run.
_filetrace_command_at() {
    local at=$1
    while [ "$at" -lt "$COMP_CWORD" ]; do
        case ${COMP_WORDS[at]} in
        --)
            at=$((at + 1))
            break
            ;;
        -o | -f | --output | --format | --backend) at=$((at + 2)) ;;
        =) at=$((at + 2)) ;; # bash splits --format=json in three
        -*) at=$((at + 1)) ;;
        *) break ;;
        esac
    done
    printf '%s\n' "$at"
}

_filetrace() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} at
    local options='-o --output -f --format --backend --all --strict --deny-io-uring -h --help --version'
    local formats='text json nul raw'
    COMPREPLY=()
    if [ "${COMP_WORDS[1]}" = print ] && [ "$COMP_CWORD" -gt 1 ]; then
        options='-o --output -f --format --all -h --help --version'
        formats='text json nul'
    else
        at=$(_filetrace_command_at 1)
        if [ "$at" -lt "$COMP_CWORD" ]; then
            # The rest is another command's: complete as that one does.
            if declare -F _command_offset >/dev/null; then
                _command_offset "$at"
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            return
        fi
    fi
    if [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    elif [ "$word" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 1]} word=
    fi
    case $before in
    -f | --format) mapfile -t COMPREPLY < <(compgen -W "$formats" -- "$word") ;;
    --backend) mapfile -t COMPREPLY < <(compgen -W 'auto preload notify inject ptrace' -- "$word") ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    *)
        case $word in
        -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
        *)
            if [ "${COMP_WORDS[1]}" = print ] && [ "$COMP_CWORD" -gt 1 ]; then
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
            else
                mapfile -t COMPREPLY < <(compgen -c -- "$word")
                [[ print = "$word"* ]] && [ "$COMP_CWORD" = 1 ] && COMPREPLY+=(print)
            fi
            ;;
        esac
        ;;
    esac
}

complete -o filenames -F _filetrace filetrace
