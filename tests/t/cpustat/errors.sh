#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 7
# timeout: 120
# cpustat: slow readers, reports that cannot be written, processes that are not there; what all
# tools share is in tests/t/suite/{files,signals}.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

run "$CPUSTAT" -r /dev/full 0.1 3
expect_exit 1 '-r /dev/full'
like "$err" '^cpustat: .*No space left on device$' 'the message'
for file in "$TMP" /nonexistent/dir/x; do
	run "$CPUSTAT" -r "$file" 60 1
	expect_exit 1 "-r $file: at the start, not after the run"
	like "$err" "^cpustat: ${file}[^ ]*: (No such file or directory|Is a directory)$" 'the message'
done

# A file that may be written in a directory where none may be made.
mkdir -m 755 "$TMP/shut"
printf 'old, and a line that is longer than what will be there\n%.0s' {1..100} >"$TMP/shut/report"
chmod 666 "$TMP/shut/report"
chmod 555 "$TMP/shut"
chmod a+x "$TMP"
cp "$CPUSTAT" "$TMP/cpustat"
as_nobody=()
! have_root || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
run "${as_nobody[@]}" "$TMP/cpustat" -q -r "$TMP/shut/report" 0.1 3
expect_exit 0 '-r into a directory that may not be written'
is "$(sed -n '1s/:.*//p; 2s/:.*//p' "$TMP/shut/report" | paste -sd' ')" 'Task Ticks' 'the report is written'
is "$(wc -l <"$TMP/shut/report"; ls -A "$TMP/shut")" $'5\nreport' 'nothing of what was there stays'
chmod 755 "$TMP/shut"

# A reader that stops for 2 s: no sample is lost or late.
bg bash -c '"$0" -j 0.1 40 2>"$2" | "$1/slowreader" 2 2000 >"$3"' "$CPUSTAT" "$HELPERS" "$TMP/msg" "$TMP/rows"
wait_for has_exited "$bg_pid"
is "$(samples)" 40 'a slow reader gets every sample'
is "$(jqs 'map(select(.type == "sample").sample) == [range(1; 41)]')" true 'in order'
num "$(jqs 'map(select(.type == "sample").dt_s) | max * 1000 | floor')" -lt 1000 'and the tool never waited for it'

# A process that is not there; one that goes.
bg sleep 0
exited_pid=$bg_pid
wait "$exited_pid"
run "$CPUSTAT" -p "$exited_pid" 0.1 3
expect_exit 1 '-p of no process'
is "$err" "cpustat: process $exited_pid does not exist or cannot be read" 'the message names it'
is "$out" '' 'no empty headings'
load cpuload -t 1.5 duty 30
run "$CPUSTAT" -p "${tasks[0]}" -g 0.2 100
expect_exit 0 '-p of a process that exits: the run ends'
like "$out" "Grand Total .* ${tasks[0]} " 'its total is printed'
reap "$load"
load cpuload duty 30 20
watch -j -p "${tasks[1]}" 0.2 3
end_load
is "$(jqs 'map(select(.type == "task").pid) | unique')" "[${tasks[1]}]" '-p: that process and no other'
done_testing
