#!/bin/bash
# enter-sdk.sh bookworm|trixie [FROM:TO]... -- COMMAND...
#
# Runs COMMAND in the SDK of that Debian, in /source, which is the repository, with each directory
# FROM of the machine at TO. Over the tree's .build, which belongs to this machine's Debian, lies a
# build directory of that Debian's own, $BOARD_WORK/<suite>/swift-build. It is kept: the second build
# compiles only what has changed, and whoever looks at what was built finds it there.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check_suite "${1:-}"
work=$BOARD_WORK/$1
ensure_sdk "$1"
shift

binds=("$REPOSITORY:/source" "$work/swift-build:/source/.build")
while [ "$1" != -- ]; do
    binds+=("$1")
    shift
done
shift
mkdir -p "$work/swift-build" "$REPOSITORY/.build"
# The commit is not seen in there.
read -r epoch mail name < <(git -C "$REPOSITORY" log -1 --format='%ct %ae %an')
# shellcheck disable=SC2016 # the shell in there expands it
exec "$BOARD_SOURCES/image/enter-root.sh" "$work/sdk" "${binds[@]}" -- \
    env SOURCE_DATE_EPOCH="$epoch" DEBEMAIL="$mail" DEBFULLNAME="$name" \
    sh -ec 'cd /source; exec "$@"' sh "$@"
