#!/bin/bash
# build-gpio-sim.sh bookworm|trixie
#
# Debian's kernels are built without CONFIG_GPIO_SIM. This builds the driver out of tree, from
# Debian's own linux-source against Debian's own headers, and leaves
#     $BOARD_WORK/<suite>/gpio-sim.ko     (module gpio_sim; loads into the stock kernel)
# No kernel version is written down anywhere: it follows linux-headers-amd64 of the suite.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check_suite "${1:-}"
suite=$1
sdk=$BOARD_WORK/$suite/sdk
module=$BOARD_WORK/$suite/gpio-sim.ko

need xz=xz-utils
ensure_sdk "$suite"
release=$(kernel_release "$suite")                           # 6.1.0-56-amd64
series=$(sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<<"$release")  # 6.1
version=$(kernel_version "$suite")
key="$version $(sha256sum <"$0")"
[ "$(cat "$module.key" 2>/dev/null)" != "$key" ] || exit 0

# The few source files, out of the tarball inside the .deb, of exactly the headers' version;
# the other 80 000 are never written to disk. (tar still reads the archive to its end, 10 to
# 20 s: the price of one xz stream.)
source=$sdk/usr/src/gpio-sim
if [ "$(cat "$source/.version" 2>/dev/null)" != "$version" ]; then
    say "extracting gpio-sim from linux-source-$series $version"
    deb=$(sdk_download "$suite" "linux-source-$series=$version")
    rm -rf "$source"
    mkdir -p "$source"
    dpkg-deb --fsys-tarfile "$deb" | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
        tar -xJ -C "$source" --strip-components=1 --wildcards \
            'linux-source-*/drivers/gpio' 'linux-source-*/kernel/irq' \
            'linux-source-*/scripts/extract-vmlinux'
    rm -f "$deb"
    echo "$version" >"$source/.version"
fi

# A module directory: gpio-sim plus IRQ_SIM, which Kconfig only ever builds in.
build=$source/build
rm -rf "$build"
mkdir "$build"
cp "$source/drivers/gpio/gpio-sim.c" "$build/gpio-sim-core.c"
cp "$source/drivers/gpio/gpiolib.h" "$source/kernel/irq/irq_sim.c" "$build/"
objects="gpio-sim-core.o irq-sim-module.o"
if [ -e "$source/drivers/gpio/dev-sync-probe.c" ]; then # split off in Linux 6.15
    cp "$source"/drivers/gpio/dev-sync-probe.[ch] "$build/"
    objects+=" dev-sync-probe.o"
fi
# irq_sim_handle_irq() searches on from the previous line and never wraps: if a lower line
# becomes pending meanwhile, because another CPU pulls it, it spins for ever in hard-irq
# context. Search from 0 again.
sed -i 's/irq_count, offset);/irq_count, 0);/' "$build/irq_sim.c"
grep -q 'irq_count, 0);' "$build/irq_sim.c" || die "irq_sim.c has changed: see the mend above"
# irq_to_desc() is not exported to modules; struct irq_data, which leads to the same, is.
cat >"$build/irq-sim-module.c" <<'C'
#include <linux/irq.h>
#include <linux/irqdesc.h>
#define irq_to_desc(n) irq_data_to_desc(irq_get_irq_data(n))
#include "irq_sim.c"
C
printf 'obj-m := gpio-sim.o\ngpio-sim-y := %s\n' "$objects" >"$build/Kbuild"

say "building gpio-sim.ko for $release"
in_sdk "$suite" make -s -C "/lib/modules/$release/build" M=/usr/src/gpio-sim/build modules \
    >"$build/make.log" 2>&1 || {
    cat "$build/make.log" >&2
    die "the module does not build"
}
# Debug information is nine tenths of the file.
in_sdk "$suite" strip --strip-debug /usr/src/gpio-sim/build/gpio-sim.ko
install -m 644 "$build/gpio-sim.ko" "$module"
echo "$key" >"$module.key"
