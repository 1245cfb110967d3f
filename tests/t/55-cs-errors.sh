#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 120
# cpustat: full disks, closed and slow readers, files that cannot be written, processes that
# are not there.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

shell() { run bash -c "$@"; } # SCRIPT ARG...: with a redirection that run cannot do
for options in '' -j --csv -g '-q -g' -x; do
	# shellcheck disable=SC2016
	shell '"$0" '"$options"' 0.1 3 >/dev/full' "$CPUSTAT"
	expect_exit 1 "/dev/full, $options: exit status 1"
	like "$err" '^cpustat: .*No space left on device$' 'the message'
done
for option in --output=/dev/full --json=/dev/full --csv=/dev/full '-r /dev/full'; do
	# shellcheck disable=SC2086
	run "$CPUSTAT" $option 0.1 3
	expect_exit 1 "$option"
	like "$err" '^cpustat: .*No space left on device$' 'the message'
done
# shellcheck disable=SC2016
shell '"$0" 0.1 1 >&-' "$CPUSTAT"
expect_exit 1 'standard output closed'
is "$err" 'cpustat: standard output is closed' 'the message'
# shellcheck disable=SC2016
shell '"$0" --output="$1" 0.1 2 <&- >&- 2>&-' "$CPUSTAT" "$TMP/rows"
expect_exit 0 'all three closed, rows to a file'
like "$(cat "$TMP/rows")" '^ *%CPU' 'the rows are there'

# Files that cannot be written are found out at the start, not after the run.
for option in "-r $TMP" '-r /nonexistent/dir/x' --output=/nonexistent/dir/x --csv=/nonexistent/dir/x \
	--json=/nonexistent/dir/x --prom=/nonexistent/dir/x; do
	began=$SECONDS
	# shellcheck disable=SC2086
	run "$CPUSTAT" $option 60 1
	expect_exit 1 "$option"
	like "$err" "^cpustat: (/nonexistent/dir/x|$TMP)[^ ]*: (No such file or directory|Is a directory)$" 'the message'
	num $((SECONDS - began)) -lt 10 'at once'
done

# A file that may be written in a directory where none may be made.
mkdir -m 755 "$TMP/shut"
printf 'old, and a line that is longer than what will be there\n%.0s' {1..100} >"$TMP/shut/report"
chmod 666 "$TMP/shut/report"
chmod 555 "$TMP/shut"
chmod a+x "$TMP"
cp "$CPUSTAT" "$TMP/cpustat"
nobody=()
! have_root || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
run "${nobody[@]}" "$TMP/cpustat" -q -r "$TMP/shut/report" 0.1 3
expect_exit 0 '-r into a directory that may not be written'
is "$(sed -n '1s/:.*//p; 2s/:.*//p' "$TMP/shut/report" | paste -sd' ')" 'Task Ticks' 'the report is written'
is "$(wc -l <"$TMP/shut/report"; ls -A "$TMP/shut")" $'5\nreport' 'nothing of what was there stays'
chmod 755 "$TMP/shut"

# The reader goes away: the end, without a word; where SIGPIPE is ignored as well.
mkfifo "$TMP/fifo"
for options in '' -j --csv '-g -D'; do
	"$HELPERS/closeread" 2 <"$TMP/fifo" >"$TMP/rows" &
	# shellcheck disable=SC2086
	bg "$CPUSTAT" $options 0.1 >"$TMP/fifo" 2>"$TMP/msg"
	ok "the reader gone, $options: it ends" wait_for gone "$bg_pid" || kill -KILL "$bg_pid"
	reap "$bg_pid"
	is "$status $(cat "$TMP/msg")" "$((128 + 13)) " 'by SIGPIPE, silently'
done
"$HELPERS/closeread" 2 <"$TMP/fifo" >"$TMP/rows" &
bg env --ignore-signal=PIPE "$CPUSTAT" 0.1 >"$TMP/fifo" 2>"$TMP/msg"
ok 'SIGPIPE ignored: it ends as well' wait_for gone "$bg_pid" || kill -KILL "$bg_pid"

# A reader that stops for 2 s: no sample is lost or late.
bg bash -c '"$0" -j 0.1 40 2>"$2" | "$1/slowreader" 2 2000 >"$3"' "$CPUSTAT" "$HELPERS" "$TMP/msg" "$TMP/rows"
wait_for -t 20 gone "$bg_pid"
is "$(samples)" 40 'a slow reader gets every sample'
is "$(jqs 'map(select(.type == "sample").sample) == [range(1; 41)]')" true 'in order'
num "$(jqs 'map(select(.type == "sample").dt_s) | max * 1000 | floor')" -lt 1000 'and the tool never waited for it'

# A process that is not there; one that goes.
bg sleep 0
gone_pid=$bg_pid
wait "$gone_pid"
run "$CPUSTAT" -p "$gone_pid" 0.1 3
expect_exit 1 '-p of no process'
like "$err" "^cpustat: .*$gone_pid" 'the message names it'
is "$out" '' 'no empty headings'
load cpuload -t 1.5 duty 30
run "$CPUSTAT" -p "${tasks[0]}" -g 0.2 100
expect_exit 0 '-p of a process that ends: so do we'
like "$out" "Grand Total .* ${tasks[0]} " 'its total is told'
reap "$load"
load cpuload duty 30 20
watch -j -p "${tasks[1]}" 0.2 3
end_load
is "$(jqs 'map(select(.type == "task").pid) | unique')" "[${tasks[1]}]" '-p: that process and no other'
done_testing
