#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 20
# heavy
# A snapshot in a pipe is whole, also if its rows are more than the queue holds (64 MiB) and the reader pauses for
# longer than a second: 20,000 mappings with a name of 3,900 bytes.  With an interval, snapshots are missed, not rows.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cmd jq
methods=(read)
pm --method=scan --quiet $$
[ "$status" != 0 ] || methods=(scan read)

load_start long
maps=$(wc -l <"/proc/$LOAD_PID/maps")
named=$(grep -ac '/long$' "/proc/$LOAD_PID/maps")
is "$named" 20000 'the load has its mappings'

slowly() { # ARGUMENT...: rows whose name is the load's, as a reader that begins after 1.3 s counts them
	{
		"$PAGEMON" -b "$@" 2>"$TMP/err"
		echo $? >"$TMP/status"
	} | {
		sleep 1.3
		grep -ac '/long\>'
	}
}
whole() { # NAME WANTED ARGUMENT...
	is "$(slowly "${@:3}") $(cat "$TMP/status" "$TMP/err")" "$2 0" "$1: every row, status 0 and no message"
}
for method in "${methods[@]}"; do
	whole "-m, $method" 20000 --method="$method" -m "$LOAD_PID"
	whole "-x, $method" 20000 --method="$method" -x "$LOAD_PID"
done
is "$(slowly -m -j --csv="$TMP/csv" "$LOAD_PID" $$) $(grep -ac '/long\>' "$TMP/csv")" '20000 20000' \
	'two processes, JSON, and a CSV file'

# Each snapshot has all of its rows; those due while one waits are missed.
"$PAGEMON" -b -m -j -i 0.1 -n 3 "$LOAD_PID" 2>"$TMP/err" | {
	sleep 1.3
	jq -c 'select(.type != "mapping") | [.type, .matched, .shown, .lost_rows, .missed_samples > 0]' >"$TMP/records"
}
is "$(grep -c "^\[\"sample\",$maps,$maps,0,true\]" "$TMP/records")" 3 '-i: each snapshot is whole, others are missed'
is "$(tail -n 1 "$TMP/records")" '["summary",null,null,0,true]' '-i: no row is lost'

# The process ends while its rows wait for the reader: they are in memory.
mkfifo "$TMP/fifo"
exec {both}<>"$TMP/fifo"
exec {fifo}<"$TMP/fifo"
bg "$PAGEMON" -b -m -j -i 9 "$LOAD_PID" >"$TMP/fifo" 2>"$TMP/err" {both}>&- {fifo}<&-
tool=$bg_pid
exec {both}>&-
queue_is_full() { [ "$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$tool/status")" -gt 9000 ]; }
wait_for queue_is_full
load_end
grep -aE '/long\>|"sample"|"summary"' <&"$fifo" >"$TMP/out"
is "$(grep -ac /long "$TMP/out") $(jq -c 'select(.type != "mapping") | [.type, .sample, .samples]' "$TMP/out" | xargs)" \
	'20000 [sample,1,null] [summary,null,1]' 'the process ends: its snapshot is whole'

# A reader that ends, and a full disk, end the run.
load_start long
{
	"$PAGEMON" -b -m "$LOAD_PID" 2>"$TMP/err"
	echo $? >"$TMP/status"
} | head -n 1 >"$TMP/out"
is "$(wc -l <"$TMP/out") $(cat "$TMP/status" "$TMP/err")" '1 141' 'head -n 1: SIGPIPE'
expect '/dev/full' 1 'pagemon: write error: No space left on device' sh -c "'$PAGEMON' -b -m $LOAD_PID >/dev/full"
done_testing
