#!/bin/bash
# other-versions.sh DIRECTORY
#
# Makes of the package turnstiled in DIRECTORY what a board is to be upgraded and downgraded with:
#     DIRECTORY/later/turnstiled_*.deb     the same, as a later version
#     DIRECTORY/earlier/turnstiled_*.deb   the same, as an earlier version that knows no ledger of today
set -euo pipefail
cd "$1"
for package in turnstiled_*.deb; do :; done
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT

# variant NAME VERSION LEDGER: the package with another version, which knows ledgers up to LEDGER.
variant() {
    local tree=$work/$1 control=$work/$1/DEBIAN
    dpkg-deb --raw-extract "$package" "$tree"
    sed -i "s/^Version: .*/Version: $2/" "$control/control"
    sed -i "s/^perl - [0-9]*/perl - $3/" "$control/preinst"
    mkdir -p "$1"
    dpkg-deb --root-owner-group -Zgzip --build "$tree" "$1" >/dev/null
}

version=$(dpkg-deb --field "$package" Version)
ledger=$(dpkg-deb --ctrl-tarfile "$package" | tar -xO ./preinst | sed -n 's/^perl - \([0-9]*\).*/\1/p')
variant later "$version+later" "$ledger"
variant earlier "0~$version" $((ledger - 1))
