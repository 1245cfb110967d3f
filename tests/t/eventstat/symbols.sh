#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# eventstat where the kernel hides its symbols: a file without addresses is mounted over /proc/kallsyms.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_timers
tick=$(awk '$3 == "tick_sched_timer" || $3 == "tick_nohz_highres_handler" { print $1; found = 1 }
	$3 == "tick_nohz_handler" { last = $1 } END { if (!found) print last }' /proc/kallsyms)
[[ $tick =~ [1-9a-f] ]] || skip_all 'needs the address of the tick'
sleeper=$(awk '$3 == "hrtimer_wakeup" { print $1 }' /proc/kallsyms)
sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >"$TMP/kallsyms"
unshare -m mount --bind "$TMP/kallsyms" /proc/kallsyms 2>"$TMP/err" || skip_all "$(cat "$TMP/err")"
hidden=(unshare -m sh -c 'mount --bind "$0" /proc/kallsyms && exec "$@"' "$TMP/kallsyms" "$EVENTSTAT")

why='the kernel hides function addresses (needs CAP_SYSLOG and kernel.kptr_restrict below 2)'
for option in '--func=hrtimer*' '--group=function' '-gfunction --wakeups'; do
	# shellcheck disable=SC2086
	expect "refused: $option" 4 "eventstat: --func and --group=function need function names: $why" "${hidden[@]}" $option 0.1 1
done

# --- rows, until the tick has run
naps 20 nap-one
has_tick() { [ "$(jqs 'map(select(.type == "sample").tick_expiries) | add // 0')" -gt 0 ]; }
bg "${hidden[@]}" -q --json="$TMP/rows" -x 0.2 2>"$TMP/msg"
tool=$bg_pid
nap_rows() { [ "$(jqs "map(select(.tid == $p)) | length")" -gt 1 ]; }
wait_for nap_rows
if [[ $(cat "$TMP/msg") == *'the tick is shown'* ]]; then
	skip 'this kernel does not find the tick by its types' 3
else
	ok 'the tick is counted as the tick' wait_for has_tick
	is "$(jqs "map(select(.func == \"0x$tick\")) | length")" 0 'and is in no row'
	is "$(sed 's/, and timers of tasks that were asleep.*//' "$TMP/msg")" "eventstat: $why: functions are shown as addresses" 'one message'
fi
kill -INT "$tool"
reap "$tool"
is "$status" 0 'it ends well'
is "$(jqs 'map(select(.type == "timers") | .work // .func // "0x" | startswith("0x")) | all')" true 'functions are addresses'
is "$(jqs "map(select(.tid == $p).func) | index(\"0x$sleeper\") != null")" true 'of the load that of its sleep'
end_naps

# --- wakeups
run "${hidden[@]}" --wakeups -q --json="$TMP/rows" 0.3 2
is "$status" 0 '--wakeups'
[[ $err == *'the tick is shown'* ]] ||
	is "$(jqs "map(select(.type == \"wakeups\" and .func == \"0x$tick\").tid) | unique - [0]")" '[]' '--wakeups: the tick is of no task'
done_testing
