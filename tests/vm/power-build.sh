#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# power-build.sh KERNEL OUT
#
# Builds the files for powerstat.sh, for a kernel that kernels.sh fetched into KERNEL: OUT/power.aml and
# cpu.aml, and OUT/modules, with raplsim and labps, as /lib/modules.
# Status 3: the installed tools cannot build modules for this kernel (its compiler or C library is
# newer); OUT/modules lacks the two.
set -u
[ $# = 2 ] || {
	echo 'usage: power-build.sh KERNEL OUT' >&2
	exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
kernel=$(cd "$1" && pwd) || exit
version=$(cat "$kernel/version") || exit
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit
tree=$out/modules/$version

tables() {
	local t
	for t in power cpu; do
		# -vr, -vo: no remarks on integers of 32 bits, on what it made shorter
		iasl -vr -vo -p "$out/$t" "$here/acpi/$t.dsl" >"$out/$t.log" 2>&1 || {
			cat "$out/$t.log" >&2
			return 1
		}
	done
}

# The compiler that the headers name, else the one that is here.  The two Makefiles name each
# other by paths of an installed package.
build() {
	local headers common w=$out/build cc=()
	headers=$(echo "$kernel"/headers/src/*-amd64) common=$(echo "$kernel"/headers/src/*-common)
	local wanted
	wanted=$(grep -o 'gcc-[0-9]*$' "$headers/.kernelvariables" 2>/dev/null)
	[ -n "$wanted" ] && command -v "$wanted" >/dev/null || cc=(CC=gcc)
	mkdir -p "$w" && cp "$here"/modules/* "$w" || return
	make -C "$headers" -f "$common/Makefile" M="$w" "${cc[@]}" CONFIG_DEBUG_INFO_BTF_MODULES= \
		modules >"$w/log" 2>&1 || return
	strip --strip-debug "$w"/*.ko && cp "$w"/*.ko "$tree"
}

tables || exit 1
mkdir -p "$tree" && cp -r "$kernel/modules/." "$tree" || exit 1
built=0
build || built=3
mkdir -p "$out/root/lib" && ln -sfn "$out/modules" "$out/root/lib/modules" || exit 1
PATH=$PATH:/usr/sbin:/sbin depmod -b "$out/root" "$version" || exit 1
exit "$built"
