#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# heavy
# seconds: 6
# An instance that makes no progress has failed, as after a wake-up that the kernel loses.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

declare -A code=() options=([pipe]='--pipe 1' [switch-pipe]='--switch 1' [switch-eventfd]='--switch 1 --switch-method=eventfd'
	[switch-futex]='--switch 1 --switch-method=futex' [instance]='--switch 1 --switch-freq=1000')
partner() { pgrep -P "$(pgrep -P "$1")"; }

# SECONDS: each of them runs so long, and the partner (or the instance) is stopped after the first ops.
stop_all() {
	local name pid
	for name in "${!options[@]}"; do
		read -r -a words <<<"${options[$name]}"
		launch "$name" "$STRESSORS" "${words[@]}" -t "$1" --interval=0.05 --json
	done
	for name in "${!options[@]}"; do
		wait_for has_line "$TMP/$name.rows" '"type":"interval".*"ops":[1-9]'
		pid=$(partner "${run_pid[$name]}")
		[ "$name" != instance ] || pid=$(pgrep -P "${run_pid[$name]}")
		kill -STOP "$pid"
	done
}
# The records of $TMP/rows: the last time at which an op was still to come, the length of the stall, status and reason.
stall() {
	jq -rs '(map(select(.type == "result"))[0]) as $r | map(select(.type == "interval")) |
		(.[-1].t_s // 0) as $last | (map(select(.ops < $r.ops).t_s) | max // 0) as $before |
		(map(select(.ops == $r.ops).t_s) | min // $last) as $since |
		"\($before) \($last - $since) \($r.status) \($r.reason)"' "$TMP/rows"
}
all_stalled() {
	local name length
	for name in "${!options[@]}"; do
		use "$name"
		read -r _ length _ < <(stall)
		[ "$(awk -v n="$length" 'BEGIN { print (n > 2) }')" = 1 ] || return 1
	done
}
# The machine may be too busy to stop them long before the end; the supervisor looks for progress every 0.2 s, or later.
for t in 3 8 30; do
	stop_all $t
	for name in "${!options[@]}"; do
		reap "${run_pid[$name]}"
		code[$name]=$status
	done
	! all_stalled || break
done
for name in "${!options[@]}"; do
	use "$name"
	read -r before _ got reason < <(stall)
	is "${code[$name]} $got" '2 fail' "$name: exit status and status"
	like "$reason" '^no progress since t = [0-9.]+ s$' "$name: the reason"
	is "$(awk -v before="$before" -v end=$t '{ print ($6 >= before - 0.05 && $6 <= end - 0.9) }' <<<"$reason")" 1 \
		"$name: $reason, after $before s"
done
done_testing
