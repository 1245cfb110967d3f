#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# A process ends with its last thread: one exit row of it, with its whole lifetime and the status that its parent sees.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq
open_helpers threads tiny
cd "$TMP" || exit # where core is dumped
mkdir "$TMP/bin" && ln -s "$HELPERS/tiny" "$TMP/bin/true" && PATH=$TMP/bin:$PATH
[ -r /sys/kernel/btf/vmlinux ] || skip_all 'needs BTF, which the kernel does not have'

# The truth of the last load: pid, wait status as its parent got it, ns that it lived at least.
truth() { grep -E '^[0-9]+ [0-9]+ [0-9]+$' "$1"; }
# The exit rows of the process with the pid, JSON.
exits() { grep '^{' "$TMP/rows" | jq -sc "map(select(.event == \"exit\" and .tgid == $1))$2"; }

# NAME FILE: $pid, $status, $ns of the truth; the rows say the same
agrees() {
	read -r pid status ns < <(truth "$2")
	is "$(exits "$pid" '| map(select(.process_end)) | map([.pid, .tgid])')" "[[$pid,$pid]]" "$1: one exit row of the process"
	is "$(exits "$pid" '| last | .process_end')" true "$1: it is the last one"
	is "$(exits "$pid" '| last | .status * 256 + .signal + (if .core then 128 else 0 end)')" "$status" "$1: the status that its parent got"
	num "$(exits "$pid" '| last | .duration_s * 1e9 | round')" -ge "$ns" "$1: its whole lifetime"
	is "$(exits "$pid" '| map(select(.process_end == null)) | length')" 0 "$1: each exit row says what ended"
}
load() { # NAME ARGUMENT...
	follow -j -o "$TMP/json" -- "$HELPERS/threads" "${@:2}"
	truth "$TMP/rows" >"$TMP/truth"
	mv "$TMP/json" "$TMP/rows"
	own_rows
	expect_exit 0 "$1"
	agrees "$1" "$TMP/truth"
}

load 'the main thread is the last' last 3
is "$(exits "$pid" "| length")" 3 'each thread has an exit row'
load 'exit_group(2), 11 threads' group 5
is "$(exits "$pid" "| length")" 11 'each thread has an exit row'
load '_exit(2) of the last thread' exit 3 7
load 'all with 0' exit 0 0
load 'exit_group(2) of the last thread' exitgroup 0 7
is "$(exits "$pid" '| map([.pid == .tgid, .process_end, .status])')" '[[true,false,0],[true,true,7]]' \
	'the main thread ended as a thread'
load 'a signal' kill 0 15
load 'SIGKILL of 100 threads' many 100 9
is "$(exits "$pid" "| length")" 100 'each thread has an exit row'
load 'core dump' core 5
load 'vfork(2) by a thread' vfork
is "$(jqs 'map(select(.event == "exit" and .argv == ["true", "vforked"])) | map(.process_end)')" '[true]' 'its child'

# The thread that is left executes a program: the process goes on, and its end is that of the program.
load 'exec after the main thread' exec 4
is "$(exits "$pid" '| map([.pid == .tgid, .process_end, .argv[1]])')" \
	"[[true,false,\"exec\"],[true,true,\"from-a-thread\"]]" 'exec after the main thread: rows'

# --- a process that is there before the run, its main thread too, or not
for way in 'group 5' 'exitgroup 0 7' 'many 20 9'; do
	mkfifo "$TMP/end"
	# shellcheck disable=SC2086
	bg "$HELPERS/threads" -f "$TMP/end" $way >"$TMP/truth"
	helper=$bg_pid
	wait_for has_line "$TMP/truth" '^[0-9]+$' || fail "start of $way"
	read -r pid <"$TMP/truth"
	start -j -e exit
	: >"$TMP/end"
	reap "$helper"
	ended() { grep -q "\"pid\":$pid,.*\"process_end\":true" "$TMP/rows"; }
	wait_for ended || fail "the end of $way" "$(grep "\"tgid\":$pid," "$TMP/rows")"
	finish
	agrees "before the run: $way" "$TMP/truth"
	rm "$TMP/end"
done

