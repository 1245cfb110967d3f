#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# forkstat -- COMMAND: its tree and nothing else, and its status passed on.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

follow -- true
expect_exit 0 'status 0'
follow -- sh -c 'exit 7'
expect_exit 7 'status 7'
follow -- sh -c 'kill -TERM $$'
expect_exit 143 'ended by a signal: 128 + n'
follow -- /nonexistent/program
expect_exit 127 'no such command'
is "$err" "forkstat: cannot run '/nonexistent/program': No such file or directory" 'the message'
follow -- no-such-command-anywhere
expect_exit 127 'not in the PATH'
touch "$TMP/plain"
follow -- "$TMP/plain"
expect_exit 126 'not executable'
like "$err" "^forkstat: cannot run '.*/plain': Permission denied$" 'the message'
follow -- $'/no\e[31mred'
is "$err" "forkstat: cannot run '/no\\x1b[31mred': No such file or directory" 'a hostile name in the message'

bg "$HELPERS/load" -n 100000 -r 300 -o /dev/null exec # somebody else
other=$bg_pid
follow -j -- "$HELPERS/load" -n 100 -g 2 -o "$TMP/truth" exec
kill -KILL "$other"
{ wait "$other"; } 2>/dev/null
judge 'all of its tree' --format json
is "$(jqs '[.[] | select(.type == "event").pid] | unique')" \
	"$(awk -F'\t' '/^(load|exec|gen)/ { print $2 }' "$TMP/truth" | jq -sc unique)" 'nothing but its tree'
# The command ends after the orphan: a process that signals do not find has sent its exit.
mkfifo "$TMP/orphan"
# shellcheck disable=SC2016
follow -j -- sh -c '(sh -c "echo \$\$ >\"\$0\"; sleep 0.1; true" "$0" &); read -r orphan <"$0"; sleep 0.3
	while kill -0 "$orphan" 2>/dev/null; do :; done' "$TMP/orphan"
is "$(jqs '[.[] | select(.event == "exec" and .argv[0] == "sleep")] | length')" 2 'an orphan still belongs to it'
ok 'its own exit is the last row' test "$(jqs 'map(select(.event == "exit"))[-1].pid')" = \
	"$(jqs 'map(select(.event == "exec"))[0].pid')"

# What the command gets: the streams of the tool, default signals, all its privileges, no descriptor of the tool.
run bash -c 'echo hello | "$0" -o "$1/rows" -- cat' "$FORKSTAT" "$TMP"
is "$status $out" '0 hello' "it has the standard input and output of the tool; rows go to -o's file"
like "$(cat "$TMP/rows")" 'exec .* cat' 'the rows'
run ls /proc/self/fd
fds=$out
signals() { grep -E '^(SigBlk|SigIgn):'; }
privileges() { sed -n 's/^\(Uid\|NoNewPrivs\|Seccomp\):\t//p' "$TMP/out"; }
run sh -c 'exec cat /proc/self/status'
mask=$(signals <<<"$out")
own=$(privileges)
run "$FORKSTAT" -o /dev/null -- sh -c 'ls /proc/self/fd; exec cat /proc/self/status'
expect_exit 0
is "$(grep -E '^[0-9]+$' "$TMP/out")" "$fds" 'it inherits no descriptor'
is "$(signals <"$TMP/out")" "$mask" 'signals are blocked and ignored as without us'
is "$(privileges)" "$own" 'it keeps its privileges'

follow -S -- "$HELPERS/load" -n 5 -o "$TMP/truth" exec
expect_exit 0 '-S'
like "$(cat "$TMP/rows")" 'Events received [0-9]+, shown 17, filtered' 'the statistics count its events'
follow --strict -q -- sh -c 'exit 9'
expect_exit "$(strict_code 9)" 'with --strict and nothing lost, its own status'
like "$(cat "$TMP/rows")" 'Process' '-q: statistics'
unlike "$(cat "$TMP/rows")" '[0-9]:[0-9][0-9] exec' '-q: no rows'

# ^C goes to the command too: the tool ends with the statistics.
bg setsid "$FORKSTAT" -S -- sleep 1000 >"$TMP/rows" 2>"$TMP/msg"
wait_for has_line "$TMP/rows" 'exec .*sleep 1000'
command=$(awk '$2 == "exec" { print $3 }' "$TMP/rows")
kill -INT "$bg_pid"
reap "$bg_pid"
like "$(cat "$TMP/rows")" 'Events received' 'SIGINT: the statistics'
kill -KILL "$command" 2>/dev/null
done_testing
