#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# needs: root
# timeout: 300
# Each method of counting gives the figures that the loads counted themselves.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
able_methods

# Sums over rows: JQ-CONDITION FIELD
sum() { jqs "map(select(.type == \"timers\" and ($1)).$2) | add // 0"; }

kinds() { # METHOD
	measure "$1" -t 5 kinds
	is "$(jqs '.[0].source')" "\"$1\"" "$1: the header names the method"
	judge_unless_lost "$1: every way to wait"
	is "$(wc -l <"$TMP/truth")" 20 "$1: of all tasks"
}

# Time-outs that data ends: the only ones of that task that expire are others' in the process of being armed.
cancelled() { # METHOD
	local starts expiries true_starts true_expiries comm name
	while IFS=$'\t' read -r starts expiries true_starts true_expiries comm name; do
		[ "$comm" = cancel1k ] || continue
		num "$true_starts" -gt 500 "$1: time-outs were armed"
		num "$expiries" -le 1 "$1: $starts cancelled time-outs do not expire"
	done < <(compare)
}

blame() { # METHOD
	local burner kids
	measure "$1" -t 3 blame
	burner=$(awk -F'\t' '$1 == "burner" { print $2 }' "$TMP/truth")
	kids=$(awk -F'\t' '$1 == "kid" { print $4 }' "$TMP/truth")
	num "$(sum ".tid == $burner and .func == \"hrtimer_wakeup\"" starts)" -eq 0 "$1: a busy loop arms nothing"
	if [ "$(lost)" != 0 ]; then
		skip "$1: the machine was too busy" 2
		return
	fi
	within "$(sum '.comm == "kid" and .func == "hrtimer_wakeup"' starts)" "$kids" 10 2
	is $? 0 "$1: $kids short-lived children by their name"
	is "$(jqs 'map(select(.type == "timers" and .tid != null and (.comm // "") == "")) | length')" 0 \
		"$1: no task without a name"
}

# RATE METHOD: what is reported and what is lost is what was armed; others' events may be lost, too.
arms() {
	local truth reported all
	measure "$2" -t 2 arm 2 "$1"
	truth=$(awk -F'\t' '{ n += $4 } END { print n }' "$TMP/truth")
	reported=$(compare | awk -F'\t' '{ n += $1 } END { print n }')
	all=$((reported + $(lost)))
	num "$reported" -le "$truth" "$2, $1 a second: no event twice"
	num $((all * 1000)) -ge $((truth * 995)) "$2, $1 a second: $reported reported + $(lost) lost are the $truth that were armed"
	num $((all * 1000)) -le $((truth * 1050)) "$2, $1 a second: not more are lost than there were"
	[ "$2" != bpf ] || is "$(lost)" 0 "$2, $1 a second: none is lost"
}

# A row for each timer.  That of a sleep is on the stack, where the kernel gives it a new place each time; that of a
# timerfd has one address.
ids() { # METHOD
	local own='map(select(.comm == "armer" and .func == "timerfd_tmrproc"))'
	options=(-i)
	measure "$1" -t 2 arm 2 2000
	is "$(jqs "$own"' | group_by(.tid) | map(map(.timer_id) | unique | length)')" '[1,1]' "$1: a timer has one id in all samples"
	is "$(jqs "$own"' | map(.timer_id) | unique | length')" 2 "$1: two timers have two ids"
	is "$(jqs 'map(select(.timer_id != null and (.timer_id | test("^[0-9a-f]{8}$") | not))) | length')" 0 "$1: ids are hashes"
	judge_unless_lost "$1: with -i the sums are the same"
	options=()
}

# Who sleeps since before the start: the expiry tells from the second interval on.
sleepers() { # METHOD
	local t
	for t in 3 4 5 6; do bg sleep "$t"; done
	run "$EVENTSTAT" -j --method="$1" 1 7
	mv "$TMP/out" "$TMP/rows"
	is "$(jqs '(map(select(.type == "sample"))[0].mono_ns) as $first |
		map(select(.type == "timers" and .func == "hrtimer_wakeup" and .tid == null and .mono_ns > $first)) | length')" 0 \
		"$1: no sleep without its task after the first interval"
	num "$(sum '.comm == "sleep" and .func == "hrtimer_wakeup"' expiries)" -ge 3 "$1: sleeps of before have their task's name"
}

for method in "${methods[@]}"; do
	[ "$method" != bpf ] || sleepers bpf
	kinds "$method"
	cancelled "$method"
	blame "$method"
	arms 100000 "$method"
	arms 300000 "$method"
	ids "$method"
done
done_testing
