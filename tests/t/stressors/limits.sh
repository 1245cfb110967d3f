#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# What a run may use: memory, of the machine and of a control group; and what it needs: no privilege, no file.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep setpriv

# A size that nobody asked for is lowered, one that was asked for is refused.
stress --vm 1 --vm-ops 1 -t 600 --max-memory=32m
is "$status $(of vm '[.status, .maxrss_kb < 48000] | @csv')" '0 "pass",true' 'a default fits into --max-memory'
stress --vm 1 --vm-bytes=64m --max-memory=32m
is "$status $(of vm .status)" '3 no-resource' 'what was asked for does not fit: exit status'
is "$(of vm .reason)" 'needs 64 MB of memory and may use 32 MB; --max-memory permits more' 'and the reason'
stress --vm 1 --vm-bytes=64m --nop 1 --nop-ops 1 --max-memory=32m
is "$status $(of nop .status)" '3 pass' 'the others run'
is "$(of vm .reason)" 'needs 64 MB of memory, and all jobs together may use 32 MB; --max-memory permits more' 'of which the reason tells'

if make_memory_group 2>/dev/null; then
	inside() { run "${in_group_of[@]}" "$memory_group" "$STRESSORS" --json="$TMP/rows" "$@"; }
	inside --class=vm --all 1 "${once[@]}" --seq
	is "$status $(of vm .status)" '0 pass' 'a control group of 64 MB'
	is "$(jq -s 'map(select(.type == "result").maxrss_kb) | max | . > 16384 and . < 65536' "$TMP/rows")" true \
		'as much memory as fits into it is used'
	is "$(group_kills)" 0 'nothing was killed there'
	inside --vm 1 --vm-bytes=63m
	is "$status $(of vm .status)" '3 no-resource' 'more than 90 % of it'
	like "$(of vm .reason)" '^needs 63 MB of memory and may use 5[0-9] MB; --max-memory permits more$' 'and the reason'
	for size in 20m 75% 80%; do
		inside --vm 2 --vm-bytes=$size --memload 1 --vm-ops 1 --memload-ops 1 -t 600
		is "$status $(of vm .status) $(of memload .status)" '0 pass pass' "--vm 2 --vm-bytes $size: more than half of it"
	done
	inside --vm 1 --vm-bytes=0.04g --vm-ops 1 -t 600
	is "$status $(of vm '[.status, .maxrss_kb > 40000] | @csv')" '0 "pass",true' 'a size with a fraction'
	is "$(group_kills)" 0 'still nothing was killed there'
	inside --vm 1 --vm-ops 1 -t 600 --aggressive
	is "$status $(of vm '[.status, .maxrss_kb > 45000] | @csv')" '0 "pass",true' 'a default takes more than half of it with --aggressive'
	inside --vm 1 --vm-bytes=200m --max-memory=1g -t 600 --oomable
	is "$status $(of vm '[.status, .oom_kills] | @csv') $(group_kills)" '3 "no-resource",1 1' \
		'more than it permits, --oomable: the kernel kills it once, and that is no success'

	# Without --oomable it is started again.
	# shellcheck disable=SC2317 # called by wait_for
	killed_again() { [ "$(group_kills)" -ge 3 ]; }
	bg "${in_group_of[@]}" "$memory_group" "$STRESSORS" --json="$TMP/rows" -q --vm 1 --vm-bytes=200m --max-memory=1g -t 600
	wait_for killed_again
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$(of vm .oom_kills)" "$(($(group_kills) - 1))" 'more than it permits: as many kills as the kernel counts'
	is "$status $(of vm .status)" '130 no-resource' 'and that is no success, whatever it did'
	is "$(jq -r 'select(.type == "summary").exit' "$TMP/rows")" "$status" 'there is a summary'

	# Who is killed by somebody else, while the kernel kills for lack of memory in another control group, lacks none.
	apart=$memory_group-apart
	mkdir "$apart"
	bg "${in_group_of[@]}" "$apart" "$STRESSORS" --cpu 1 -t 600 --oomable --json="$TMP/apart" -q
	wait_for pgrep -P "$bg_pid" stress-cpu
	inside --vm 1 --vm-bytes=200m --max-memory=1g -t 600 --oomable
	kill -KILL "$(pgrep -P "$bg_pid" stress-cpu)"
	reap "$bg_pid"
	is "$status $(jq -r 'select(.type == "result") | "\(.status) \(.reason) \(.oom_kills)"' "$TMP/apart")" \
		'2 fail killed by SIGKILL 0' 'kills in another group are not counted'
	wait_for rmdir "$apart"
else
	skip 'no control group with a limit of memory can be made' 15
fi
rmdir "$memory_group" 2>/dev/null

