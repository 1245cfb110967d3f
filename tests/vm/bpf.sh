#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# The BPF programs under the stock kernels that kernels.sh fetched into $VM: their unit tests, linked without shared
# libraries, run in the guest as they do here.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/vm.sh"
need_cmd gcc

units=(libsysmon/test_{bpf,bpf_object,cncount,cnring,forkcount,ksymname,shares,shares_wakeups,taskexit,taskwalk,timercount,timertick}
	libsysmon/test_{wakecause,wakeprog} forkstat/test_{execbpf,execbpf_facts,exitbpf})
files=()
for unit in "${units[@]}"; do
	name=${unit##*/} core=()
	[[ $unit == libsysmon/* ]] || mapfile -t core < <(printf '%s\n' "$BUILD/obj/${unit%/*}"/*.o | grep -v '/main[.]o$')
	gcc -static -no-pie -o "$TMP/$name" "$BUILD/obj/tests/unit/$unit.o" ${core[@]+"${core[@]}"} "$BUILD/lib/libsysmon.a" \
		-lcheck -lsubunit -lm -ldl -lrt -lpthread 2>"$TMP/link" || skip_all "needs a static library Check: $(tail -n 1 "$TMP/link")"
	files+=(-f "$TMP/$name")
done
# true(1) and cat(1) under any name; those of busybox go by it.
cat >"$TMP/program.c" <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char text[256];
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	long n = fd < 0 ? 0 : read(fd, text, sizeof(text));

	return n > 0 && write(1, text, n) != n;
}
END
gcc -static -o "$TMP/program" "$TMP/program.c" || exit 2

for name in "${kernels[@]}"; do
	boot "$name" "$name" -n 2 -m 512 -t 700 "${files[@]}" -f "$TMP/program:/usr/bin/program" \
		-f "$TOP/tests/vm/guest-bpf.sh" -- 'sh /bin/guest-bpf.sh'
done
wait
for name in "${kernels[@]}"; do
	results "$name" || continue
	for unit in "${units[@]##*/}"; do
		tap=$G/$unit.tap
		if [ "$unit" = test_execbpf ] && ! at_least 5.11; then
			# fexecve(3) says ENOENT in an initramfs of Linux 5.10.
			skip "$release: $unit: fexecve(3)"
			sed -i '/live_comm_of_fexecve/s/^not ok/ok/' "$tap"
		fi
		is "$(grep '^not ok' "$tap")" '' "$release: $unit"
		num "$(grep -c '^ok' "$tap")" -eq "$(sed -n 's/^1[.][.]//p' "$tap")" "$release: $unit: all of them"
		while read -r reason; do skip "$release: $unit: $reason"; done < <(sed -n 's/^# not tested: //p' "$tap")
	done
done
done_testing
