#!/bin/bash
# build-product.sh bookworm|trixie
#
# Builds the service for that Debian, against its own libgpiod and libsystemd, with this
# machine's Swift toolchain, and leaves what `make install` installs:
#     $BOARD_WORK/<suite>/product.tar
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check_suite "${1:-}"
suite=$1
work=$BOARD_WORK/$suite

need git=git unshare=util-linux
ensure_sdk "$suite"
# A build directory per suite, kept: the second build compiles only what has changed. It is
# laid over the tree's own, which belongs to this machine's Debian.
mkdir -p "$work/swift-build" "$REPOSITORY/.build"
rm -rf "$work/product"
mkdir -p "$work/product"
say "building the service for $suite"
"$BOARD_SOURCES/image/enter-root.sh" "$work/sdk" \
    "$REPOSITORY:/source" "$work/swift-build:/source/.build" "$work/product:/product" -- \
    make --silent -C /source install DESTDIR=/product
tar -C "$work/product" --owner=0 --group=0 -cf "$work/product.tar" .
say "$work/product.tar: $(stat -c %s "$work/product.tar") bytes"