# Less CPU time than was asked for is said, and is no failure.
if make_cpu_group 2>/dev/null; then
	run "${in_group_of[@]}" "$cpu_group" "$STRESSORS" --cpu 1 --cpu-load=80 -t 1 --json="$TMP/rows"
	load=$(metric cpu load)
	is "$status $(of cpu .status) $(awk -v n="$load" 'BEGIN { print (n > 0 && n < 60) }')" '0 pass 1' "half a CPU: a load of $load"
	is "$(of cpu .reason)" "asked for a load of 80 %, got $(printf %.1f "$load") %" 'half a CPU: the remark'
	like "$out" 'stressors: the cgroup may use only 0\.50 CPUs, less than the instances require: 0\.80' 'half a CPU: the report'
	is "$(jq -c 'select(.type == "run") | [.cpu_limit, .cpu_asked]' "$TMP/rows")" '[0.5,0.8]' 'half a CPU: the record'
	run "${in_group_of[@]}" "$cpu_group" "$STRESSORS" --cpu 2 --cpu-load=20 -t 0.1
	unlike "$out" 'CPU limit' 'half a CPU is enough'
else
	skip 'no control group with a limit of CPU time can be made' 5
fi
rmdir "$cpu_group" 2>/dev/null
# The remark and the metric agree, on a busy machine too; one slice may be cut off by the end.
stress --cpu 1 --cpu-load=50 -t 1
is "$(of cpu '(.metrics[-1].value - 50 | fabs) as $off | if .reason then $off > 1 else $off < 1.2 end')" true \
	"--cpu-load=50: $(metric cpu load): $(of cpu .reason)"

# Without any right, in a directory that it cannot write to.
prepare_user 65534
cd / || exit
run "${user[@]}" --no-new-privs "$TMP/stressors" --all 1 "${once[@]}" --max-memory=64m --csv
is "$status" 0 'an unprivileged user: exit status'
is "$(grep -c '^[^,]*,result,' <<<"$out")" "${#all_stressors[@]}" 'an unprivileged user: a result of each'
is "$(grep -c '^[^,]*,result,.*,fail,' <<<"$out")" 0 'an unprivileged user: no failure'

# Instances, and the processes that they start, keep the capabilities that their stressor may need.
caps_of() { # STRESSOR: bits of capabilities(7), of those that this process has
	local caps=0
	case $1 in
	cyclic) caps=0x804000 ;; # CAP_SYS_NICE, CAP_IPC_LOCK
	brk | memload | mlock | mremap | stack | stream | vm) caps=0x4000 ;; # CAP_IPC_LOCK
	mq | pipe) caps=0x1000000 ;; # CAP_SYS_RESOURCE
	esac
	printf '%016x\n' $((caps & 0x$(sed -n 's/^CapEff:\t//p' /proc/self/status)))
}
caps() { # PID: the different sets of these processes and their children
	{ echo "$1" && pgrep -P "$1"; } | sed 's|.*|/proc/&/status|' | xargs cat 2>/dev/null |
		sed -n 's/^Cap\(Inh\|Prm\|Eff\|Bnd\|Amb\):\t//p' | sort -u | xargs
}
# One after the other: all at once would take the CPUs from every other test.
for s in "${all_stressors[@]}"; do
	rm -f "$TMP/rows"
	bg "$STRESSORS" --pathological "--$s" 1 --fork-method=posix_spawn --max-memory=64m -t 600 -q --json="$TMP/rows" --interval=0.02 2>/dev/null
	wait_for has_line "$TMP/rows" '"type":"(interval|result)"'
	if [ "$(of "$s" .status)" = skip ]; then
		reap "$bg_pid"
		skip "$s: capabilities: $(of "$s" .reason)"
		continue
	fi
	own=$(pgrep -P "$bg_pid" -x "$(cut -c 1-15 <<<"stress-$s")")
	got=$(caps "$own")
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$(of "$s" .status) $got" "interrupted $(printf '%s\n' 0000000000000000 "$(caps_of "$s")" | sort -u | xargs)" "$s: capabilities"
done

# Under sudo files are the user's: also when one is replaced.
mkdir -m 777 "$TMP/user"
for i in first second; do
	run env SUDO_UID=65534 SUDO_GID=65534 "$STRESSORS" --nop 1 --nop-ops 1 -t 600 --yaml="$TMP/user/yaml"
	is "$status $err $(cd "$TMP/user" && stat -c '%n %u:%g' ./*)" '0  ./yaml 65534:65534' "sudo, the $i time: the YAML file is the user's"
done
echo old >"$TMP/user/mine"
chmod 600 "$TMP/user/mine"
run env SUDO_UID=65534 SUDO_GID=65534 "$STRESSORS" --nop 1 --nop-ops 1 -t 600 --yaml="$TMP/user/mine"
is "$status $err $(cat "$TMP/user/mine")" "1 stressors: $TMP/user/mine: Permission denied old" "sudo: a file of root is not replaced"

# No process can be made.
run "${user[@]}" prlimit --nproc=1 "$TMP/stressors" --nop 2
is "$status" 3 'no process: exit status'
like "$out" 'Resource temporarily unavailable' 'no process: the reason'
done_testing
