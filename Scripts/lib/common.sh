# The common part of the scripts. Sourced, not run; changes to the root folder of the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ROOT=$PWD
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/authhub
ARTIFACTS=${AUTHHUB_ARTIFACTS:-$ROOT/.build/artifacts-of-tests}
# Third-party servers and clients for the outside proofs; proofs that need them are skipped if this folder is missing.
PEERS=${AUTHHUB_PEERS:-$ROOT/../shared/servers}
export ROOT CACHE ARTIFACTS PEERS
# All servers in the tests are on loopback.
export NO_PROXY=127.0.0.1,localhost,::1 no_proxy=127.0.0.1,localhost,::1

# The build flags of the release version.
# For size: -Osize and -Oz, functions in separate sections so that unused ones are removed, merging of identical ones, no exported symbols
# (which the static standard library requests), and no unwind tables for C, which does not throw.
# For start-up: packed relative relocations, 2 MB less to read and 1 ms less to apply; they need glibc 2.36 (Debian 12) to run.
# In a separate folder: it is built at the same time as the tests. With the traits that users get by default.
RELEASE_C_FLAGS=(-Oz -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables)
RELEASE_FLAGS=(
    --scratch-path .build/released --traits AsyncHTTPClient,Tool -c release --static-swift-stdlib -Xswiftc -Osize
    -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs
    -Xlinker --gc-sections -Xswiftc -Xfrontend -Xswiftc -function-sections
)
for flag in "${RELEASE_C_FLAGS[@]}"; do RELEASE_FLAGS+=(-Xcc "$flag"); done

say() { printf '%s\n' "$*" >&2; }
die() {
    say "error: $*"
    exit 1
}

# need COMMAND=PACKAGE...   installs the packages of missing commands; prints a message if it cannot.
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

# python_environment NAME FILE   creates the environment once, from a requirements file with hashes, and prints its interpreter.
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

# Adds the benchmarks, the drivers of the proofs and the system tests to Package.swift, and turns on all traits by default. The packages of
# the examples and of the apps are built with the same variable, in the same folder, so that nothing is built again for them.
export AUTHHUB_DEVELOPMENT=1

# A clean debug build takes half as long if modules are compiled whole and without debug information. Later builds take longer.
WHOLE_MODULES=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -gnone -Xcc -g0 -Xcxx -g0)

# SwiftPM passes traits to the compiler in the order of a set, which differs each time, and then everything is built again.
# SwiftPM keeps its locks in $TMPDIR, which is a separate folder for each proof. Without a lock here, two proofs could build in one folder.
#   AUTHHUB_WHOLE_MODULES=1   for a clean debug build
#   AUTHHUB_BUILT=1           set by Scripts/test after the debug build of all products, because even planning another one takes seconds
#   AUTHHUB_BUILDS=DIR        set by Scripts/test, whose sources do not change: a build that is listed there is not planned again
swift() {
    if [ "${1:-}" != build ]; then
        command swift "$@"
        return
    fi
    local scratch=$ROOT/.build word before= flags=() separate= listed=
    for word in "$@"; do
        if [ "$before" = --scratch-path ]; then scratch=$word; fi
        case $word in -c | --scratch-path | --package-path) separate=1 ;; esac
        before=$word
    done
    if [ -n "${AUTHHUB_BUILT:-}" ] && [ -z "$separate" ]; then return; fi
    if [ -n "${AUTHHUB_WHOLE_MODULES:-}" ] && [[ " $* " != *" -c release "* ]]; then flags=("${WHOLE_MODULES[@]}"); fi
    if [ -n "${AUTHHUB_BUILDS:-}" ]; then listed=$AUTHHUB_BUILDS/$(sha256sum <<<"$*" | cut -c -16); fi
    mkdir -p "$scratch"
    (
        flock 9 || exit
        if [ -n "$listed" ] && [ -e "$listed" ]; then exit; fi
        # Without the cached plan, which may be another package's in the same folder.
        SWIFT_DETERMINISTIC_HASHING=1 command swift build --disable-build-manifest-caching "${@:2}" "${flags[@]}" || exit
        if [ -n "$listed" ]; then touch "$listed"; fi
    ) 9>"$scratch/.authhub-build"
}

# Prints the folder of the products that are built with these flags. It does not ask SwiftPM, which would wait for a build in that folder.
binary_path() {
    local scratch=.build configuration=debug word before=
    for word in "$@"; do
        case $before in --scratch-path) scratch=$word ;; -c) configuration=$word ;; esac
        before=$word
    done
    realpath "$scratch/$configuration"
}

# Builds the program that proofs control with commands, and prints its path.
proof_driver() {
    swift build --product ProofDriver >&2 || die "ProofDriver, which the proofs control, does not build"
    printf '%s\n' "$(binary_path)/ProofDriver"
}
