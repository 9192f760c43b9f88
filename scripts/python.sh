#!/usr/bin/env bash
# Prints the first python3 that has a module: the one in PATH may be another than the one that packages are for.
#   python.sh MODULE
set -u
for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" 2>/dev/null; then
        printf '%s\n' "$python"
        exit 0
    fi
done
exit 1
