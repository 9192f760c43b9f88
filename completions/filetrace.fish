# Completion of filetrace(1) for fish.

# The command that filetrace runs has its own completion.
complete -c filetrace -n 'not __fish_seen_subcommand_from print' -x -a '(__fish_complete_subcommand --fcs-skip=0)'
complete -c filetrace -n '__fish_is_nth_token 1' -a print -d 'Print a raw trace'
complete -c filetrace -n '__fish_seen_subcommand_from print' -F

set -l run 'not __fish_seen_subcommand_from print'
complete -c filetrace -n "$run" -s o -l output -r -F -d 'Write there'
complete -c filetrace -n "$run" -s f -l format -x -a 'text json nul raw' -d 'How the trace is written'
complete -c filetrace -n "$run" -l backend -x -a 'auto preload notify inject ptrace' -d 'How programs are watched'
complete -c filetrace -n "$run" -l all -d 'Print repeats too'
complete -c filetrace -n "$run" -l strict -d 'Watch dynamic programs by the kernel too'
complete -c filetrace -n "$run" -l deny-io-uring -d 'Make io_uring_setup fail'
complete -c filetrace -n "$run" -s h -l help -d 'Show the options'
complete -c filetrace -n "$run" -l version -d 'Show the version'

set -l print '__fish_seen_subcommand_from print'
complete -c filetrace -n "$print" -s o -l output -r -F -d 'Write there'
complete -c filetrace -n "$print" -s f -l format -x -a 'text json nul' -d 'How the trace is written'
complete -c filetrace -n "$print" -l all -d 'Print repeats too'
complete -c filetrace -n "$print" -s h -l help -d 'Show the options'
complete -c filetrace -n "$print" -l version -d 'Show the version'
