#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# timeout: 120
# eventstat in a PID namespace of its own, in which another process has the number of a task of the host: nothing of
# that process is shown as the task's.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
unshare -pf --mount-proc sh -c 'echo 99 >/proc/sys/kernel/ns_last_pid' 2>"$TMP/err" || skip_all "$(cat "$TMP/err")"
[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip_all 'needs the initial PID namespace'
able_methods

# In the namespace: a process "impostor" with the number $1, then the tool, which is process $2 there.
cat >"$TMP/inside" <<'E2'
echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
impostor 1000 &
[ $! = "$1" ] || exit 99
shift
exec "$@"
E2
cp "$(command -v sleep)" "$TMP/impostor"
inside=(env "PATH=$TMP:$PATH" unshare -pf --mount-proc sh "$TMP/inside")
ROWS='map(select(.type == "timers" or .type == "wakeups"))'
has() { [ "$(jqs "$ROWS | map(select($1)) | length")" -gt 0 ]; }
begin() { # METHOD OPTION...: until the load has a row; $self: the tool, as the host knows it
	rm -f "$TMP/rows"
	bg "${inside[@]}" "$p" "$EVENTSTAT" -q --json="$TMP/rows" --method="$1" "${@:2}" 0.2 2>"$TMP/msg"
	tool=$bg_pid
	if declare -F seen >/dev/null; then
		wait_for seen
	else
		ok "$*: a task of the host has a row" wait_for has "${row:-.tid == $p}"
	fi
	self=$(pgrep -P "$tool")
}
end() { # the namespace ends with its first process, which is the tool
	kill -INT "$self"
	reap "$tool"
	is "$status" 0 "$1: it ends well"
}
kthreads() { # whether each row's task is a kernel thread, as the host's /proc has it
	local tid kthread flags bad=''
	while read -r tid kthread; do
		flags=$(sed 's/.*) //' "/proc/$tid/stat" 2>/dev/null | cut -d' ' -f7)
		[ -n "$flags" ] || continue
		[ "$(((flags >> 21) & 1))" = "$kthread" ] || bad+="$tid $(cat "/proc/$tid/comm") $kthread"$'\n'
	done < <(jq -r 'select((.type == "timers" or .type == "wakeups") and (.tid // 0) > 0) | [.tid, if .kthread then 1 else 0 end] | @tsv' "$TMP/rows" | sort -u)
	is "$bad" '' "$1: kernel threads are those of the host"
}

naps 20 nap-one
why='in a separate PID namespace, PIDs are those of the host, and'
for method in "${methods[@]}"; do
	begin "$method" -x --self
	if [ "$method" = bpf ]; then
		ok 'bpf: a kernel thread has a row' wait_for has .kthread
		ok 'bpf: the tool has a row of its own with --self' wait_for has ".pid == $self"
	fi
	end "$method"
	like "$(cat "$TMP/msg")" "^eventstat: $why .*users, CPU times, .* --root with the host's /proc$" "$method: one message"
	name='["nap-one"]'
	[ "$method" = bpf ] || name='[null]'
	is "$(jqs "$ROWS | map(select(.tid == $p).comm) | unique")" "$name" "$method: no name of another process"
	is "$(jqs "$ROWS | map(.uid, .cpu_pct, .argv, .nice | values) | length")" 0 "$method: nothing else from /proc"
	[ "$method" != bpf ] || kthreads bpf
done
[[ " ${methods[*]} " == *' bpf '* ]] || done_testing

begin bpf -p "$p"
end '-p'
is "$(jqs "$ROWS | map(.tid) | unique")" "[$p]" '-p: a PID of the host'
expect '--uid is refused' 3 "eventstat: --uid: the users of tasks are unknown in a separate PID namespace; use the host's PID namespace, or --root with the host's /proc" \
	"${inside[@]}" "$p" "$EVENTSTAT" --uid=0 0.1 1
begin bpf
end 'without --self'
is "$(jqs "$ROWS | map(select(.pid == $self)) | length")" 0 'without --self the tool has no row'
# Whatever wakes an idle CPU, if one becomes idle within 25 samples.
row='.tid > 0'
seen() { has "$row" || [ "$(jqs 'map(select(.type == "wakeup_sample")) | length')" -ge 25 ]; }
begin bpf --wakeups
end '--wakeups'
if has "$row"; then
	kthreads --wakeups
	is "$(jqs "$ROWS | map(.uid, .argv | values) | length")" 0 '--wakeups: nothing from /proc'
else
	skip '--wakeups: no CPU was idle' 2
fi
unset -f seen

# With the /proc of the host all is known.
mkdir "$TMP/host" "$TMP/host/proc" "$TMP/host/sys"
rm -f "$TMP/rows"
row=''
bg unshare -m sh -c 'mount --rbind /proc "$0/proc" && mount --rbind /sys "$0/sys" && exec "$@"' "$TMP/host" \
	"${inside[@]}" "$p" "$EVENTSTAT" -q --json="$TMP/rows" --root="$TMP/host" 0.2 2>"$TMP/msg"
tool=$bg_pid
ok '--root: a task of the host has a row' wait_for has ".tid == $p and .cpu_pct != null"
self=$(pgrep -P "$tool")
end '--root'
is "$(cat "$TMP/msg") $(jqs "$ROWS | map(select(.tid == $p)) | last | [.comm, .uid]")" ' ["nap-one",0]' '--root: without a message, with name and user'
end_naps
done_testing
