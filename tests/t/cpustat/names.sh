#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The CPU time of exited children in --prom: under the names of the programs that used it, against the times
# that their parent got from the kernel.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"

ln -s "$(command -v awk)" "$TMP/sm-child"
cat >"$TMP/sm-parent" <<'END'
#!/bin/bash
for ((i = 0; i < 10; i++)); do
	"${0%/*}/sm-child" 'BEGIN { for (i = 0; i < 300000; i++) x += i }'
done
times >"${0%/*}/times"
exit 0
END
chmod +x "$TMP/sm-parent"
# CPU time by program, us
of_comm() { awk -v name="comm_cpu_seconds_total{comm=\"$1\"}" 'index($0, name) { us = $NF * 1e6 } END { printf "%d\n", us }' "$TMP/prom"; }
us_of() { sed -n "$1p" "$TMP/times" | tr 'ms' '  ' | awk '{ printf "%d\n", ($1 * 60 + $2 + $3 * 60 + $4) * 1e6 }'; } # 1: the shell, 2: its children

run "$CPUSTAT" -q --prom="$TMP/prom" 5 -- "$TMP/sm-parent"
expect_exit 0 'a shell with children'
# The child is a copy of the shell until it executes the program.
near $(($(of_comm sm-parent) + $(of_comm sm-child) + $(of_comm '(exited children)'))) $(($(us_of 1) + $(us_of 2))) 50 'all time' 30000
near "$(of_comm sm-parent)" "$(us_of 1)" 50 "the parent's own time" 30000
if ! have_cap bpf || [ ! -r /sys/kernel/btf/vmlinux ] || [ "$(readlink /proc/self/ns/pid)" != 'pid:[4026531836]' ]; then
	skip 'needs CAP_BPF, BTF and the initial pid namespace'
else
	# Some processes have no record (taskexit.h).
	num "$(of_comm sm-child)" -ge $(($(us_of 2) / 2)) "the time of the children under their name: $(of_comm sm-child) of $(us_of 2) us"
fi
num "$(sed -n 's/^sysmon_cpustat_labels_refused_total //p' "$TMP/prom")" -ge 0 'programs without a label are counted'
done_testing
