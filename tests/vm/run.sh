#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh -k KERNEL [-n CPUS] [-m MB] [-t SECONDS] [-f FILE[:NAME]]... [-o DIR] -- COMMAND
#
# Boots KERNEL in qemu (emulated: no /dev/kvm needed, no root) on an initramfs of busybox and
# the FILEs, which are static programs or scripts and become /bin/NAME; runs COMMAND there by
# the shell, as root.  Its standard output, standard error and exit status become this
# script's; what it leaves in /out goes to DIR.  Status 124: over SECONDS; 125: the guest
# died, and its console is on standard error.
set -u
kernel='' cpus=1 mem=256 limit=60 dir='' files=()
while getopts k:n:m:t:f:o: opt; do
	case $opt in
	k) kernel=$OPTARG ;;
	n) cpus=$OPTARG ;;
	m) mem=$OPTARG ;;
	t) limit=$OPTARG ;;
	f) files+=("$OPTARG") ;;
	o) dir=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
if [ -z "$kernel" ] || [ $# != 1 ]; then
	sed -n '3s/^# /usage: /p' "$0" >&2
	exit 2
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/sysmon-vm.XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT

initramfs() { # COMMAND
	local r=$tmp/root f
	mkdir -p "$r"/{bin,dev,proc,sys,tmp,out,etc} && chmod 1777 "$r/tmp" || return
	cp "$(command -v busybox)" "$r/bin/busybox" || return
	for f in ${files[@]+"${files[@]}"}; do
		local name=${f##*:}
		cp "${f%%:*}" "$r/bin/${name##*/}" || return
		chmod 755 "$r/bin/${name##*/}"
	done
	printf 'root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n' >"$r/etc/passwd"
	printf '%s\n' "$1" >"$r/command"
	cp "$(dirname "$0")/init" "$r/init" && chmod 755 "$r/init" || return
	(cd "$r" && find . | cpio --quiet -o -H newc -R 0:0) >"$tmp/initramfs"
}

# The console is the first serial port; what comes back, a tar stream, the second.
boot() {
	timeout -k 2 "$limit" qemu-system-x86_64 -accel tcg -cpu max -smp "$cpus" -m "$mem" \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$kernel" -initrd "$tmp/initramfs" \
		-append 'console=ttyS0 quiet panic=-1 tsc=reliable mitigations=off' \
		-serial "file:$tmp/console" -serial "file:$tmp/tar" \
		-device isa-debug-exit,iobase=0x501,iosize=1 </dev/null >"$tmp/qemu" 2>&1
}

initramfs "$1" || exit 2
boot
[ $? != 124 ] || {
	tail -n 20 "$tmp/console" >&2
	exit 124
}
mkdir -p "$tmp/back"
if ! tar -C "$tmp/back" -xf "$tmp/tar" 2>/dev/null || [ ! -s "$tmp/back/status" ]; then
	cat "$tmp/qemu" "$tmp/console" >&2
	exit 125
fi
if [ -n "$dir" ]; then
	mkdir -p "$dir" && cp -r "$tmp/back/out/." "$dir" || exit 2
fi
cat "$tmp/back/stdout"
cat "$tmp/back/stderr" >&2
exit "$(cat "$tmp/back/status")"
