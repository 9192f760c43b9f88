# Completion of tracetax-report(1) for fish.

set -l main '__fish_use_subcommand'
complete -c tracetax-report -n "$main" -f -a comment -d 'Keep a comment up to date'
complete -c tracetax-report -n "$main" -f -a preview -d 'Print the comment'
complete -c tracetax-report -n "$main" -f -a baselines -d 'Write the committed results'
complete -c tracetax-report -n "$main" -f -a check-baselines -d 'Check the committed results'

set -l baselines '__fish_seen_subcommand_from baselines'
complete -c tracetax-report -n "$baselines" -f
complete -c tracetax-report -n "$baselines" -l repository -x -d 'OWNER/NAME'
complete -c tracetax-report -n "$baselines" -l branch -x -d 'The default branch'
complete -c tracetax-report -n "$baselines" -l baselines -r -F -d 'Where they are written'
complete -c tracetax-report -n "$baselines" -l workflow -r -F -d 'The measuring workflow'
complete -c tracetax-report -n "$baselines" -l time-limit -x -d 'For everything, in seconds'

set -l comment '__fish_seen_subcommand_from comment'
complete -c tracetax-report -n "$comment" -f
complete -c tracetax-report -n "$comment" -l event -r -F -d 'The workflow_run event'
complete -c tracetax-report -n "$comment" -l workflow -r -F -d 'The measuring workflow'
complete -c tracetax-report -n "$comment" -l author -x -d 'Who the token writes as'
complete -c tracetax-report -n "$comment" -l dry-run -d 'Write nothing to GitHub'
complete -c tracetax-report -n "$comment" -l export-history -r -F -d 'The longer history'
complete -c tracetax-report -n "$comment" -l time-limit -x -d 'For everything, in seconds'

set -l preview '__fish_seen_subcommand_from preview'
complete -c tracetax-report -n "$preview" -l baseline -r -F -d 'A result to compare with'
complete -c tracetax-report -n "$preview" -l history -r -F -d 'For spread and trend'

set -l both '__fish_seen_subcommand_from comment preview'
complete -c tracetax-report -n "$both" -l baselines -r -F -d 'Committed results'
complete -c tracetax-report -n "$both" -l fail-on -x -a regressed -d 'Exit with 1 on a regression'
complete -c tracetax-report -n "$both" -l export-gab -r -F -d 'For github-action-benchmark'
complete -c tracetax-report -n "$both" -l export-bmf -r -F -d 'For Bencher'
complete -c tracetax-report -l help -d 'Show the options'
complete -c tracetax-report -l version -d 'Show the version'
