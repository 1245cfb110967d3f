#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 6
# cpustat -- COMMAND: its tree and nothing else, its time from the first instruction on, and
# its status passed on.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

watch 0.2 -- true
expect_exit 0 'status 0'
watch 0.2 -- sh -c 'exit 7'
expect_exit 7 'status 7'
# shellcheck disable=SC2016
watch 0.2 -- sh -c 'kill -TERM $$'
expect_exit 143 'ended by a signal: 128 + n'
watch 0.2 -- /nonexistent/program
expect_exit 127 'no such command'
is "$err" "cpustat: cannot run '/nonexistent/program': No such file or directory" 'the message'
watch 0.2 -- no-such-command-anywhere
expect_exit 127 'not in the PATH'
touch "$TMP/plain"
watch 0.2 -- "$TMP/plain"
expect_exit 126 'not executable'
watch 0.2 -- $'/no\e[31mred'
is "$err" "cpustat: cannot run '/no\\x1b[31mred': No such file or directory" 'a hostile name in the message'

# All of its tree, and no other process.
load cpuload duty 30 # another process
run "$CPUSTAT" -j -g --output="$TMP/rows" 0.5 -- "$HELPERS/cpuspawn" -t 3 -o "$TMP/tree" tree 2 3 2000
expect_exit 0 'a tree'
kill -TERM "$load"
reap "$load"
mv "$TMP/tree" "$TMP/truth"
truth_us=$(awk '$1 == "child" { n += $5 } $1 == "step" { own = $5 } END { printf "%.0f", (n + own) / 1e3 }' "$TMP/truth")
near "$(jqs 'map(select(.type == "total").cpu_ns) | add / 1000 | floor')" "$truth_us" 20 'all of its tree, us' 20000
is "$(jqs 'map(select(.type == "task") | .kind) | unique - ["process", "exited"]')" '[]' 'no rows but of processes'
pids=$(awk '$1 == "step" || $1 == "child" { print $3 }' "$TMP/truth" | sort -un | jq -sc .)
is "$(jqs "(map(select(.type == \"task\").pid) | unique) - $pids")" '[]' 'nothing but its tree'
num "$(jqs 'map(select(.type == "task") | .cpu_ns) | add / 1000 | floor')" -ge $((truth_us / 2)) 'and there was something'

# A short command: all is reported, though it ends before the first sample.
watch -g 5 -- "$HELPERS/cpuspawn" -t 0.5 spawn 20 5000
expect_exit 0 'shorter than an interval'
like "$(cat "$TMP/rows")" 'Grand Total .* cpuspawn' 'the totals have it'

watch 5 -- sleep 0.1
like "$(cat "$TMP/rows")" 'partial [0-4]\.[0-9]{2} s.*sleep' 'its last interval is shown, however short'

# COUNT before its end: it runs on.
watch 0.1 1 -- sleep 20
expect_exit 0 'COUNT ends the run, not the command'
like "$err" '^cpustat: the run ended before the command, which continues as process [0-9]+$' 'which is reported'
ok 'it runs' kill -KILL "${err##* }"

# The command inherits cpustat's streams, default signals and privileges, but none of its descriptors.
run bash -c 'echo hello | "$0" --output="$1/rows" 0.2 -- cat' "$CPUSTAT" "$TMP"
is "$status $out" '0 hello' "it has the standard input and output of cpustat"
run ls /proc/self/fd
fds=$out
signals() { grep -E '^(SigBlk|SigIgn):'; }
run sh -c 'exec cat /proc/self/status'
mask=$(signals <<<"$out")
uid=$(sed -n 's/^\(Uid\|NoNewPrivs\|Seccomp\):\t//p' <<<"$out")
run "$CPUSTAT" --output=/dev/null 0.2 -- sh -c 'ls /proc/self/fd; exec cat /proc/self/status'
expect_exit 0
is "$(grep -E '^[0-9]+$' "$TMP/out")" "$fds" 'it inherits no descriptor'
is "$(signals <"$TMP/out")" "$mask" 'signals are blocked and ignored as without cpustat'
is "$(sed -n 's/^\(Uid\|NoNewPrivs\|Seccomp\):\t//p' "$TMP/out")" "$uid" 'it keeps its privileges'

# ^C goes to the command too: the tool ends with the totals.
# shellcheck disable=SC2016
bg setsid "$CPUSTAT" -g 0.1 -- sh -c 'echo $$ >"$0"; exec sleep 1000' "$TMP/pid" >"$TMP/rows" 2>"$TMP/msg"
wait_for has_line "$TMP/rows" '%CPU'
kill -INT "$bg_pid"
reap "$bg_pid"
like "$(cat "$TMP/rows")" 'Grand Total' 'SIGINT: the totals'
kill -KILL "$(cat "$TMP/pid")" 2>/dev/null

# Children of a shell that waits: the group has the name of the shell, which did not run.
bg bash -c '"$0/cpuload" duty 30 >/dev/null & wait' "$HELPERS"
parent=$bg_pid
wait_for pgrep -P "$parent" >/dev/null
watch -j -G parent 0.3 2
pkill -P "$parent"
is "$(jqs "map(select(.pid == $parent) | .comm) | unique")" '["bash"]' '-G parent: the name of a parent without a row'

# What is typed goes to all of them: the run ends with the command, not before it; what is sent
# to the tool alone ends it at once, and is its status.
need_cmd script
mkfifo "$TMP/keys"
exec 7<>"$TMP/keys"
# shellcheck disable=SC2016
printf '%s\n' 'trap "sleep 0.5; exit 7" INT' "echo armed >$TMP/armed" 'while :; do sleep 0.05; done' >"$TMP/stubborn"
# (A background job's input is /dev/null unless it is redirected itself.)
bg sh -c "exec script -qec \"exec '$CPUSTAT' -q -g 0.1 -- sh '$TMP/stubborn'\" /dev/null <'$TMP/keys'" >"$TMP/rows" 2>&1
wait_for has_line "$TMP/armed" armed
printf '\003' >&7
ok '^C with a command that cleans up: it ends' wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
reap "$bg_pid"
is "$status" 7 'with the status of the command'
like "$(cat "$TMP/rows")" 'Grand Total' 'and the totals'
exec 7<&-
bg env --default-signal=INT "$CPUSTAT" -q 0.1 -- sleep 20
sleep 0.5
kill -TERM "$bg_pid"
reap "$bg_pid"
is "$status" 143 'SIGTERM to the tool alone: 128 + 15'
done_testing
