#!/usr/bin/env bash
# Builds the libraries that tracetax.exe and its tests need, with mingw-w64, out of Debian's source
# packages; apt checks their signatures. What was built once is kept below build/windows-libraries.
#   windows-libraries.sh    exit status: 0 they are there; 1 some could not be had, each is named
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
folder=$top/build/windows-libraries
# Name, oldest and newest upstream version that are known to do, options of its CMake files.
libraries='jansson 2.13 2.14 -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_BUILD_SHARED_LIBS=OFF
cmocka 1.1.5 1.1.7 -DWITH_EXAMPLES=OFF -DWITH_STATIC_LIB=ON'

say() { printf 'windows-libraries: %s\n' "$*" >&2; }

# apt with its own lists, sources alone, so that the system's settings stay as they are.
set_up_apt() {
    local parts=$folder/apt/sources file
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$parts" || return 1
    for file in debian ubuntu; do # the distribution's own; a third party's have none of these
        [ ! -e "/etc/apt/sources.list.d/$file.sources" ] ||
            sed 's/^Types:.*/Types: deb-src/' "/etc/apt/sources.list.d/$file.sources" >"$parts/$file.sources"
    done
    [ ! -e /etc/apt/sources.list ] ||
        sed -nE 's/^deb(-src)? /deb-src /p' /etc/apt/sources.list | sort -u >"$parts/main.list"
    printf '%s\n' 'Dir::Etc::sourcelist "-";' "Dir::Etc::sourceparts \"$parts\";" \
        "Dir::State::lists \"$folder/apt/lists\";" "Dir::Cache \"$folder/apt/cache\";" \
        'APT::Sandbox::User "";' >"$folder/apt/apt.conf"
    APT_CONFIG=$folder/apt/apt.conf apt-get update -q >&2
}

# build NAME OLDEST NEWEST OPTION...: from Debian's source package.
build() {
    local name=$1 oldest=$2 newest=$3 work=$folder/$1 dsc version
    shift 3
    rm -rf "$work"
    mkdir -p "$work" && cd "$work" || return 1
    APT_CONFIG=$folder/apt/apt.conf apt-get source -q --download-only "$name" >&2 ||
        { say "$name: apt-get source failed"; return 1; }
    dsc=$(ls ./*.dsc) || return 1
    version=$(sed -n 's/^Version: \([0-9.]*\).*/\1/p' "$dsc" | head -n 1)
    if [ "$(printf '%s\n' "$oldest" "$version" "$newest" | sort -V | tr '\n' ' ')" != "$oldest $version $newest " ]; then
        say "$name: the system has $version, from $oldest to $newest is known to do"
        return 1
    fi
    dpkg-source -x "$dsc" source >&2 || return 1
    cmake -G Ninja -S source -B build -DCMAKE_TOOLCHAIN_FILE="$top/cmake/mingw64.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder/root" \
        -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@" >&2 && cmake --build build --target install >&2
}

missing=0
ready=false
while read -r name oldest newest options; do
    [ -e "$folder/root/$name-$oldest-$newest" ] && continue
    if ! $ready; then
        if ! command -v apt-get >/dev/null || ! command -v dpkg-source >/dev/null; then
            say "apt-get or dpkg-source (package dpkg-dev) is missing, and with it $name"
            exit 1
        fi
        set_up_apt || { say "the lists of Debian's source packages cannot be had, and with them $name"; exit 1; }
        ready=true
    fi
    # shellcheck disable=SC2086 # one word an option
    if (build "$name" "$oldest" "$newest" $options); then
        : >"$folder/root/$name-$oldest-$newest"
    else
        say "$name could not be built; what failed is above"
        missing=1
    fi
done <<<"$libraries"
exit "$missing"