# --- filters, table and statistics are about the process
for which in zero 3 nonzero 7; do
	follow --exit "$which" -- "$HELPERS/threads" exitgroup 3 7
	read -r pid _ < <(truth "$TMP/msg")
	want=0
	[ "$which" = nonzero ] || [ "$which" = 7 ] && want=1
	is "$(awk -v p="$pid" '$2 == "exit" && $3 == p' "$TMP/rows" | grep -c .)" "$want" "--exit $which"
done
follow --max-duration 1ns -e exit -- "$HELPERS/threads" group 5
is "$(grep -c ' exit ' "$TMP/rows")" 0 '--max-duration: no exits of threads'

follow -S --limit 100 --prom="$TMP/prom" -- "$HELPERS/threads" exitgroup 3 7
read -r pid _ ns < <(truth "$TMP/msg")
is "$(awk -v p="$pid" '$2 == "exit" && $3 == p { print $4 }' "$TMP/rows" | tr '\n' ' ')" 'thread 7 ' 'the table'
like "$(cat "$TMP/rows")" $'\nLifetimes of 2 processes that exited: ' '-S: lifetimes of processes'
like "$(cat "$TMP/rows")" ' +2 threads'$'\n' '-S: two processes of the program'
is "$(sed -n 's/^sysmon_forkstat_lifetime_seconds_count //p' "$TMP/prom")" 2 '--prom: lifetimes of processes'
is "$(sed -n 's/^sysmon_forkstat_process_ends_total //p' "$TMP/prom")" 2 '--prom: ends of processes'
is "$(sed -n 's/^sysmon_forkstat_events_total{event="exit"} //p' "$TMP/prom")" 3 '--prom: exit events'
is "$(sed -n 's/^sysmon_forkstat_exits_nonzero_total //p' "$TMP/prom")" 1 '--prom: nonzero'
follow -S -j -- "$HELPERS/threads" many 30 9
is "$(jqs '.[-1] | [.events.process_end, .events.nonzero_exit, .lifetime_s.count, (.signals | map([.signal, .count])[0])]')" \
	'[2,1,2,[9,1]]' 'JSON: one process was killed'

# --- without the program: what is certain, and otherwise ?
if [ "$(printf '%s\n' 6.6 "$(uname -r)" | sort -V | head -n 1)" = 6.6 ]; then
	cp "$FORKSTAT" "$TMP/forkstat"
	cat >"$TMP/as-user" <<-END
		#!/bin/sh
		exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$TMP/forkstat" "\$@"
	END
	chmod 755 "$TMP/as-user"
	as_user() { FORKSTAT=$TMP/as-user follow "$@"; }
	for way in 'last 3' 'group 5' 'exit 0 0' 'kill 0 15' 'many 100 9' 'exec 4'; do
		# shellcheck disable=SC2086
		as_user -j -- "$HELPERS/threads" $way
		agrees "as nobody: $way" "$TMP/msg"
	done
	as_user --strict -e exit -- "$HELPERS/threads" exitgroup 3 7
	expect_exit 5 'a status that is not known is lost'
	read -r pid _ < <(truth "$TMP/msg")
	is "$(awk -v p="$pid" '$2 == "exit" && $3 == p { print $4 }' "$TMP/rows" | tr '\n' ' ')" 'thread ? ' 'it is ?'
	like "$(cat "$TMP/msg")" ' status 1,' 'it is counted'
	as_user --strict --exit zero -- "$HELPERS/threads" exitgroup 3 7
	read -r pid _ < <(truth "$TMP/msg")
	expect_exit 5 'so is one that the filter left out'
	is "$(grep -c " exit *$pid " "$TMP/rows")" 0 'it is left out'
	like "$(cat "$TMP/msg")" ' status 1,' 'it is counted, too'
	as_user -j -e exit -- "$HELPERS/threads" exitgroup 3 7
	read -r pid _ < <(truth "$TMP/msg")
	is "$(exits "$pid" '| last | has("status"), has("signal"), has("core"), .process_end')" \
		$'false\nfalse\nfalse\ntrue' 'JSON: no status'
else
	skip 'needs Linux 6.6' 35
fi
done_testing
