# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# power: what the tests of the power tools in virtual machines share; sourced after tap.sh, with the tool's path in
# $tool.  The kernels are those of "$@", or all that kernels.sh fetched into $VM with the headers that modules need.
#
#	build_all            tables and modules for each kernel, in $TMP/KERNEL.lab
#	without KERNEL       modules cannot be made for it
#	judge NAME BOOT FUNCTION...   the results of a guest in $G and its kernel's name in $release, for each function
#	message PART, text PART       of a run in that guest
. "$TOP/tests/lib/vm.sh"
PATH=$PATH:/usr/sbin:/sbin
need_cmd iasl depmod make gcc
[ -x "$tool" ] || skip_all "needs ${tool##*/} (not built)"
[ $# = 0 ] || kernels=("$@")
for k in "${kernels[@]}"; do
	[ -d "$VM/$k/headers" ] || skip_all "no kernel of $k: run 'make vm-kernels' first"
done

lacks=' '
build_all() {
	local k
	for k in "${kernels[@]}"; do
		"$TOP/tests/vm/power-build.sh" "$VM/$k" "$TMP/$k.lab" 2>"$TMP/build.err"
		case $? in
		0) ;;
		3) lacks+="$k " ;;
		*) fail "$k: tables and modules" "$(cat "$TMP/build.err")" && exit ;;
		esac
	done
}
without() { [[ $lacks == *" $1 "* ]]; }

judge() {
	local boot=$2 f
	results "$1.$2" || return
	shift 2
	[ ! -f "$G/uptime" ] || diag "$boot: $(awk 'NR == 2 { printf "%d", $1 }' "$G/uptime") s of the guest's time"
	if grep -q 'soft lockup' "$G/kernel_errors"; then
		skip "$release: $boot: an emulated CPU had no time for 20 s"
		return
	fi
	is "$(cat "$G/kernel_errors")" '' "$release: $boot: the kernel finds nothing wrong"
	for f; do "$f"; done
}
message() { cat "$G/$1.err"; }
text() { cat "$G/$1.text"; }
