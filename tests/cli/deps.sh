# shellcheck shell=bash
# scripts/deps.sh decides rightly who installs what. The package managers, id and sudo are stand-ins
# that note how they were called: the real ones would change the machine.
# shellcheck source=tests/lib.sh
. "$TESTS/lib.sh"

mkdir scripts path
cp "$SOURCE/scripts/deps.sh" scripts/
bash_path=$(command -v bash)
for tool in bash dirname grep id env; do
    ln -s "$(command -v "$tool")" "path/$tool"
done
printf '# a comment\nbuild\tcommand:needle\tneedle-apt thread-apt\tneedle-brew\tneedle-pacman\tneedle\n' >scripts/packages.tsv
printf 'test\tcommand:bash\tbash\tbash\tbash\t-\nlint\tcommand:awl\tawl-apt\t-\tawl-pacman\t-\n' >>scripts/packages.tsv

# stand_in NAME BODY: a program in PATH.
stand_in() {
    rm -f "path/$1"
    printf '#!%s\n%s\n' "$bash_path" "$2" >"path/$1"
    chmod +x "path/$1"
}
# A package manager whose install brings the program.
manager() {
    stand_in "$1" "echo $1 \"\$@\" >>'$PWD/calls'
        for word; do [ \"\$word\" = $2 ] && printf '#!$bash_path\n' >'$PWD/path/needle'; done
        [ -e '$PWD/path/needle' ] && /bin/chmod +x '$PWD/path/needle'
        exit 0"
}
user() { stand_in id "echo $1"; }
reset() {
    rm -f calls path/needle
    : >calls
}
deps() { run env PATH="$PWD/path" scripts/deps.sh "$@"; }

# Nothing missing: silent, and no package manager runs.
manager apt-get needle-apt
reset
deps test
expect_status 0
expect_empty out
expect_empty err
expect_empty calls

# As root: directly.
user 0
deps build test
expect_status 0
expect_empty out
expect_line err '^deps: missing: needle$'
expect_line err '^deps: installing with apt-get: needle-apt thread-apt$'
expect_equal "$(cat calls)" 'apt-get update -q
apt-get install -y -q --no-install-recommends needle-apt thread-apt'
# The second time there is nothing to do.
: >calls
deps build test
expect_status 0
expect_empty err
expect_empty calls

# As a person without sudo: the command, and failure.
user 1000
reset
deps build
expect_status 1
expect_empty calls
expect_line err 'only root can install packages; type this as root and come back:$'
expect_line err '^  apt-get update && apt-get install -y --no-install-recommends needle-apt thread-apt$'

# sudo that would ask, and no terminal to ask on: the same, with sudo in it.
stand_in sudo "echo sudo \"\$@\" >>'$PWD/calls'; exit 1"
reset
deps build
expect_status 1
expect_equal "$(cat calls)" 'sudo -n true'
expect_line err '^  sudo apt-get update && sudo apt-get install -y --no-install-recommends needle-apt thread-apt$'

# sudo that works without a question.
stand_in sudo "echo sudo \"\$@\" >>'$PWD/calls'; [ \"\$1\" = -n ] || exec \"\$@\""
reset
deps build
expect_status 0
expect_line err 'installing with apt-get through sudo'
expect_equal "$(grep -c '^sudo apt-get update\|^sudo env DEBIAN_FRONTEND=noninteractive apt-get install' calls)" 2

# A manager that fails, one that does not bring the program, and none at all.
user 0
reset
stand_in apt-get 'exit 100'
deps build
expect_status 1
expect_line err 'deps: apt-get failed; its reason is above'
stand_in apt-get 'exit 0'
deps build
expect_status 1
expect_line err 'deps: still missing after the install: needle'
rm path/apt-get
deps build
expect_status 1
expect_line err 'install by hand \(names as in Debian\): needle-apt thread-apt'

# The other managers have their own names; brew is never run as root.
manager pacman needle-pacman
reset
deps build
expect_status 0
expect_equal "$(cat calls)" 'pacman -Sy --needed --noconfirm needle-pacman'
# In MSYS2 its environment's, without root; what it does not need is not asked for.
user 1000
manager pacman mingw-w64-ucrt-x86_64-needle
reset
MSYSTEM=UCRT64 MINGW_PACKAGE_PREFIX=mingw-w64-ucrt-x86_64 deps build lint
expect_status 0
expect_equal "$(cat calls)" 'pacman -Sy --needed --noconfirm mingw-w64-ucrt-x86_64-needle'
rm path/pacman
manager brew needle-brew
reset
deps build lint
expect_status 0
expect_equal "$(cat calls)" 'brew install needle-brew'

# Wrong usage.
deps dance
expect_status 2
expect_one_line err
expect_line err "no purpose 'dance'"
deps
expect_status 2
expect_one_line err

# The real table: six fields, with purposes and probes that deps.sh knows.
grep -v '^#' "$SOURCE/scripts/packages.tsv" | awk -F '\t' '
    NF != 6 || $1 !~ /^(build|test|lint|rehearse|coverage|cross|macos|windows|spawn|fuzz|valgrind)$/ || $2 !~ /^(command|compiler|module|header|link|python):./ { print NR ": " $0 }' >wrong
expect_empty wrong
finish
