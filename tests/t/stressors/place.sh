#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 8
# Odd places: no right to write, a full disk, no /proc, no /sys, one CPU, outputs that cannot be written, hostile
# names; signals in each phase of a run; kills for lack of memory of which the supervisor learns late.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq setpriv unshare taskset pgrep
all=(--all 1 "${once[@]}" --minimize --max-memory=32m)
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
run env -u HOME TMPDIR=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups ./stressors "${all[@]}" --json
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
	apart "$full" "${all[@]}" --temp-path="$TMP" --json
	all_pass 'a full disk'
	apart "$full" --dir 1 --dir-dirs=64 --json
	is "$status $(of dir '"\(.status): \(.reason)"')" \
		'3 no-resource: needs 1 MB of disk and may use 0 MB; --max-disk permits more' 'a full disk: no directory can be made'
	apart "$full" --nop 1 --nop-ops 1 --json=rows
	is "$status $err" '1 stressors: write error: No space left on device' 'a full disk: rows to a file'
	apart "$full" --nop 1 --nop-ops 1 --yaml=rows
	is "$status $err" '1 stressors: rows: No space left on device' 'a full disk: YAML to a file'
	like "$out" 'nop: passed' 'a full disk: the report is there'
	apart 'mount -t tmpfs none /proc' "${all[@]}" --json
	all_pass 'no /proc'
	apart 'mount -t tmpfs none /proc' --vm 1 --vm-bytes=50%
	is "$status $err" "1 stressors: cannot determine how much memory is free
Try 'stressors --help' for more information." 'no /proc: a share of the memory'
	apart 'mount -t tmpfs none /proc' --nop 1 --nop-ops 1 --json
	is "$(jq 'select(.type == "header") | has("boot_id")' "$TMP/rows")" false 'no /proc: no boot_id'
	apart 'mount -t tmpfs none /sys' "${all[@]}" --json
	all_pass 'no /sys'
	apart 'mount -t tmpfs none /sys' --vm 1 --vm-bytes=L3
	is "$status $err" "1 stressors: cannot determine the size of the L3 cache
Try 'stressors --help' for more information." 'no /sys: the size of a cache'
else
	skip "no mount namespace: $(head -n 1 "$TMP/err")" 13
fi

cpu=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
run taskset -c "$cpu" "$STRESSORS" "${all[@]}" --json="$TMP/rows" -q
all_pass 'one CPU'
stress --nop 0 --nop-ops 1
is "$(of nop .instances)" "$(nproc)" 'an instance for each CPU'
run taskset -c "$cpu" "$STRESSORS" --nop 0 --nop-ops 1 --json="$TMP/rows"
is "$(of nop .instances) $(jq 'select(.type == "run").cpus' "$TMP/rows")" '1 1' 'one CPU: one instance for each'

# --- outputs --------------------------------------------------------------------------

# shellcheck disable=SC2016 # $@ is the inner shell's
redirected() { run bash -c "$1" sh "$STRESSORS" --nop 1 "${@:2}"; }
redirected '"$@" >&-' --nop-ops 1
is "$status $err" '1 stressors: standard output is closed' 'standard output is closed'
redirected '"$@" 2>&-' --nop-ops 1
is "$status ${out%%,*}" '0 nop: passed' 'standard error is closed'
redirected '"$@" <&-' --nop-ops 1
is "$status $err" '0 ' 'standard input is closed'
for format in '' --json --csv --yaml=-; do
	# shellcheck disable=SC2086
	redirected '"$@" >/dev/full' --nop-ops 1 $format
	is "$status $err" '1 stressors: write error: No space left on device' "/dev/full ${format:-as a table}"
done
# shellcheck disable=SC2016 # the inner shell's
redirected '"$@" | head -n 2; echo "${PIPESTATUS[0]}" >&2' -t 600 --json --interval=0.05
is "$(wc -l <"$TMP/out") $err" '2 141' 'the reader goes: the run ends'

# --- names ----------------------------------------------------------------------------

usage=$'\n'"Try 'stressors --help' for more information."
printf 'cpu 1\nn\033[31mop\t1\n' >"$TMP/job"
expect 'a hostile option in a job file' 1 "stressors: $TMP/job:2: unknown option$usage" "$STRESSORS" --job="$TMP/job"
printf 'nop \033]0;x\a\n' >"$TMP/job"
expect 'a hostile value in a job file' 1 "stressors: $TMP/job:1: nop: must be a whole number$usage" \
	"$STRESSORS" --job="$TMP/job"
