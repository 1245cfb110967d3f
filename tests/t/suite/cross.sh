#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 300
# A cross build: every tool is built for arm64, with its completions.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
need_cmd make aarch64-linux-gnu-gcc readelf
[ -e /usr/aarch64-linux-gnu/include/stdio.h ] || skip_all 'needs libc6-dev-arm64-cross'
cd "$TOP" || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL CC CFLAGS CPPFLAGS LDFLAGS
out=$TOP/build/arm64

if make -j2 VARIANT=arm64 CROSS_COMPILE=aarch64-linux-gnu- all >"$TMP/log" 2>&1; then
	pass 'make CROSS_COMPILE=aarch64-linux-gnu-'
else
	fail 'make CROSS_COMPILE=aarch64-linux-gnu-' "$(tail -n 40 "$TMP/log")"
	done_testing
fi
is "$(grep -c 'warning:' "$TMP/log")" 0 'without a warning'
for name in "$BUILD"/bin/*; do
	tool=${name##*/}
	like "$(readelf -h "$out/bin/$tool" 2>&1)" 'Machine: +AArch64' "$tool is a program for arm64"
	is "$(cat "$out/completions/$tool.bash")" "$(cat "$BUILD/completions/$tool.bash")" "$tool: its completion"
done
done_testing
