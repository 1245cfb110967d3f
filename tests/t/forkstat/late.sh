#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# needs: root
# Under a steady load the rows of a file are written every few milliseconds, at most 10 ms late, with -l at once.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd strace
[ -r /sys/kernel/btf/vmlinux ] || skip_all 'needs BPF and type information'

wakeups() { awk '/^voluntary/ { print $2 }' "/proc/$tool/status"; }
# OPTION...: of the load's time, per second: wake-ups in $rate, execs in $execs, rows in $rows
steady() {
	local from wakes
	start "$@"
	from=$EPOCHREALTIME wakes=$(wakeups)
	"$HELPERS/load" -r 500 -n 700 -o "$TMP/truth" exec
	read -r rate execs rows < <(awk -v a="$from" -v b="$EPOCHREALTIME" -v n=$(($(wakeups) - wakes)) -v r="$(wc -l <"$TMP/rows")" \
		'BEGIN { print int(n / (b - a)), int(700 / (b - a)), int(r / (b - a)) }')
	finish
	expect_exit 0
}
steady
judge 'a file: nothing lost or wrong'
lazy=$rate
num "$lazy" -le 150 'a file: at most a wake-up per 9 ms, and some'
steady -l
# From 2,000 events per second on, those of other programs included, it looks every 4 ms.
if [ "$execs" -ge 450 ] && [ "$rows" -lt 1900 ]; then
	num "$rate" -ge $((lazy * 2)) '-l: it wakes for the events'
else
	skip "the machine is busy: $execs of 500 execs and $rows rows per second"
fi

# Each write begins with its oldest row, whose time is the kernel's.
bg strace -ttt -e trace=write -s 40 -o "$TMP/trace" "$FORKSTAT" --time=epoch --usec >"$TMP/rows" 2>"$TMP/msg"
wait_for listens
tool=$(pgrep -P "$bg_pid")
waited() { awk '{ printf "%d", $2 / 1e3 }' "/proc/$tool/schedstat"; } # us, for a CPU
before=$(waited)
"$HELPERS/load" -r 300 -n 300 -o "$TMP/truth" exec
after=$(waited)
kill -INT "$tool"
reap "$bg_pid"
read -r late writes < <(sed -nE 's/^([0-9.]+) write\(1, "([0-9]+\.[0-9]+) .*/\1 \2/p' "$TMP/trace" |
	awk '{ printf "%d\n", ($1 - $2) * 1e6 }' | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], NR }')
wait=$(((after - before) / (writes + 1)))
num "$late" -le $((10000 + wait)) "the median of the oldest rows is $late us late, at most 10 ms and the $wait us of waiting for a CPU"
num "$late" -ge 2000 'and they are collected'
done_testing
