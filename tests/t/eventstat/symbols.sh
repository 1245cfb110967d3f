#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# eventstat where the kernel hides its symbols: a file without addresses is mounted over /proc/kallsyms.  BPF finds
# the names; without CAP_BPF, functions are addresses.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq setpriv
need_timers
sleeper=$(awk '$3 == "hrtimer_wakeup" { print $1 }' /proc/kallsyms)
[[ $sleeper =~ [1-9a-f] ]] || skip_all 'needs the address of a callback'
sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >"$TMP/kallsyms"
unshare -m mount --bind "$TMP/kallsyms" /proc/kallsyms 2>"$TMP/err" || skip_all "$(cat "$TMP/err")"
hidden=(unshare -m sh -c 'mount --bind "$0" /proc/kallsyms && exec "$@"' "$TMP/kallsyms" "$EVENTSTAT")

naps 20 nap-one

# --- names by BPF
if "${hidden[@]}" --group=function 0.1 1 >/dev/null 2>&1; then
	run "${hidden[@]}" -q --json="$TMP/rows" --func='hrtimer_w*' -t 0 0.3 2
	is "$status $err" '0 ' 'with BPF: no message'
	is "$(jqs "map(select(.tid == $p).func) | unique")" '["hrtimer_wakeup"]' 'with BPF: the function of the load'
	run "${hidden[@]}" --wakeups -q --json="$TMP/rows" 0.3 2
	is "$status $err" '0 ' '--wakeups'
	is "$(jqs 'map(select(.type == "wakeups" and ((.func // "") | test("^tick_(nohz|sched)"))).tid) | unique - [0]')" '[]' \
		'--wakeups: the tick is of no task'
	is "$(jqs 'map(select(.type == "wakeups") | .func // "" | startswith("0x")) | any')" false '--wakeups: no address'
	if command -v strace >/dev/null && strace -c true 2>/dev/null >&2; then
		run strace -o "$TMP/calls" -e trace=openat,pread64,bpf "$EVENTSTAT" -q 0.1 3
		list=$(sed -n 's/^openat([0-9]*, "kallsyms".* = \([0-9]*\)$/\1/p' "$TMP/calls")
		ok 'the program ran' grep -qE 'PROG_(TEST_)?RUN' "$TMP/calls"
		like "$list" '^[0-9]+$' 'the list of symbols is opened'
		is "$(grep -c "^pread64($list," "$TMP/calls")" 0 'and never read'
	else
		skip 'needs strace' 3
	fi
else
	skip 'names by BPF: not by this kernel' 8
fi

# --- without
hidden=("${hidden[@]:0:6}" setpriv '--bounding-set=-bpf,-sys_admin' "$EVENTSTAT")
why='the kernel hides function addresses (needs CAP_SYSLOG and kernel.kptr_restrict below 2)'
for option in '--func=hrtimer*' '--group=function'; do
	# shellcheck disable=SC2086
	expect "refused: $option" 4 "eventstat: --func and --group=function need function names: $why" "${hidden[@]}" $option 0.1 1
done

# --- rows
bg "${hidden[@]}" -q --json="$TMP/rows" -x 0.2 2>"$TMP/msg"
tool=$bg_pid
nap_rows() { [ "$(jqs "map(select(.tid == $p)) | length")" -gt 1 ]; }
wait_for nap_rows
is "$(cat "$TMP/msg")" "eventstat: $why: functions are shown as addresses, the tick is shown as a timer of tasks, and timers of tasks \
that were asleep at the start have no owner" 'one message'
kill -INT "$tool"
reap "$tool"
is "$status" 0 'it ends well'
is "$(jqs 'map(select(.type == "timers") | .work // .func // "0x" | startswith("0x")) | all')" true 'functions are addresses'
is "$(jqs "map(select(.tid == $p).func) | index(\"0x$sleeper\") != null")" true 'of the load that of its sleep'
end_naps
done_testing
