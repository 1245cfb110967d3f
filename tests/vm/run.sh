#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh -k KERNEL [-n CPUS] [-m MB] [-t SECONDS] [-f FILE[:NAME]]... [-o DIR] [OPTION]... -- COMMAND
#
# Boots KERNEL in qemu (emulated: no /dev/kvm needed, no root) on an initramfs of busybox and
# the FILEs, which become /bin/NAME, or NAME if it begins with /: scripts, programs (with the shared
# libraries that they need) or directories.  The shell runs COMMAND there, as root.  Its standard
# output, standard error and exit status become this script's; its files in /out are copied to DIR.
# Status 124: over SECONDS; 125: the guest died, and its console is on standard error.
#
#	-w  time warp: when the guest has nothing to do, time advances without waiting.  An hour
#	    of sleep takes seconds, and what is computed of the clock is exact.  One CPU only.
#	-a AML  one more ACPI table (again for more); there are four serial ports then, and the
#	    scratch registers of the third and fourth, at ports 0x3ef and 0x2ef, are free
#	-c CPU  qemu's model of the CPU (max)
set -u
kernel='' cpus=1 mem=256 limit=60 dir='' files=() cpu=max tables=() more=()
while getopts k:n:m:t:f:o:wa:c: opt; do
	case $opt in
	k) kernel=$OPTARG ;;
	n) cpus=$OPTARG ;;
	m) mem=$OPTARG ;;
	t) limit=$OPTARG ;;
	f) files+=("$OPTARG") ;;
	o) dir=$OPTARG ;;
	w) more+=(-icount 'shift=1,sleep=off' -rtc 'clock=vm') ;;
	a) tables+=(-acpitable "file=$OPTARG") ;;
	c) cpu=$OPTARG ;;
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

libraries() { # PROGRAM: what it is loaded with, in the guest at the same place
	local lib
	[ -f "$1" ] && [ "$(head -c 4 "$1" | tr -d '\0')" = $'\x7fELF' ] || return 0
	ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | while read -r lib; do
		[ -e "$r$lib" ] || { mkdir -p "$r${lib%/*}" && cp -L "$lib" "$r$lib"; } || return
	done
}

put() { # FILE[:NAME]
	local from=${1%%:*} to=${1##*:}
	[[ $1 == *:/* ]] || to=/bin/${to##*/}
	mkdir -p "$r${to%/*}" && cp -rL "$from" "$r$to" || return
	[[ $to != /bin/* ]] || chmod 755 "$r$to"
	libraries "$from"
}

initramfs() { # COMMAND
	local r=$tmp/root f
	mkdir -p "$r"/{bin,dev,proc,sys,tmp,out,etc} && chmod 1777 "$r/tmp" || return
	cp "$(command -v busybox)" "$r/bin/busybox" || return
	for f in ${files[@]+"${files[@]}"}; do
		put "$f" || return
	done
	printf 'root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n' >"$r/etc/passwd"
	printf '%s\n' "$1" >"$r/command"
	cp "$(dirname "$0")/init" "$r/init" && chmod 755 "$r/init" || return
	(cd "$r" && find . | cpio --quiet -o -H newc -R 0:0) >"$tmp/initramfs"
}

[ ${#tables[@]} = 0 ] || more+=("${tables[@]}" -serial null -serial null)
# The console is the first serial port; the results, a tar stream, are the second.
boot() {
	# With a thread for each CPU the emulator lets a guest run into the int3 of code that the kernel patches.
	timeout -k 2 "$limit" qemu-system-x86_64 -accel tcg,thread=single -cpu "$cpu" -smp "$cpus" -m "$mem" \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$kernel" -initrd "$tmp/initramfs" \
		-append 'console=ttyS0 quiet panic=-1 tsc=reliable mitigations=off' \
		-serial "file:$tmp/console" -serial "file:$tmp/tar" \
		${more[@]+"${more[@]}"} \
		-device isa-debug-exit,iobase=0x501,iosize=1 </dev/null >"$tmp/qemu" 2>&1
}

initramfs "$1" || exit 2
boot
status=$?
# An emulated machine may find its timer not working, if it gets no time.
if [ $status != 124 ] && [ -s "$tmp/console" ] && ! grep -q 'The first process runs' "$tmp/console"; then
	cat "$tmp/console" >&2
	boot
	status=$?
fi
[ $status != 124 ] || {
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
