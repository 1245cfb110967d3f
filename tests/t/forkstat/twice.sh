#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# Several at once, with every source of names: none takes anything from another.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing

# Real-time scheduling, because the rings of perf are small for a busy machine.
shift_rows() { cp "$TMP/$1" "$TMP/rows"; }
sources=(auto perf)
if [ -n "${NO_TRACING-}" ]; then
	skip "$NO_TRACING"
	sources=(auto)
fi
for first in "${sources[@]}" proc; do
	for second in "${sources[@]}"; do
		bg "$FORKSTAT" -r --source=$first >"$TMP/first" 2>/dev/null
		one=$bg_pid
		wait_for test -s "$TMP/first"
		start -r --source=$second
		run "$HELPERS/load" -n 500 -o "$TMP/truth" exec
		finish
		judge "--source=$second beside $first"
		num "${V[exec_full]:-0}" -ge 480 "--source=$second beside $first: full arguments"
		kill -INT "$one"
		wait "$one"
		[ "$first" = proc ] && continue
		shift_rows first
		judge "--source=$first beside a later $second"
		num "${V[exec_full]:-0}" -ge 480 "--source=$first beside a later $second: full arguments"
	done
done
# Another consumer of the tracepoint sees all execs while we run.
if [ -n "${NO_TRACING-}" ]; then
	skip "$NO_TRACING"
elif have_cmd perf; then
	start
	run perf stat -o "$TMP/perf" -e sched:sched_process_exec -x, -a -- "$HELPERS/load" -n 300 -o "$TMP/truth" exec
	finish
	num "$(awk -F, '/sched_process_exec/ { print $1 }' "$TMP/perf")" -ge 300 'perf stat counts every exec'
else
	skip 'needs perf, which is not installed'
fi
done_testing
