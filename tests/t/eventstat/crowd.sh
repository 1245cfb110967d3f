#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# needs: root
# timeout: 240
# A user has more threads that armed a timer, or woke a CPU, than there are counters: the events of others are still
# counted with their task, and samples come in time.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq setpriv
able_methods
[[ " ${methods[*]} " == *' bpf '* ]] || skip_all 'needs the method bpf'

threads=18000
open_helpers crowd naps
start --method=bpf -j --interval=1
bg setpriv --reuid=4242 --regid=4242 --clear-groups "$HELPERS/crowd" $threads >"$TMP/made"
crowd=$bg_pid
made() { [ -s "$TMP/made" ]; }
wait_for made || fail 'the threads'
[ "$(cat "$TMP/made")" = $threads ] || skip_all "only $(cat "$TMP/made") threads can be made"
naps 100 victim
slept() { [ "$(jqs 'map(select(.comm == "victim").starts) | add // 0')" -ge 250 ]; }
wait_for slept || fail 'a task of another user is counted'
end_naps
finish
kill "$crowd"
reap "$crowd"

ROWS='map(select(.type == "timers"))'
of_crowd="$ROWS | map(select(.pid == $crowd and .func == \"hrtimer_wakeup\"))"
slept=$(awk -v task="${tasks[0]}" '$1 == task { print $2 }' "$TMP/naps")
ok "the sleeps of a task of another user: $slept" within \
	"$(jqs "$ROWS | map(select(.comm == \"victim\" and .func == \"hrtimer_wakeup\").starts) | add // 0")" "$slept" 0 2
num "$(jqs "$of_crowd | map(.starts) | add")" -ge $threads 'all timers of the threads'
is "$(jqs "$of_crowd | map(select(has(\"tid\") | not)) | length > 0")" true 'many of them in a row of the process'
is "$(jqs '.[-1].lost_events')" 0 'none is lost'
is "$(jqs '.[-1].missed_samples')" 0 'no sample is late by an interval'

# --- --wakeups: each thread ends one idle period, 2 ms after the one before it
threads=16000
start --wakeups -j --interval=1
bg setpriv --reuid=4242 --regid=4242 --clear-groups "$HELPERS/crowd" $threads 2000 >"$TMP/made"
crowd=$bg_pid
wait_for made || fail 'the threads'
WAKE='map(select(.type == "wakeups"))'
of_crowd="$WAKE | map(select(.pid == $crowd and .cause == \"hrtimer\"))"
all_woken() { [ "$(jqs "$of_crowd | map(.wakeups) | add // 0")" -ge 8500 ]; }
wait_for all_woken || skip "idle periods ended by the threads: $(jqs "$of_crowd | map(.wakeups) | add // 0") of $threads"
naps 100 victim
wake_of_victim="$WAKE | map(select(.comm == \"victim\" and .cause == \"hrtimer\").wakeups) | add // 0"
woke() { [ "$(jqs "$wake_of_victim")" -ge 100 ]; }
wait_for woke || fail 'the wake-ups of a task of another user' "$(jqs "$wake_of_victim")"
end_naps
finish
kill "$crowd"
reap "$crowd"
num "$(jqs "$wake_of_victim")" -ge 100 'wake-ups of a task of another user have its name'
is "$(jqs '[.[] | select(.type == "wakeups") | .cause] | unique | length > 1')" true 'with their causes'
is "$(jqs "$of_crowd | map(select(has(\"tid\") | not)) | length > 0")" true 'rows of the process follow those of threads'
is "$(jqs '[.[] | .without_task // 0] | add')" 0 'none without a counter'
done_testing
