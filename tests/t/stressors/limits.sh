#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# What a run may use: memory, of the machine and of a control group; and what it needs: no privilege, no file.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq setpriv

# A size that nobody asked for is lowered, one that was asked for is refused.
stress --vm 1 -t 0.5 --max-memory=32m
is "$status $(of vm '[.status, .maxrss_kb < 48000] | @csv')" '0 "pass",true' 'a default fits into --max-memory'
stress --vm 1 --vm-bytes=64m -t 0.5 --max-memory=32m
is "$status $(of vm .status)" '3 no-resource' 'what was asked for does not fit: exit status'
like "$(of vm .reason)" 'needs 64 MB of memory and may use 32 MB' 'and the reason'
stress --vm 1 --vm-bytes=64m --nop 1 -t 0.3 --max-memory=32m
is "$status $(of nop .status)" '3 pass' 'the others run'

# A control group of 64 MB, of either version.
if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
	group=/sys/fs/cgroup/memory/stressors-test-$$ limit=memory.limit_in_bytes kills=memory.oom_control
else
	group=/sys/fs/cgroup/stressors-test-$$ limit=memory.max kills=memory.events
fi
made() { mkdir "$group" && [ -e "$group/$limit" ] && echo $((64 << 20)) >"$group/$limit"; }
killed() { sed -n 's/^oom_kill //p' "$group/$kills"; }
if made 2>/dev/null; then
	# shellcheck disable=SC2016 # $0 is the inner shell's
	inside() { run sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$STRESSORS" --json="$TMP/rows" "$@"; }
	inside --class=vm --all 1 --seq -t 2
	is "$status $(of vm .status)" '0 pass' 'a control group of 64 MB'
	is "$(killed)" 0 'nothing was killed there'
	inside --vm 1 --vm-bytes=40m -t 1
	is "$status $(of vm .status)" '3 no-resource' 'more than half of it'
	inside --vm 1 --vm-bytes=40m -t 1 --aggressive
	is "$status $(of vm .status)" '0 pass' 'more than half of it, --aggressive'
	inside --vm 1 --vm-bytes=200m --max-memory=1g -t 3
	num "$(of vm .oom_kills)" -ge 1 'more than it permits: kills are counted'
	is "$(of vm .oom_kills)" "$(killed)" 'as many as the kernel counts'
	is "$status $(of vm .status)" '3 no-resource' 'and that is no success, whatever it did'
	is "$(jq -r 'select(.type == "summary").exit' "$TMP/rows")" "$status" 'there is a summary'
else
	skip 'no control group with a limit of memory can be made' 8
fi
rmdir "$group" 2>/dev/null

# Without any right, in a directory that it cannot write to.
cd / || exit
run setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "$STRESSORS" --all 1 -t 3 --max-memory=64m --csv
is "$status" 0 'an unprivileged user: exit status'
is "$(grep -c '^result,' <<<"$out")" "${#all_stressors[@]}" 'an unprivileged user: a result of each'
unlike "$out" '^result,[^,]*,.*,fail,' 'an unprivileged user: no failure'

# No process can be made.
run setpriv --reuid=65534 --regid=65534 --clear-groups prlimit --nproc=1 "$STRESSORS" --nop 2 -t 0.3
is "$status" 3 'no process: exit status'
like "$out" 'Resource temporarily unavailable' 'no process: the reason'
done_testing
