# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# stressors: functions of the tests of stressors; sourced after tap.sh.
STRESSORS=${STRESSORS:-$BUILD/bin/stressors}
cd "$TMP" || exit 2 # where stressors make files
mapfile -t all_stressors < <("$STRESSORS" --stressors | awk '{ print $1 }')

# OPTION...: a run, its records in $TMP/rows
stress() {
	run "$STRESSORS" --json="$TMP/rows" "$@"
}
# UID: "${user[@]}" runs a command by that user and group, without privileges, and $TMP/stressors is the program: the
# folder of the build may be closed to others.
prepare_user() {
	user=(setpriv --reuid="$1" --regid="$1" --clear-groups)
	[ -e "$TMP/stressors" ] || { cp "$STRESSORS" "$TMP/stressors" && chmod 755 "$TMP"; }
}
# NAME JQ: of the result of a stressor in the last run
of() { jq -r --arg name "$1" "select(.type == \"result\" and .stressor == \$name) | $2" "$TMP/rows"; }
# NAME METRIC: its value
metric() { of "$1" ".metrics[] | select(.name == \"$2\").value"; }
# Options that end each stressor after its first op, however slow the machine is.
once=(-t 600 --pathological)
for s in "${all_stressors[@]}"; do once+=("--$s-ops" 1); done

# PROGRAM...: as bg, in a process group of its own, so that its processes can be told from those of other tests.  Not
# in a session of its own: with autogroups (sched(7)) Linux 6.18 hardly runs any other session while pairs of
# processes of one wake each other.
bg_group() {
	set -m
	bg "$@"
	set +m
}
in_group() { pgrep -g "$bg_pid"; }
lives() { grep -qs '^State:.[^ZX]' "/proc/$1/status"; } # PID; one that has ended may not be reaped yet
has_ended() { ! lives "$1"; }
# No process of the group lives.
# shellcheck disable=SC2317 # called by wait_for
group_gone() {
	local pid
	for pid in $(in_group); do
		! lives "$pid" || return 1
	done
}
signal_taken() { # PID SIGNAL: it is not pending any more
	local pending
	pending=$(awk '$1 == "ShdPnd:" { print $2 }' "/proc/$1/status")
	(((0x$pending >> ($(kill -l "$2") - 1) & 1) == 0))
}
# The last intervals of STRESSOR in $TMP/rows: its ops
last_ops() { grep -s "^{\"type\":\"interval\",.*\"stressor\":\"$1\".*}\$" "$TMP/rows" | tail -n 1 | jq .ops; }

# A control group in which 64 MB of memory may be used, of either version: $memory_group; fails if none can be made.
make_memory_group() {
	local top=/sys/fs/cgroup limit=memory.max
	memory_kills=memory.events
	if [ -e $top/memory/memory.limit_in_bytes ]; then
		top=$top/memory limit=memory.limit_in_bytes memory_kills=memory.oom_control
	fi
	# A name of its own: the caller removes it, and "" if it could not be made.
	memory_group=$(mktemp -d "$top/stressors-test.XXXXXX" 2>/dev/null) && [ -e "$memory_group/$limit" ] && echo $((64 << 20)) >"$memory_group/$limit"
}
# A control group that may use half a CPU, of either version: $cpu_group; fails if none can be made.
make_cpu_group() {
	local top=/sys/fs/cgroup limit='cpu.max 50000 100000'
	if [ -e $top/cpu/cpu.cfs_quota_us ]; then
		top=$top/cpu limit='cpu.cfs_quota_us 50000'
	fi
	cpu_group=$top/stressors-test-$$
	mkdir "$cpu_group" 2>/dev/null && [ -e "$cpu_group/${limit%% *}" ] && echo "${limit#* }" >"$cpu_group/${limit%% *}"
}
# shellcheck disable=SC2016 # $0 is the inner shell's
in_group_of=(sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"') # then the group and the command
group_kills() { sed -n 's/^oom_kill //p' "$memory_group/$memory_kills"; }
