#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# Odd places: no right to write, a full disk, no /proc, no /sys, one CPU, outputs that cannot be written, hostile
# names; signals in each phase of a run; kills for lack of memory of which the supervisor learns late.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq setpriv unshare taskset pgrep setsid
small=(--max-memory=32m --{heap,merge,q,radix}sort-size=1k)
n=${#all_stressors[@]}

# In $TMP/rows: N results, of which none has failed or lacks anything, and those that passed did something.
all_pass() { # NAME
	is "$status $err" '0 ' "$1: exit status, no message"
	is "$(jq -s -c '[.[] | select(.type == "result")] | [length, all(.status == "skip" or (.status == "pass" and .ops > 0))]' "$TMP/rows")" \
		"[$n,true]" "$1: each stressor runs"
}

# --- the place -----------------------------------------------------------------------

# The directories above the test's own may be closed to others.
mkdir -m 555 "$TMP/place"
cp "$STRESSORS" "$TMP/place/stressors"
chmod 755 "$TMP"
cd "$TMP/place" || exit
run env -u HOME TMPDIR=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups ./stressors --all 1 -t 0.5 "${small[@]}" --json
cp "$TMP/out" "$TMP/rows"
all_pass 'nobody in a directory without the right to write'
is "$(ls)" stressors 'and writes nothing'
cd / || exit

# SCRIPT OPTION...: in a mount namespace that SCRIPT arranges, the rows to standard output
apart() {
	run unshare -m --propagation private sh -c "$1"' && exec "$@"' sh "$STRESSORS" "${@:2}"
	cp "$TMP/out" "$TMP/rows"
}
# shellcheck disable=SC2016 # $d is the inner shell's
full='d=/mnt && mount -t tmpfs -o size=4k none $d && { cat /dev/zero >$d/full 2>/dev/null; export TMPDIR=$d; } && cd $d'
# shellcheck disable=SC2015 # either is the reason
if unshare -m --propagation private mount -t tmpfs none /mnt 2>"$TMP/err"; then
	apart "$full" --all 1 -t 0.5 "${small[@]}" --json
	all_pass 'a full disk'
	apart "$full" --nop 1 -t 0.3 --json=rows
	is "$status $err" '1 stressors: write error: No space left on device' 'a full disk: rows to a file'
	apart "$full" --nop 1 -t 0.3 --yaml=rows
	is "$status $err" '1 stressors: rows: No space left on device' 'a full disk: YAML to a file'
	like "$out" 'nop: passed' 'a full disk: the report is there'
	apart 'mount -t tmpfs none /proc' --all 1 -t 0.5 "${small[@]}" --json
	all_pass 'no /proc'
	apart 'mount -t tmpfs none /proc' --vm 1 --vm-bytes=50%
	is "$status $err" "1 stressors: this machine does not tell how much memory is free
Try 'stressors --help' for more information." 'no /proc: a share of the memory'
	apart 'mount -t tmpfs none /proc' --nop 1 -t 0.1 --json
	is "$(jq 'select(.type == "header") | has("boot_id")' "$TMP/rows")" false 'no /proc: no boot_id'
	apart 'mount -t tmpfs none /sys' --all 1 -t 0.5 "${small[@]}" --json
	all_pass 'no /sys'
	apart 'mount -t tmpfs none /sys' --vm 1 --vm-bytes=L3
	is "$status $err" "1 stressors: L3: this machine does not tell its size
Try 'stressors --help' for more information." 'no /sys: the size of a cache'
else
	skip "no mount namespace: $(head -n 1 "$TMP/err")" 12
fi

cpu=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
run taskset -c "$cpu" "$STRESSORS" --all 1 -t 1.5 "${small[@]}" --json="$TMP/rows" -q
all_pass 'one CPU'
stress --nop 0 -t 0.1
is "$(of nop .instances)" "$(nproc)" 'an instance for each CPU'
run taskset -c "$cpu" "$STRESSORS" --nop 0 -t 0.1 --json="$TMP/rows"
is "$(of nop .instances) $(jq 'select(.type == "run").cpus' "$TMP/rows")" '1 1' 'one CPU: one instance for each'

# --- outputs --------------------------------------------------------------------------

# shellcheck disable=SC2016 # $@ is the inner shell's
redirected() { run bash -c "$1" sh "$STRESSORS" --nop 1 "${@:2}"; }
redirected '"$@" >&-' -t 0.2
is "$status $err" '1 stressors: standard output is closed' 'standard output is closed'
redirected '"$@" 2>&-' -t 0.2
is "$status ${out%%,*}" '0 nop: passed' 'standard error is closed'
redirected '"$@" <&-' -t 0.2
is "$status $err" '0 ' 'standard input is closed'
for format in '' --json --csv --yaml=-; do
	# shellcheck disable=SC2086
	redirected '"$@" >/dev/full' -t 0.2 $format
	is "$status $err" '1 stressors: write error: No space left on device' "/dev/full ${format:-as a table}"
done
# shellcheck disable=SC2016 # the inner shell's
redirected '"$@" | head -n 2; echo "${PIPESTATUS[0]}" >&2' -t 60 --json --interval=0.05
is "$(wc -l <"$TMP/out") $err" '2 141' 'the reader goes: the run ends'

# --- names ----------------------------------------------------------------------------

usage=$'\n'"Try 'stressors --help' for more information."
printf 'cpu 1\nn\033[31mop\t1\n' >"$TMP/job"
expect 'a hostile option in a job file' 1 "stressors: $TMP/job:2: unknown option$usage" "$STRESSORS" --job="$TMP/job"
printf 'nop \033]0;x\a\n' >"$TMP/job"
expect 'a hostile value in a job file' 1 "stressors: $TMP/job:1: nop: not a whole number$usage" \
	"$STRESSORS" --job="$TMP/job"
expect 'a hostile name of a job file' 1 "stressors: $TMP/\\x1b[31m\\x0ajob: No such file or directory$usage" \
	"$STRESSORS" --job="$TMP/"$'\033[31m\njob'

# --- signals in each phase ------------------------------------------------------------

start() { # OPTION...: in a session of its own
	rm -f "$TMP/rows"
	bg setsid "$STRESSORS" "$@" --json="$TMP/rows" --interval=0.05 >"$TMP/out" 2>"$TMP/msg"
}
runs() { has_line "$TMP/rows" '"type":"interval"'; }
# shellcheck disable=SC2317 # called by wait_for
all_gone() {
	local stat
	for stat in $(pgrep -s "$bg_pid"); do
		! grep -qs '^State:.[^ZX]' "/proc/$stat/status" || return 1
	done
}
# shellcheck disable=SC2317 # called by wait_for
instance_is() { # PHASE: the first instance is there and in this phase
	worker=$(pgrep -P "$bg_pid" | head -n 1)
	case $worker$1 in
	'' | setup | run | end) return 1 ;;
	*setup) has_line "/proc/$worker/status" '^Name:.stress-' ;;
	*run) runs ;;
	*end) has_line "/proc/$worker/status" '^ShdPnd:.0*4000$' ;; # SIGTERM, while it is stopped
	esac
}
# One that needs seconds for its memory; stopped, it stays in its phase.
phase() { # PHASE
	start --memload 1 --memload-bytes=512m --max-memory=1g -t $((${#1} == 3 ? 1 : 60))
	if [ "$1" = end ]; then
		wait_for instance_is run && kill -STOP "$worker"
		wait_for instance_is end
	else
		wait_for instance_is "$1" && kill -STOP "$worker"
	fi
}
for when in setup run end; do
	phase "$when"
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$status $(jq -r 'select(.type == "summary") | "\(.exit) \(.signal)"' "$TMP/rows")" '130 130 SIGINT' "SIGINT in the phase $when: exit status"
	is "$(of memload '"\(.status) \(.reason) \(.forced)"')" 'interrupted killed by SIGKILL 1' "SIGINT in the phase $when: the result"
	[ "$when" != setup ] || is "$(of memload '"\(.ops) \(.setup_s)"') $(runs && echo runs)" '0 0 ' 'it was in its setup'
	ok "SIGINT in the phase $when: all are gone" all_gone
	phase "$when"
	kill -KILL "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	ok "SIGKILL in the phase $when: all are gone" wait_for -t 2 all_gone
done
# Without being stopped: at a moment that is another each time.
bad=''
for delay in 0 0.01 0.02 0.04 0.08 0.16; do
	start --stream 1 --vm 1 --fork 1 --pipe 1 --switch 1 --max-memory=256m -t 60
	sleep "$delay"
	kill -KILL "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	wait_for -t 2 all_gone || bad+="after $delay s: $(pgrep -a -s "$bg_pid" | xargs) "
done
is "$bad" '' 'SIGKILL during the start: all are gone'

# --- kills that come together ---------------------------------------------------------

if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
	group=/sys/fs/cgroup/memory/stressors-place-$$ limit=memory.limit_in_bytes kills=memory.oom_control
else
	group=/sys/fs/cgroup/stressors-place-$$ limit=memory.max kills=memory.events
fi
if mkdir "$group" && [ -e "$group/$limit" ] && echo $((64 << 20)) >"$group/$limit"; then
	killed() { sed -n 's/^oom_kill //p' "$group/$kills"; }
	# shellcheck disable=SC2016,SC2317
	all_killed() { [ "$(killed)" = 3 ]; }
	# shellcheck disable=SC2016 # $0 is the inner shell's
	bg setsid sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$STRESSORS" --json="$TMP/rows" -q \
		--vm 3 --vm-bytes=200m --vm-populate --max-memory=2g -t 60 --oomable >/dev/null 2>"$TMP/msg"
	wait_for pgrep -P "$bg_pid"
	kill -STOP "$bg_pid"
	wait_for all_killed
	kill -CONT "$bg_pid"
	reap "$bg_pid"
	is "$(killed)" 3 'three instances are killed for lack of memory'
	is "$status $(of vm '[.status, .oom_kills] | @csv')" '3 "no-resource",3' 'and the supervisor, stopped meanwhile, counts them all'
else
	skip 'no control group with a limit of memory can be made' 2
fi 2>/dev/null
rmdir "$group" 2>/dev/null
done_testing
