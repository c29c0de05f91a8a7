#!/bin/bash
# enter-root.sh ROOT [FROM:TO]... -- COMMAND...
#
# Runs COMMAND in the Debian root ROOT, in which this machine's Swift toolchain is found first
# in PATH and each directory FROM of the machine at TO. All of it lives in mount and process
# namespaces of its own: when COMMAND ends, nothing stays mounted and nothing goes on running.
set -euo pipefail

if [ -z "${ENTERED_ROOT:-}" ]; then
    ENTERED_ROOT=1 exec unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"
fi

root=$1
shift
bind() { # bind FROM TO
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
}

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"

# `swift` may be a link or a version manager's proxy: the compiler itself says where it lives.
toolchain=$(swift -print-target-info |
    sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')
bind "$toolchain" /toolchain/usr

# Names and packages are found as this machine finds them: its resolver, and the addresses that
# its git rewrites (a mirror of the packages in a directory is brought along).
cat /etc/resolv.conf >"$root/etc/resolv.conf"
rm -f "$root/root/.gitconfig"
git config --file "$root/root/.gitconfig" --add safe.directory '*'
while read -r key replaced; do
    git config --file "$root/root/.gitconfig" --add "$key" "$replaced"
    directory=${key#url.}
    directory=${directory%.insteadof}
    [ ! -d "$directory" ] || bind "$directory" "$directory"
done < <(cd / && git config --get-regexp '^url\..*\.insteadof$')

while [ "$1" != -- ]; do
    bind "${1%%:*}" "${1##*:}"
    shift
done
shift

exec chroot "$root" /usr/bin/env -i PATH=/toolchain/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/root LC_ALL=C.UTF-8 TERM="${TERM:-dumb}" \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"
