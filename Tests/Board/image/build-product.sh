#!/bin/bash
# build-product.sh bookworm|trixie
#
# Builds what is tested on the board, against that Debian's own libgpiod and libsystemd, with
# this machine's Swift toolchain:
#     $BOARD_WORK/<suite>/product.tar     what `make install` installs, but for the simulator
#     $BOARD_WORK/<suite>/deb             the packages that `make deb` makes, and two that are like
#                                         them: a later version, and an earlier one
#     $BOARD_WORK/<suite>/bank-contract   the contract of a line bank, for real lines
#     $BOARD_WORK/<suite>/edge-loop       the C loops that latencies are measured beside
#     $BOARD_WORK/<suite>/quiet-loop
#     $BOARD_WORK/<suite>/bus-flood       what floods the bus meanwhile
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check_suite "${1:-}"
suite=$1
work=$BOARD_WORK/$suite

# Is anything of it newer than the last build's beginning?
sources=(.ci/prepare .ci/strip Benchmarks/board CHANGELOG.md LICENSE Makefile Package.swift README.md SECURITY.md Sources
    Tests/Board/bank-contract Tests/Board/image Tests/Shared/BankContract config docs systemd)
if [ -e "$work/product.tar" ] && [ -e "$work/began" ]; then
    newer=$(cd "$REPOSITORY" && find "${sources[@]}" -newer "$work/began" -print -quit)
    if [ -z "$newer" ] && [ "$work/began" -nt "$work/sdk/.complete" ]; then
        say "the service for $suite is there"
        exit
    fi
fi
need git=git unshare=util-linux
ensure_sdk "$suite"
rm -rf "$work/product" "$work/product.tar" "$work/deb"
mkdir -p "$work/product" "$work/deb"
touch "$work/began"
say "building the service for $suite"
"$BOARD_SOURCES/image/enter-sdk.sh" "$suite" "$work/product:/product" "$work/deb:/deb" -- \
    sh -ec 'make --silent install DESTDIR=/product
        make --silent deb DEBS=/deb
        make --silent .build/install/bank-contract
        cp .build/install/bank-contract /product/
        gcc -O2 -Wall -Wextra -Werror -o /product/edge-loop Benchmarks/board/edge-loop.c -lgpiod
        gcc -O2 -Wall -Wextra -Werror -o /product/quiet-loop Benchmarks/board/quiet-loop.c -lgpiod
        gcc -O2 -Wall -Wextra -Werror -o /product/bus-flood Benchmarks/board/bus-flood.c -lsystemd'
for program in bank-contract edge-loop quiet-loop bus-flood; do
    mv "$work/product/$program" "$work/"
done
"$BOARD_SOURCES/image/other-versions.sh" "$work/deb"
# The board is a gate: nobody simulates one there.
rm -r "$work/product/usr/local/lib/turnstiled"
tar -C "$work/product" --owner=0 --group=0 -cf "$work/product.tar" .
say "$work/product.tar: $(stat -c %s "$work/product.tar") bytes"
