# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# vm: what the tests in virtual machines share; sourced after tap.sh.  Without qemu or kernels the script is skipped.
#
#	kernels            the names of the kernels that kernels.sh fetched into $VM
#	boot GUEST KERNEL OPTION... -- COMMAND   starts tests/vm/run.sh in the background; wait(1) for the end
#	results GUEST      sets G, the folder of its files, and release; a failed test and false if it did not end well
#	at_least VERSION   the guest's kernel is of this version or newer
VM=${VM:-$TOP/build/vm}
need_cmd jq cpio busybox qemu-system-x86_64
[[ $(file -bL "$(command -v busybox)" 2>/dev/null) != *dynamic* ]] || skip_all 'needs a static busybox'
kernels=()
for k in "$VM"/*/vmlinuz; do
	[ -e "$k" ] || skip_all "no kernels: run 'make vm-kernels' first"
	k=${k%/vmlinuz}
	kernels+=("${k##*/}")
done

# Two guests at a time, because an emulated CPU is busy all the time.
boot() {
	local guest=$1 kernel=$2
	shift 2
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
	mkdir -p "$TMP/$guest"
	{
		"$TOP/tests/vm/run.sh" -k "$VM/$kernel/vmlinuz" -o "$TMP/$guest" "$@" >"$TMP/$guest.log" 2>&1
		echo $? >"$TMP/$guest.rc"
	} &
}

results() {
	G=$TMP/$1
	release=$(cat "$G/release" 2>/dev/null)
	is "$(cat "$G.rc")" 0 "$1: booted, and all parts ran" && return
	diag "$(tail -n 20 "$G.log" "$G"/*.err "$G/kernel_errors" 2>/dev/null)"
	return 1
}

at_least() { printf '%s\n%s\n' "$1" "$release" | sort -CV; }
