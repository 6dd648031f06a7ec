# What the scripts share. Sourced, not run; leaves the caller in the root of the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ROOT=$PWD
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/authhub
ARTIFACTS=${AUTHHUB_ARTIFACTS:-$ROOT/.build/artifacts-of-tests}
# Servers and clients of others for the outside proofs; proofs that need them are skipped where this folder is missing.
PEERS=${AUTHHUB_PEERS:-$ROOT/../shared/servers}
export ROOT CACHE ARTIFACTS PEERS
# All servers of the tests are on loopback.
export NO_PROXY=127.0.0.1,localhost,::1 no_proxy=127.0.0.1,localhost,::1

# How the tool is released.
# For size: -Osize and -Oz, functions in sections of their own so that unused ones go, folding of equal ones, no symbols for others to bind
# to (the static standard library asks for them), no tables for unwinding C, which throws nothing.
# For start-up: relative relocations in packed form, 2 MB less to read and 1 ms less to apply; they need glibc 2.36 (Debian 12) to run.
# In a separate folder: it is built at the same time as the tests.
RELEASE_FLAGS=(
    --scratch-path .build/released -c release --static-swift-stdlib -Xswiftc -Osize -Xcc -Oz
    -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs
    -Xlinker --gc-sections -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
    -Xcc -fno-asynchronous-unwind-tables -Xcc -fno-unwind-tables
)

say() { printf '%s\n' "$*" >&2; }
die() {
    say "error: $*"
    exit 1
}

# need COMMAND=PACKAGE...   installs the packages of the commands that are missing; says so where it cannot.
need() {
    local pair packages=()
    for pair in "$@"; do
        command -v "${pair%%=*}" >/dev/null || packages+=("${pair#*=}")
    done
    install_packages "${packages[@]}"
}

# need_file FILE=PACKAGE...   the same for files.
need_file() {
    local pair packages=()
    for pair in "$@"; do
        [ -e "${pair%%=*}" ] || packages+=("${pair#*=}")
    done
    install_packages "${packages[@]}"
}

install_packages() {
    [ $# -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "not a Debian machine: please install what Debian calls $*"
    elif [ "$(id -u)" != 0 ]; then
        say "not root: please run  apt-get install $*"
    else
        say "apt-get install $*"
        apt_get install -y --no-install-recommends "$@" || { apt_get update && apt_get install -y --no-install-recommends "$@"; } ||
            die "apt-get could not install $*"
    fi
}

apt_get() {
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 -q "$@" </dev/null >&2
}

# python_environment NAME FILE   creates it once, from a requirements file with hashes, and prints its interpreter.
python_environment() {
    local folder=$CACHE/python-$1
    mkdir -p "$CACHE"
    (
        flock 9
        if ! cmp -s "$2" "$folder/.requirements"; then
            say "python environment: $2"
            rm -rf "$folder"
            python3 -m venv "$folder" >&2
            "$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$2" >&2
            cp "$2" "$folder/.requirements"
        fi
    ) 9>"$folder.lock"
    printf '%s\n' "$folder/bin/python"
}

# Everything is built with these, by whatever package, so that nothing is built a second time in the same folder.
ALL_TRAITS=(--traits "$(sed -nE '/^ *\.trait\($/ { n; s/.*name: "([^"]+)".*/\1/p }' Package.swift | paste -sd, -)")
# The packages for people have fewer unless this is set.
export AUTHHUB_TRAITS_OF_TESTS=1

# SwiftPM hands traits to the compiler in the order of a set: another one each time, and then everything is built again.
swift() {
    if [ "${1:-}" = build ]; then SWIFT_DETERMINISTIC_HASHING=1 command swift "$@"; else command swift "$@"; fi
}

# The folder of a build configuration, without building.
binary_path() {
    swift build --show-bin-path "$@"
}

# proof_driver NAME   builds a program that proofs give orders to, and prints its path.
proof_driver() {
    # In the scratch folder of the package itself: what has been built for the tests is not built again, but the plan of what to build is.
    local flags=(--scratch-path .build --package-path Scripts/proofs/driver --product "$1")
    swift build --disable-build-manifest-caching "${flags[@]}" >&2 || die "$1, which proofs give orders to, does not build"
    printf '%s\n' "$(binary_path "${flags[@]}")/$1"
}
