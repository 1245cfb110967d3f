#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# stressors under the stock kernels that kernels.sh fetched into $VM: each stressor runs and checks what it does,
# its counts are those of the kernel, it ends in time and by signals, and what the kernel kills for lack of
# memory is counted.  An emulated CPU is slow, and shares this machine's: limits of time are generous.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/vm.sh"

# The library of heapsort, mergesort and radixsort is loaded when they run.
bsd=$(ldd "$STRESSORS" | sed -n 's|.* => \(/.*\)/libc[.]so.*|\1/libbsd.so.0|p')
libraries=()
[ ! -e "$bsd" ] || libraries=(-f "$bsd:$bsd")

# RUN STRESSOR JQ: of its result
of_run() { jq -r --arg name "$2" "select(.type == \"result\" and .stressor == \$name) | $3" "$G/$1.rows"; }
# RUN STRESSOR EVENT: its value
figure() { of_run "$1" "$2" ".figures[] | select(.name == \"$3\").value"; }
ended() { # RUN: its exit status, that in its summary, messages
	echo "$(cat "$G/$1.status") $(jq -r 'select(.type == "summary").exit' "$G/$1.rows")$(cat "$G/$1.err")"
}
# RUN KEY: what /proc/stat counted in it
counted() { cat "$G/$1.before" "$G/$1.after" | awk -v key="$2" '$1 == key { n = $2 - n } END { print n }'; }
# GOT LEAST MOST NAME
within() { num "$(($1 >= $2 && $1 <= $3))" -eq 1 "$4: $1, from $2 to $3"; }

judge_guest() { # NAME
	results "$1" || return
	judge_each
	judge_counts
	judge_memory
	judge_ends
}

judge_each() {
	local s status passed=0
	is "$(ended each)" '0 0' "$release: each stressor: exit status"
	for s in "${all_stressors[@]}"; do
		status=$(of_run each "$s" .status)
		if [ "$status" = skip ]; then
			skip "$release: $s: $(of_run each "$s" .reason)" 2
			continue
		fi
		passed=$((passed + 1))
		is "$(of_run each "$s" '[.status, .ops > 0, .wall_s >= 0.9, .wall_s < 3] | @csv')" \
			'"pass",true,true,true' "$release: $s: its result, $(of_run each "$s" '"\(.ops) ops in \(.wall_s) s"')"
		[ "$s" = nop ] || is "$(of_run spoil "$s" '[.status, .reason != ""] | @csv')" '"fail",true' "$release: $s: finds what is wrong"
	done
	is "$(of_run each af-alg .status)" pass "$release: AF_ALG, which few containers have"
	num "$(of_run each af-alg '.metrics[] | select(.name == "algorithms").value')" -ge 5 "$release: af-alg: $(of_run each af-alg .reason)"
	is "$(of_run each rtc .status) $(cat "$G/alarm")" 'pass ' "$release: a clock, and no alarm is left: $(of_run each rtc .reason)"
	num "$passed" -ge 12 "$release: stressors that ran"
	is "$(ended spoil)" '2 2' "$release: what is wrong: exit status"
}

judge_counts() {
	local n ns
	n=$(of_run fork fork .ops)
	is "$(ended fork)" '0 0' "$release: fork: exit status"
	# The program, its instance, and the shell's own.
	within "$(counted fork processes)" "$n" $((n + 10)) "$release: fork: processes that the kernel created for $n ops"
	n=$(of_run switch switch .ops)
	is "$(ended switch)" '0 0' "$release: switch: exit status"
	within "$(counted switch ctxt)" $((n - 4)) $((n + n / 20 + 500)) "$release: switch: context switches of the machine for $n ops"

	is "$(ended perf)" '0 0stressors: --perf: this machine has no hardware counters' "$release: --perf: exit status, message"
	n=$(of_run perf switch .ops)
	# The first number finds the pipe empty.
	within "$(figure perf switch context-switches)" $((n - 4)) $((n + n / 50 + 50)) "$release: --perf: context switches of $n ops"
	is "$(figure perf fork forks)" "$(of_run perf fork .ops)" "$release: --perf: forks"
	ns=$(of_run perf switch '(.user_s + .sys_s) * 1e9 | floor')
	within "$(figure perf switch task-clock)" $((ns * 17 / 20)) $((ns * 23 / 20)) "$release: --perf: CPU time"
	is "$(of_run perf switch '[.figures[].share] | unique | @csv')" 1 "$release: --perf: all are counted all the time"
}

judge_memory() {
	is "$(ended small)$(of_run small vm '" \(.status) \(.oom_kills)"')" '0 0 pass 0' "$release: a control group of 64 MB"
	is "$(of_run small vm '.maxrss_kb > 8000 and .maxrss_kb < 40000')" true "$release: half of what is free in it is used"
	num "$(of_run oom vm .oom_kills)" -ge 1 "$release: more than the group has: kills are counted"
	is "$(ended oom) $(of_run oom vm .status)" '143 143 no-resource' "$release: and are no success"
	is "$(ended oomable) $(of_run oomable vm '[.status, .oom_kills, .reason] | @csv')" \
		'3 3 "no-resource",1,"killed by the kernel for lack of memory"' "$release: --oomable: it is not started again"
	is "$(($(of_run oom vm .oom_kills) + $(of_run oomable vm .oom_kills)))" "$(cat "$G/oom.kernel")" "$release: as many kills as the kernel counts"
}

judge_ends() {
	is "$(ended interrupted)" '130 130' "$release: SIGINT: exit status"
	is "$(jq -r 'select(.type == "result" and .status != "skip") | .status + (if .status == "interrupted" then "" else
			" \(.stressor): \(.reason)" end)' "$G/interrupted.rows" | sort | uniq -c | xargs)" \
		"$(jq -r 'select(.type == "result" and .status != "skip").status' "$G/each.rows" | wc -l) interrupted" "$release: SIGINT: a result of each"
	num "$(of_run interrupted nop .ops)" -ge 1 "$release: SIGINT: with the ops until then"
	is "$(cat "$G/interrupted.left")" '' "$release: SIGINT: no process is left"
	# A program that exec starts has this name, too.
	num "$(grep -c '(stressors)' "$G/killed.ran")" -ge 1 "$release: SIGKILL: the supervisor ran before it"
	num "$(grep -c '(stress-' "$G/killed.ran")" -ge 12 "$release: SIGKILL: and its instances"
	is "$(cat "$G/killed.left")" '' "$release: SIGKILL: a second later no process is left"
}

for name in "${kernels[@]}"; do
	boot "$name" "$name" -n 2 -m 512 -t 700 -f "$STRESSORS" ${libraries[@]+"${libraries[@]}"} \
		-f "$VM/$name/modules:/lib/modules/$(cat "$VM/$name/version")" \
		-f "$TOP/tests/vm/guest-stressors.sh" -- guest-stressors.sh
done
wait
for name in "${kernels[@]}"; do judge_guest "$name"; done
done_testing
