#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Command lines of stress-ng that people type: each is accepted, accepted with a note, or refused with a message that
# names what is missing.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"

judge() { # OPTION...: $verdict
	run "$STRESSORS" --dry-run "$@"
	verdict=accepted
	[ -z "$err" ] || verdict=note
	[ "$status" = 0 ] || verdict=refused
}
while IFS=$'\t' read -r want line; do
	case $want in '#'* | '') continue ;; esac
	read -ra options <<<"$line"
	judge "${options[@]}"
	is "$verdict" "$want" "$line"
	[ "$want" != accepted ] || continue
	like "$err" "has no effect here|have no effect here|does not exist here|only --cyclic-policy has|the nearest is" "$line: the message"
done <"$TOP/tests/fixtures/stressors/cmdlines"

# What two jobs of one stressor do is told apart.
stress --seq --nop 1 --nop-ops 1 --nop 2 --nop-ops 1 --timeout 600 --timeout 500
is "$status $(of nop '"\(.instances) \(.status)"' | tr '\n' ' ')" '0 1 pass 2 pass ' 'the same stressor twice: both run'
is "$(jq -r 'select(.type == "run").timeout_s' "$TMP/rows")" 500 'of --timeout the last one counts'
run "$STRESSORS" --nop 1 --nop-ops 1 -t 0 --log-file "$TMP/log" --json
is "$status" 0 '--timeout 0 ends with the ops'
like "$(cat "$TMP/log")" '^nop: passed, 1 instance' '--log-file has the results'

# A job file that is written for stress-ng reports all that is missing.
printf 'run sequential\ntun 0 # 0 means 1 stressor per CPU\nnop 1\nwatchdog 0\nignite-cpu\n' >"$TMP/job"
run "$STRESSORS" --job "$TMP/job"
is "$status $(grep -c 'does not exist here' <<<"$err")" '1 2' 'a job file: all stressors that are missing'
like "$err" "job:2: .*stressor tun .*job:4: .*stressor watchdog " 'a job file: with their lines'

# What the instances inherit.
slack_is() { # NS
	worker=$(pgrep -g "$bg_pid" -x stress-nop) && [ -n "$worker" ] && [ "$(cat "/proc/$worker/timerslack_ns")" = "$1" ]
}
if [ ! -e /proc/self/timerslack_ns ] || ! have_cmd ionice; then
	skip '--timer-slack, --ionice-level: need /proc/PID/timerslack_ns and ionice' 2
elif ! have_cap sys_nice; then
	skip '--timer-slack, --ionice-level: to read the slack of another process needs CAP_SYS_NICE' 2
else
	bg_group "$STRESSORS" --nop 1 --ionice-level 2 --timer-slack 70us -t 600 >/dev/null
	ok '--timer-slack' wait_for slack_is 70000
	is "$(ionice -p "$worker")" 'best-effort: prio 2' '--ionice-level'
	kill -INT "$bg_pid"
	wait "$bg_pid" 2>/dev/null
fi
done_testing
