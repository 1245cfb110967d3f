#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# Readers that go away, signals; what all tools share is in tests/t/suite/{files,signals}.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing

# The reader goes away while nothing happens (a filter that nothing passes): the end comes
# without a row to write.
mkfifo "$TMP/fifo"
"$HELPERS/closeread" 1 <"$TMP/fifo" >"$TMP/rows" &
bg "$FORKSTAT" --name=no-such-name-at-all >"$TMP/fifo" 2>"$TMP/msg"
ok 'the reader has exited, no rows: it ends' wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
reap "$bg_pid"
is "$status $(cat "$TMP/msg")" "$((128 + 13)) " 'by SIGPIPE, silently'
"$HELPERS/closeread" 1 <"$TMP/fifo" >"$TMP/rows" &
bg "$FORKSTAT" -S -j --ppid=$$ >"$TMP/fifo" 2>"$TMP/msg"
wait_for has_exited "$!"
run "$HELPERS/load" -n 200 -o "$TMP/truth" exec
ok 'the reader has exited, rows to write: it ends' wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
reap "$bg_pid"
is "$status $(cat "$TMP/msg")" "$((128 + 13)) " 'by SIGPIPE, silently'
# Where SIGPIPE is ignored it must end as well.
"$HELPERS/closeread" 1 <"$TMP/fifo" >"$TMP/rows" &
bg env --ignore-signal=PIPE "$FORKSTAT" --name=no-such-name-at-all >"$TMP/fifo" 2>"$TMP/msg"
ok 'the reader has exited, SIGPIPE ignored: it ends' wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
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
unlike "$(cat "$TMP/rows")" 'Events received' 'no statistics without -S'
bg "$HELPERS/load" -n 10000 -r 200 -o /dev/null exec
follow -D 500ms -S
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
ok 'SIGHUP ignored: it continues' wait_for has_line "$TMP/rows" 'exit .*load'
ok 'it still runs' kill -0 "$tool"
finish
expect_exit 0 'and ends by SIGINT'
# A stopped and continued tool keeps running.
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
ok 'SIGINT and SIGCHLD at once: it ends' wait_for has_exited "$tool" || kill -KILL "$tool"
done_testing
