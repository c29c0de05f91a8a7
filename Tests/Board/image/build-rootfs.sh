#!/bin/bash
# build-rootfs.sh bookworm|trixie
#
# Builds the virtual board's kernel and disk, from Debian packages only:
#     $BOARD_WORK/<suite>/vmlinux      Debian's stock kernel, unpacked: QEMU boots it by PVH,
#                                      which saves the guest unpacking it under emulation
#     $BOARD_WORK/<suite>/initrd       busybox, and the modules that the root disk needs
#     $BOARD_WORK/<suite>/rootfs.ext4  systemd, journald, udev, dbus, libgpiod, libyaml, SQLite
#     $BOARD_WORK/<suite>/state.ext4   the empty disk for what the service keeps
# Each is rebuilt when something that goes into it has changed.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check_suite "${1:-}"
suite=$1
work=$BOARD_WORK/$suite
sdk=$work/sdk
size=768M # of the file system; the file is sparse

case $suite in
bookworm) gpiod=libgpiod2 ;;
trixie) gpiod=libgpiod3 ;;
esac
# Without usr-is-merged, init-system-helpers would pull in usrmerge and 47 MB of perl.
packages=(usr-is-merged systemd systemd-sysv udev dbus libnss-systemd passwd adduser procps
    kmod gpiod "$gpiod" libyaml-0-2 libsqlite3-0 libsodium23 libstdc++6 sqlite3)