expect 'a hostile name of a job file' 1 "stressors: $TMP/\\x1b[31m\\x0ajob: No such file or directory$usage" \
	"$STRESSORS" --job="$TMP/"$'\033[31m\njob'

# --- signals in each phase ------------------------------------------------------------

start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" "$@" --json="$TMP/rows" --interval=0.05 >"$TMP/out" 2>"$TMP/msg"
}
runs() { has_line "$TMP/rows" '"type":"interval"'; }
# shellcheck disable=SC2317 # called by wait_for
instance_is() { # PHASE: the instance is there and in this phase, or behind it
	worker=$(pgrep -P "$bg_pid" | head -n 1)
	case $worker$1 in
	setup | run | end) ! grep -qs '^State:.[^ZX]' "/proc/$bg_pid/status" ;; # the run may be over
	*setup) has_line "/proc/$worker/status" '^Name:.stress-' ;;
	*run) runs ;;
	*end) has_line "/proc/$worker/status" '^ShdPnd:.0*4000$' ;; # SIGTERM, while it is stopped
	esac
}
# PHASE TRY: stopped there, the instance stays in it: in setup, which fills more memory in each try, while it runs, or after
# the end of its time, when it has a second.
phase() {
	local options=(--memload 1 --memload-bytes=$((32 << $2))m --max-memory=1g)
	case $1 in
	end)
		start "${options[@]}" -t "$2"
		wait_for instance_is run && kill -STOP "$worker" 2>/dev/null
		wait_for instance_is end
		;;
	*)
		start "${options[@]}" -t 600
		wait_for instance_is "$1" && kill -STOP "$worker" 2>/dev/null
		;;
	esac
}
for when in setup run end; do
	# On a busy machine the instance may have left the phase before it was stopped.
	for try in 1 2 3 4; do
		phase $when $try
		kill -INT "$bg_pid"
		reap "$bg_pid"
		got="$status $(jq -r 'select(.type == "summary") | "\(.exit) \(.signal)"' "$TMP/rows")"
		[ "$when" != setup ] || got+=" $(of memload '"\(.ops) \(.setup_s)"')$(runs && echo ' runs')"
		[[ $got != "130 130 SIGINT"?(' 0 0') ]] || break
	done
	is "$got" "130 130 SIGINT$([ $when != setup ] || echo ' 0 0')" "SIGINT in the phase $when: exit status"
	is "$(of memload '"\(.status) \(.reason) \(.forced)"')" 'interrupted killed by SIGKILL 1' "SIGINT in the phase $when: the result"
	ok "SIGINT in the phase $when: all are gone" wait_for group_gone
	phase $when 1
	kill -KILL "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	ok "SIGKILL in the phase $when: all are gone" wait_for group_gone
done
# Without being stopped: at a moment that is another each time.
bad=''
for delay in 0 0.01 0.02 0.04 0.08 0.16; do
	start --stream 1 --vm 1 --fork 1 --pipe 1 --switch 1 --max-memory=64m -t 600
	sleep "$delay"
	kill -KILL "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	wait_for group_gone || bad+="after $delay s: $(pgrep -a -g "$bg_pid" | xargs) "
done
is "$bad" '' 'SIGKILL during the start: all are gone'

# --- kills that come together ---------------------------------------------------------

if make_memory_group 2>/dev/null; then
	# shellcheck disable=SC2317 # called by wait_for
	all_started() { [ $(($(pgrep -c -P "$bg_pid") + $(group_kills))) -ge 3 ]; }
	# shellcheck disable=SC2317
	all_killed() { [ "$(group_kills)" = 3 ]; }
	bg_group "${in_group_of[@]}" "$memory_group" "$STRESSORS" --json="$TMP/rows" -q \
		--vm 3 --vm-bytes=200m --vm-populate --max-memory=2g -t 600 --oomable >/dev/null 2>"$TMP/msg"
	wait_for all_started
	kill -STOP "$bg_pid"
	wait_for all_killed
	kill -CONT "$bg_pid"
	reap "$bg_pid"
	is "$(group_kills)" 3 'three instances are killed for lack of memory'
	is "$status $(of vm '[.status, .oom_kills] | @csv')" '3 "no-resource",3' 'and the supervisor, stopped meanwhile, counts them all'
else
	skip 'no control group with a limit of memory can be made' 2
fi
rmdir "$memory_group" 2>/dev/null
done_testing
