#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# Full disks, closed and broken outputs, signals.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_root

shell() { run bash -c "$@"; } # SCRIPT ARG...: with a redirection that run cannot do
for options in '' -j --csv -S; do
	# shellcheck disable=SC2016
	shell '"$0" '"$options"' -- true >/dev/full' "$FORKSTAT"
	expect_exit 1 "/dev/full, $options: exit status 1"
	like "$err" '^forkstat: .*No space left on device$' 'the message'
done
run "$FORKSTAT" -o /dev/full -- true
expect_exit 1 '-o /dev/full'
like "$err" '^forkstat: .*No space left on device$' 'the message'
run "$FORKSTAT" --json=/dev/full -- true
expect_exit 1 '--json=/dev/full'
# shellcheck disable=SC2016
shell '"$0" -- true >&-' "$FORKSTAT"
expect_exit 1 'standard output closed'
is "$err" 'forkstat: standard output is closed' 'the message'
# shellcheck disable=SC2016
shell '"$0" -o "$1" -- "$2" x <&- >&- 2>&-' "$FORKSTAT" "$TMP/rows" "$HELPERS/tiny"
expect_exit 0 'all three closed, rows to a file'
like "$(cat "$TMP/rows")" 'exec +[0-9]+ +[^ ]*/tiny x' 'the rows are whole'
is "$(grep -cvE '^[0-2][0-9]:|^Time' "$TMP/rows")" 0 'nothing else is in them'
run "$FORKSTAT" -o "$TMP" -- true
expect_exit 1 '-o of a directory'
like "$err" "^forkstat: $TMP: Is a directory$" 'the message'

# The reader goes away while nothing happens (a filter that nothing passes): the end comes
# without a row to write.
mkfifo "$TMP/fifo"
"$HELPERS/closeread" 1 <"$TMP/fifo" >"$TMP/rows" &
bg "$FORKSTAT" --name=no-such-name-at-all >"$TMP/fifo" 2>"$TMP/msg"
ok 'the reader gone while idle: it ends' wait_for gone "$bg_pid" || kill -KILL "$bg_pid"
reap "$bg_pid"
is "$status $(cat "$TMP/msg")" "$((128 + 13)) " 'by SIGPIPE, silently'
"$HELPERS/closeread" 1 <"$TMP/fifo" >"$TMP/rows" &
bg "$FORKSTAT" -S -j --ppid=$$ >"$TMP/fifo" 2>"$TMP/msg"
wait_for gone "$!"
run "$HELPERS/load" -n 200 -o "$TMP/truth" exec
ok 'the reader gone, rows to write: it ends' wait_for gone "$bg_pid" || kill -KILL "$bg_pid"
reap "$bg_pid"
is "$status $(cat "$TMP/msg")" "$((128 + 13)) " 'by SIGPIPE, silently'
# Where SIGPIPE is ignored it must end as well.
"$HELPERS/closeread" 1 <"$TMP/fifo" >"$TMP/rows" &
bg env --ignore-signal=PIPE "$FORKSTAT" --name=no-such-name-at-all >"$TMP/fifo" 2>"$TMP/msg"
ok 'the reader gone, SIGPIPE ignored: it ends' wait_for gone "$bg_pid" || kill -KILL "$bg_pid"
for signal in INT TERM HUP; do
	start -S --ppid=$$
	run "$HELPERS/load" -n 20 -o "$TMP/truth" exec
	finish "$signal"
	is "$status$err" 0 "SIG$signal with -S: exit status 0"
	like "$(cat "$TMP/rows")" 'Events received [1-9][0-9]*, shown [1-9]' "SIG$signal: the statistics"
	run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
	expect_exit 0 "SIG$signal: every row that was due is there"
done
start -j
finish TERM
like "$(tail -n 1 "$TMP/rows")" '^\{"type":"summary".*\}$' 'SIGTERM, JSON: the summary'
start
finish INT
is "$status$err" 0 'SIGINT without -S'
unlike "$(cat "$TMP/rows")" 'Events received' 'no statistics that nobody asked for'
bg "$HELPERS/load" -n 10000 -r 200 -o /dev/null exec
run "$FORKSTAT" -D 500ms -S
kill -KILL "$bg_pid"
{ wait "$bg_pid"; } 2>/dev/null
is "$status$err" 0 '-D: ends by itself'
like "$out" 'Rates over [0-9.]+ s' '-D -S: the statistics'

# nohup: what was ignored at the start stays ignored.
start_nohup() {
	rm -f "$TMP/rows"
	bg env --ignore-signal=HUP "$FORKSTAT" --ppid=$$ >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for listens
}
start_nohup
kill -HUP "$tool"
run "$HELPERS/load" -n 20 -o "$TMP/truth" exec
ok 'SIGHUP ignored: it goes on' wait_for has_line "$TMP/rows" 'exit .*load'
ok 'it still runs' kill -0 "$tool"
finish
expect_exit 0 'and ends by SIGINT'
# A stopped and continued tool goes on.
start --ppid=$$
kill -STOP "$tool"
kill -CONT "$tool"
run "$HELPERS/load" -n 20 -o "$TMP/truth" exec
finish
is "$status$err" 0 'SIGSTOP, SIGCONT'
run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
expect_exit 0 'every row is there'
# Signals that arrive together are all taken: SIGCHLD does not hide the ^C.
start --ppid=$$
kill -STOP "$tool"
wait_for is_stopped "$tool"
kill -INT "$tool"
kill -CHLD "$tool"
kill -CONT "$tool"
ok 'SIGINT and SIGCHLD at once: it ends' wait_for gone "$tool" || kill -KILL "$tool"
done_testing