need mke2fs=e2fsprogs depmod=kmod cpio=cpio strip=binutils xz=xz-utils
"$BOARD_SOURCES/image/build-gpio-sim.sh" "$suite"
release=$(kernel_release "$suite")
version=$(kernel_version "$suite")
key=$(cat "$0" "$BOARD_SOURCES"/guest/* "$work/gpio-sim.ko" <(echo "$version") | sha256sum)
[ "$(cat "$work/rootfs.key" 2>/dev/null)" != "$key" ] || exit 0
rm -f "$work/rootfs.key"

kernel() {
    local deb
    [ "$(cat "$work/kernel/.version" 2>/dev/null)" != "$version" ] || return 0
    say "kernel $release"
    rm -rf "$work/kernel"
    mkdir -p "$work/kernel"
    deb=$(sdk_download "$suite" "linux-image-$release=$version")
    dpkg-deb -x "$deb" "$work/kernel"
    rm -f "$deb"
    mkdir -p "$work/kernel/lib"
    [ ! -d "$work/kernel/usr/lib/modules" ] ||
        mv "$work/kernel/usr/lib/modules" "$work/kernel/lib/"
    depmod -b "$work/kernel" "$release"
    bash "$sdk/usr/src/gpio-sim/scripts/extract-vmlinux" "$work/kernel/boot/vmlinuz-$release" \
        >"$work/vmlinux"
    echo "$version" >"$work/kernel/.version"
}

# copy_modules DIRECTORY NAME...: the modules and what they depend on; prints their file names
# in load order. They lose their signatures: under emulation each RSA check costs the guest
# 50 ms. (Debian does not enforce signatures, and gpio-sim has none.) crc32c-intel wants
# SSE 4.2, which the emulated CPU lacks.
copy_modules() {
    local directory=$1 name file
    shift
    mkdir -p "$directory"
    for name in "$@"; do
        modprobe -d "$work/kernel" -S "$release" --show-depends "$name"
    done | grep -v crc32c-intel | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' |
        while read -r file; do
            name=$(basename "$file" .xz)
            case $file in
            *.xz) xz -dc "$file" >"$directory/$name" ;;
            *) cp "$file" "$directory/$name" ;;
            esac
            strip --strip-debug "$directory/$name"
            echo "$name"
        done
}

initrd() {
    local tree=$work/initrd.d deb
    say "initrd"
    rm -rf "$tree"
    mkdir -p "$tree"/{bin,dev,proc,sys,root,lib,unpacked}
    deb=$(sdk_download "$suite" busybox-static)
    dpkg-deb -x "$deb" "$tree/unpacked"
    find "$tree/unpacked" -name busybox -type f -perm -100 -exec mv {} "$tree/bin/" \;
    rm -rf "$deb" "$tree/unpacked"
    install -m 755 "$BOARD_SOURCES/guest/initrd-init" "$tree/init"
    # crc32c is for ext4's metadata checksums; autofs4 systemd would load itself, by modprobe.
    {
        copy_modules "$tree/lib" virtio_pci virtio_blk virtio_console crc32c_generic ext4 \
            autofs4 configfs
        cp "$work/gpio-sim.ko" "$tree/lib/"
        echo gpio-sim.ko
    } >"$tree/modules"
    (cd "$tree" && find . | cpio --quiet -o -H newc -R 0:0) >"$work/initrd"
}

# Units that mean nothing on the board and cost 50 to 1500 ms each under emulation.
mask_units() {
    local unit masked=(
        systemd-logind.service getty@tty1.service
        modprobe@{configfs,dm_mod,drm,efi_pstore,fuse,loop}.service kmod-static-nodes.service
        dev-hugepages.mount dev-mqueue.mount sys-kernel-{config,debug,tracing}.mount
        proc-sys-fs-binfmt_misc.automount
        systemd-{sysusers,random-seed,modules-load,hwdb-update,firstboot}.service
        systemd-machine-id-commit.service
        systemd-update-utmp.service systemd-update-utmp-runlevel.service
        apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer
        e2scrub_all.timer e2scrub_reap.service fstrim.timer
        systemd-udev-load-credentials.service run-lock.mount systemd-hostnamed.socket
        systemd-{pcrphase,pcrphase-sysinit,pcrmachine,tpm2-setup,tpm2-setup-early}.service
    )
    for unit in "${masked[@]}"; do ln -sf /dev/null "$1/etc/systemd/system/$unit"; done
    # Coldplug only what rules on the board can care about, not 400 devices.
    mkdir -p "$1/etc/systemd/system/systemd-udev-trigger.service.d"
    cat >"$1/etc/systemd/system/systemd-udev-trigger.service.d/board.conf" <<'UNIT'
[Service]
ExecStart=
ExecStart=udevadm trigger --action=add --subsystem-match=block --subsystem-match=gpio --subsystem-match=virtio-ports --subsystem-match=watchdog
UNIT
}

root_tree() {
    local root=$work/rootfs.d
    say "root: ${packages[*]}"
    debian_root "$suite" "$root" "${packages[@]}"
    copy_modules "$root/lib/modules/$release/kernel" softdog >/dev/null
    cp "$work/kernel/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} \
        "$root/lib/modules/$release/"
    depmod -b "$root" "$release"

    # Static, so that it runs whatever a story does to the root.
    mkdir -p "$sdk/usr/src/board"
    cp "$BOARD_SOURCES/guest/board-agent.c" "$sdk/usr/src/board/"
    mkdir -p "$root/usr/lib/board" "$root/etc/board"
    in_sdk "$suite" gcc -O2 -Wall -Wextra -Werror -static -s \
        -o /usr/src/board/board-agent /usr/src/board/board-agent.c
    install -m 755 "$sdk/usr/src/board/board-agent" "$root/usr/lib/board/"
    install -m 644 "$BOARD_SOURCES/guest/lines" "$root/etc/board/"
    install -m 644 "$BOARD_SOURCES/guest/board-agent.service" "$root/etc/systemd/system/"
    chroot "$root" systemctl --quiet enable board-agent.service
    mask_units "$root"

    echo board >"$root/etc/hostname"
    echo '127.0.0.1 localhost board' >"$root/etc/hosts"
    : >"$root/etc/fstab"
    # A fixed machine id: no first-boot run of presets, and stable journal paths.
    echo b0a2d000000000000000000000000001 >"$root/etc/machine-id"
    mkdir -p "$root/var/log/journal" # persistent, as on a product
    mkdir -p "$root/var/lib/turnstiled" # where the initrd mounts the other disk
    # The message catalog and the linker's cache: now, natively, not at the first boot.
    chroot "$root" journalctl --update-catalog
    chroot "$root" ldconfig
    touch -r "$root/usr" "$root/etc/.updated" "$root/var/.updated" # see ConditionNeedsUpdate=
}

kernel
initrd
root_tree
say "image"
rm -f "$work/rootfs.ext4"
mke2fs -q -t ext4 -d "$work/rootfs.d" -L board -m 0 \
    -E lazy_itable_init=1,lazy_journal_init=1 "$work/rootfs.ext4" "$size"
rm -rf "$work/rootfs.d" "$work/initrd.d"
# Small, since thousands of images are made of it; nothing is left for the kernel to initialise.
# The last 4 KiB belong to no file system: the stories' marks go there.
rm -f "$work/state.ext4"
mke2fs -q -t ext4 -b 4096 -N 64 -L state -m 0 -E lazy_itable_init=0 "$work/state.ext4" 32764k
truncate -s 32M "$work/state.ext4"
echo "$key" >"$work/rootfs.key"
say "$work/rootfs.ext4: $(du -h "$work/rootfs.ext4" | cut -f1) on disk"
