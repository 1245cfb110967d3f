# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# eventstat: functions of the black-box tests of eventstat; sourced after tap.sh.
# Rows are in $TMP/rows, messages in $TMP/msg, the load's truth in $TMP/truth.
EVENTSTAT=${EVENTSTAT:-$BUILD/bin/eventstat}
export EVENTSTAT
tool='' # pid of the tool that start() started
instances=/sys/kernel/tracing/instances

can_count() { run "$EVENTSTAT" --interval=0.1 -q -- true && [ "$status" = 0 ]; }
need_timers() { can_count || skip_all "$err"; } # else the whole test is skipped

# Sets $methods to those that can be used here; the others are a skipped test each.
able_methods() {
	local m
	methods=()
	for m in bpf perf; do
		run "$EVENTSTAT" --method=$m --interval=0.1 -q -- true
		if [ "$status" = 0 ]; then methods+=("$m"); else skip "$err"; fi
	done
	[ "${#methods[@]}" -gt 0 ] || done_testing
}

# CPU time of pid 1, which is that of the virtual machine's own agent on some, in ns.
init_ns() { awk '{ n += $1 } END { printf "%.0f\n", n }' /proc/1/task/*/schedstat; }

busy=()
busy_cpus() {
	local i
	[ "${#busy[@]}" = 0 ] || return 0
	for ((i = 0; i < $(nproc); i++)); do
		bg chrt --idle 0 taskset -c "$i" sh -c 'while :; do :; done'
		busy+=("$bg_pid")
	done
}
sleeping_cpus() {
	[ "${#busy[@]}" = 0 ] || kill "${busy[@]}"
	busy=()
}

# METHOD TIMERLOAD-ARGUMENT...: the tool, with $options, around the load, of which it sees all.
# Seen on a virtual machine with Linux 6.18: the kernel runs no BPF program and writes no record of perf while a thread
# of pid 1 is current, and does not count that.  $gap is the share of that time, per mille of one CPU, doubled:
# expiries of that share may be missing.  There, perf has no event of the idle task of any CPU but the first, either: with
# perf something else runs whenever nothing does.
options=()
gap=0
measure() {
	local ns begin=${EPOCHREALTIME/./} others=${#busy[@]}
	ns=$(init_ns)
	[ "$1" != perf ] || busy_cpus
	rm -f "$TMP/truth"
	run "$EVENTSTAT" -j --interval=0.5 --method="$1" ${options[@]+"${options[@]}"} -- \
		"$HELPERS/timerload" -o "$TMP/truth" "${@:2}"
	[ "$others" != 0 ] || sleeping_cpus
	gap=$((2 * ($(init_ns) - ns) / (${EPOCHREALTIME/./} - begin)))
	mv "$TMP/out" "$TMP/rows"
	mv "$TMP/err" "$TMP/msg"
	[ "$status" = 0 ] || fail "$1: exit status 0" "$status: $err"
}

# OPTION...: runs the tool in the background, pid in $tool; returns when it counts.
start() {
	rm -f "$TMP/rows" "$TMP/msg"
	[[ " $* " != *' --method=perf '* ]] || busy_cpus # see measure
	bg "$EVENTSTAT" -j "$@" >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for test -s "$TMP/rows" || fail "start of eventstat $*" "$(cat "$TMP/msg")"
}
finish() { # [SIGNAL]; $status
	kill -"${1:-INT}" "$tool"
	reap "$tool"
	sleeping_cpus
}

# NAPS-ARGUMENT...: naps in the background; its processes in $tasks, as an array and as a list in $p
load='' tasks=() p=''
naps() {
	bg "$HELPERS/naps" "$@" >"$TMP/naps"
	load=$bg_pid
	wait_for has_line "$TMP/naps" '^ready' || fail "start of naps $*"
	read -r -a tasks < <(sed -n 's/^ready //p' "$TMP/naps")
	p=$(IFS=,; echo "${tasks[*]}")
}
end_naps() {
	kill -TERM "$load"
	reap "$load"
	[ "$status" = 0 ] || fail 'the load ends' "status $status"
}

# OPTION...: runs the tool to its end; $status, $err, rows.
watch() {
	run "$EVENTSTAT" "$@"
	mv "$TMP/out" "$TMP/rows"
	cp "$TMP/err" "$TMP/msg"
}

# TRIES COMMAND...: until it succeeds in an interval in which pid 1 used no CPU (see measure) or the tries are used up;
# the status of the last one.
undisturbed() {
	local tries=$1 ns rc=1
	shift
	while ((tries-- > 0)); do
		ns=$(init_ns)
		"$@" && return 0
		rc=$?
		[ "$(init_ns)" != "$ns" ] || tries=$((tries < 2 ? tries : 2))
	done
	return "$rc"
}

# JQ-PROGRAM [FILE]: compact, over all lines of the JSON rows at once
jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }
lost() { jqs 'map(select(.type == "sample").lost_events) | max // 0' "$@"; }

# [ROWS [TRUTH]]: for each task of the truth: STARTS EXPIRIES TRUE-STARTS TRUE-EXPIRIES COMM, and the comm that
# the rows have.  Tabs.
compare() {
	jq -r 'select(.type == "timers") | [.tid, .func, .starts, .expiries, .comm] | @tsv' "${1:-$TMP/rows}" |
		awk -F'\t' -v OFS='\t' 'NR == FNR { s[$1, $2] += $3; e[$1, $2] += $4; name[$1, $2] = $5; next }
			{ k = $2 SUBSEP $3; print s[k] + 0, e[k] + 0, $4, $5, $1, name[k] }' - "${2:-$TMP/truth}"
}

# GOT WANT PER-MILLE SLACK: GOT is WANT within PER-MILLE, or within SLACK
within() {
	local d=$(($1 - $2))
	d=${d#-}
	((d * 1000 <= $2 * $3 || d <= $4))
}

# NAME [ROWS [TRUTH]]: each task of the truth within 1 % or 2 events, by its name, if it armed a timer; one more
# start and expiry of a periodic timer may come after the load's last wait.
judge() {
	local starts expiries true_starts true_expiries comm name n=0 bad=''
	while IFS=$'\t' read -r starts expiries true_starts true_expiries comm name; do
		n=$((n + 1))
		within "$starts" "$true_starts" 10 2 && { [ "$comm" = "$name" ] || [ "$starts$true_starts$name" = 00 ]; } &&
			within "$expiries" "$true_expiries" $((10 + gap)) 2 && continue
		bad+="$comm: $starts starts, truth $true_starts; $expiries expiries, truth $true_expiries; name $name"$'\n'
	done < <(compare "${@:2}")
	[ "$n" -gt 0 ] || bad='the load has no truth'
	if [ -z "$bad" ]; then pass "$1"; else fail "$1" "$bad$(lost "${@:2:1}") lost"; fi
}

# NAME [ROWS [TRUTH]]: exactly the starts of each task of the truth, and no more expiries, which holds on any machine;
# skipped if events were lost, which is counted.
judge_starts() {
	local starts expiries true_starts comm n=0 bad=''
	if [ "$(lost "${@:2:1}")" != 0 ]; then
		skip "$1: $(lost "${@:2:1}") events lost"
		return
	fi
	while IFS=$'\t' read -r starts expiries true_starts _ comm _; do
		n=$((n + 1))
		[ "$starts" = "$true_starts" ] && [ "$expiries" -le "$starts" ] ||
			bad+="$comm: $starts starts, truth $true_starts; $expiries expiries"$'\n'
	done < <(compare "${@:2}")
	[ "$n" -gt 0 ] || bad='the load has no truth'
	if [ -z "$bad" ]; then pass "$1"; else fail "$1" "$bad"; fi
}

# NAME [ROWS [TRUTH]]: the same as judge, but on a machine so busy that the rings of perf were not emptied in time the
# test is skipped: what was lost is counted.
judge_unless_lost() {
	if [ "$(lost "${@:2:1}")" = 0 ]; then judge "$@"; else skip "$1: the machine was too busy, $(lost "${@:2:1}") events lost"; fi
}
