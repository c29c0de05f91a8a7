# shellcheck shell=bash
# What the virtual board's scripts have in common. Sourced, never executed.
#
#   BOARD_WORK      where everything is built  (default: build/board in the repository)
#   BOARD_CACHE     what is kept of it         (default: turnstiled/boards in the user's cache)
#   BOARD_MIRROR    Debian archive             (default: the one that this host's apt uses)
#   BOARD_SECURITY  its security archive       (default: likewise)

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
export BOARD_SOURCES=$REPOSITORY/Tests/Board
BOARD_WORK=${BOARD_WORK:-$REPOSITORY/build/board}
BOARD_CACHE=${BOARD_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/turnstiled/boards}

say() { printf '%s [%s] %s\n' "$(date +%T)" "$(basename "$0")" "$*" >&2; }
die() {
    say "ERROR: $*"
    exit 1
}

check_suite() {
    case "${1:-}" in
    bookworm | trixie) ;;
    *) die "usage: $0 bookworm|trixie" ;;
    esac
}

# need COMMAND=PACKAGE...: installs the host packages whose command is missing.
need() {
    local pair missing=()
    for pair in "$@"; do
        PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    say "installing on this machine: ${missing[*]}"
    # One at a time: see .ci/prepare.
    (
        flock 9
        apt-get -qq update 9<&-
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
            "${missing[@]}" >/dev/null 9<&-
    ) 9<"$REPOSITORY/.ci"
}

# archive LABEL: the base address of that archive in the host's apt sources.
archive() {
    # shellcheck disable=SC2016 # the dollars are apt's own format
    apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Identifier: Packages' |
        sed -n "s/^$1|//p" | head -n1
}

# sources SUITE: its apt lines. Kernels come from the security archive, so it must be there.
sources() {
    local mirror=${BOARD_MIRROR:-$(archive Debian)}
    local security=${BOARD_SECURITY:-$(archive Debian-Security)}
    [ -n "${mirror:+$security}" ] || die "no Debian archive in apt's sources: run apt-get update"
    echo "deb $mirror $1 main"
    echo "deb $mirror $1-updates main"
    echo "deb $security $1-security main"
}

# No documents, manuals or translations in any tree.
DPKG_SLIM=(
    --dpkgopt='path-exclude=/usr/share/doc/*'
    --dpkgopt='path-exclude=/usr/share/man/*'
    --dpkgopt='path-exclude=/usr/share/info/*'
    --dpkgopt='path-exclude=/usr/share/locale/*'
    --dpkgopt='path-exclude=/usr/share/i18n/*'
    --dpkgopt='path-exclude=/usr/share/bug/*'
    --dpkgopt='force-unsafe-io'
)

# debian_root SUITE DIRECTORY PACKAGE...: a Debian root with these packages and a merged /usr.
debian_root() {
    local suite=$1 root=$2
    shift 2
    need mmdebstrap=mmdebstrap gpgv=gpgv
    [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
        need no-such-command=debian-archive-keyring
    rm -rf "$root"
    mkdir -p "$(dirname "$root")"
    sources "$suite" | mmdebstrap --quiet --variant=apt --format=directory \
        --aptopt='Apt::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
        "${DPKG_SLIM[@]}" --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --include="$(IFS=,; echo "$*")" "$suite" "$root" -
}

# ensure_sdk SUITE: a root of that suite with a C compiler and the kernel's headers; what the
# service needs to be built, its own `make` installs there. Everything that runs on the board is
# compiled in it, so this host's own Debian release does not matter: gcc-14 and kbuild 6.12 of
# trixie are not installable on bookworm, libgpiod's two generations not side by side.
ensure_sdk() {
    local suite=$1 sdk=$BOARD_WORK/$1/sdk
    [ ! -e "$sdk/.complete" ] || return 0
    say "building the $suite SDK in $sdk"
    debian_root "$suite" "$sdk" gcc libc6-dev make xz-utils linux-headers-amd64
    touch "$sdk/.complete"
}

# in_sdk SUITE COMMAND...: runs a command inside the SDK.
in_sdk() {
    local suite=$1
    shift
    chroot "$BOARD_WORK/$suite/sdk" \
        /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root "$@"
}

# kernel_release SUITE: such as 6.1.0-56-amd64, from what the metapackage depends on.
kernel_release() {
    # shellcheck disable=SC2016 # the braces are dpkg-query's own format, here and below
    in_sdk "$1" dpkg-query -W -f '${Depends}\n' linux-headers-amd64 |
        tr ',' '\n' | sed -n 's/^ *linux-headers-\([0-9][^ ]*\).*/\1/p' | head -n1
}

# kernel_version SUITE: the version of the package of that kernel, such as 6.1.141-1.
kernel_version() {
    # shellcheck disable=SC2016
    in_sdk "$1" dpkg-query -W -f '${Version}' "linux-headers-$(kernel_release "$1")"
}

# sdk_download SUITE PACKAGE[=VERSION]: fetches a .deb with apt of that suite; prints its path.
sdk_download() {
    local suite=$1 package=$2 sdk=$BOARD_WORK/$1/sdk deb
    # mmdebstrap leaves no package lists behind.
    compgen -G "$sdk/var/lib/apt/lists/*_Packages*" >/dev/null ||
        in_sdk "$suite" apt-get -qq update
    rm -rf "$sdk/tmp/download"
    mkdir -p "$sdk/tmp/download"
    in_sdk "$suite" sh -c "cd /tmp/download &&
        apt-get -qq -o APT::Sandbox::User=root download '$package'" >/dev/null ||
        die "cannot download $package; if the archive has moved on, delete $BOARD_WORK/$suite"
    for deb in "$sdk"/tmp/download/*.deb; do echo "$deb"; done
}
