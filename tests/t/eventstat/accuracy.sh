#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 30
# timeout: 200
# Counts against what loads and other programs count, on a quiet machine: two tools at once by all methods, a report of
# a thousand naps a second, perf(1) beside.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_timers
able_methods

for one in "${methods[@]}"; do
	for other in "${methods[@]}"; do
		start --interval=0.5 --method="$one"
		mv "$TMP/rows" "$TMP/first"
		measure "$other" -t 2 sleep 4 1000
		judge_unless_lost "$other beside $one"
		mv "$TMP/msg" "$TMP/msg.second"
		finish
		is "$status" 0 "$one, which ran before $other, goes on to its end"
		judge_unless_lost "$one, which ran before $other" "$TMP/first"
	done
done

# Unless the load waited for a CPU for more than 1 % of the time.
waited_ns() { awk '{ print $2 }' "/proc/${tasks[0]}/schedstat"; }
naps 1000 c1k
for option in -q ''; do
	before=$(waited_ns)
	# shellcheck disable=SC2086
	watch $option -r "$TMP/wide" -s -d -p "$p" 0.5 6
	waited=$((($(waited_ns) - before) / 1000000))
	rates=$(awk -F, 'NR > 3 && $1 != "" { printf "%s ", $3 }' "$TMP/wide")
	if [ "$waited" -gt 30 ]; then
		skip "1000 naps a second, options '$option': the load waited for $waited of 3000 ms for a CPU"
	else
		ok "1000 naps a second, options '$option': each of six samples within 2 %: $rates" \
			awk -v r="$rates" 'BEGIN { n = split(r, x, " "); for (i = 1; i <= n; i++) if (x[i] < 980 || x[i] > 1020) bad++; exit n != 6 || bad }'
	fi
done
end_naps

# perf(1) on the same events sees all of its own, whichever method runs.
recorded() { # how many sleeps of the sleepers perf has: in their name the kernel starts other timers, too
	perf script -i "$TMP/perf.data" -F comm,event,trace 2>/dev/null | grep -c '^ *sleeper .*timer:hrtimer_start.*function=hrtimer_wakeup'
}
if have_cmd perf; then
	for method in "${methods[@]}"; do
		start --interval=0.5 --method="$method"
		run perf record -q -a -m 4M -e timer:hrtimer_start -o "$TMP/perf.data" -- \
			"$HELPERS/timerload" -o "$TMP/truth" -t 2 sleep 4 400
		is "$status" 0 "$method: perf record runs beside it"
		finish
		within "$(recorded)" "$(awk -F'\t' '{ n += $4 } END { print n }' "$TMP/truth")" 30 4
		is $? 0 "$method: perf has its $(recorded) events"
		judge_unless_lost "$method: beside perf"
	done
else
	skip 'needs perf, which is not installed'
fi
done_testing
