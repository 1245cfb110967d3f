#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# foreign.sh DIR TREE COMMAND
#
# Boots the s390x kernel of DIR (kernels.sh -a s390x) in qemu, on an initramfs of its busybox and the files below
# TREE.  The shell runs COMMAND there, as root, and its output (standard output and standard error) and exit status
# become this script's.  Status 125: the guest died, and its console is on standard error.
set -u
[ $# = 3 ] || { sed -n '3s/^# /usage: /p' "$0" >&2; exit 2; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/sysmon-vm.XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT

cp -r "$2" "$tmp/root" && mkdir -p "$tmp/root"/{bin,dev,proc,sys,tmp,etc} || exit 2
install -m 755 "$1/busybox" "$tmp/root/bin/busybox"
printf '%s\n' "$3" >"$tmp/root/command"
echo 'root:x:0:0::/:/bin/sh' >"$tmp/root/etc/passwd"
# The console has no second line: the result is a tar stream in base64 after a mark.
cat >"$tmp/root/init" <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir /back
sh /command >/back/out 2>&1 </dev/null
echo $? >/back/status
echo "== result"
tar -C /back -c . | base64
echo "== end"
poweroff -f
END
chmod 755 "$tmp/root/init"
(cd "$tmp/root" && find . | cpio --quiet -o -H newc -R 0:0) >"$tmp/initramfs"
timeout -k 2 240 qemu-system-s390x -accel tcg -cpu max -m 512 -nodefaults -display none -no-reboot \
	-kernel "$1/vmlinuz" -initrd "$tmp/initramfs" -append 'console=ttysclp0 quiet panic=-1' \
	-chardev "file,id=console,path=$tmp/console" -device sclpconsole,chardev=console </dev/null >"$tmp/qemu" 2>&1
tr -d '\r' <"$tmp/console" | sed -n '/^== result$/,/^== end$/{/^==/!p}' | base64 -d 2>/dev/null |
	tar -x -C "$tmp" 2>/dev/null
[ -s "$tmp/status" ] || { cat "$tmp/qemu" "$tmp/console" >&2; exit 125; }
cat "$tmp/out"
exit "$(cat "$tmp/status")"
