#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# needs: root
# timeout: 120
# eventstat: outputs and reports that cannot be written, readers that go, rights that are missing; what all tools
# share is in tests/t/suite/{files,signals}.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
es=$EVENTSTAT

# Without rights: one line that names what is needed, and nothing on standard output.
cp "$es" "$TMP/eventstat"
chmod a+x "$TMP"
as=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
run "${as[@]}" "$TMP/eventstat" 0.1 1
like "$status" '^[34]$' "nobody: exit status $status"
like "$err" '^eventstat: cannot count timers: .*(root|CAP_BPF)' 'nobody: the message has the remedy'
is "$(wc -l <"$TMP/err") $out" '1 ' 'nobody: one line, and no heading'
run "${as[@]}" "$TMP/eventstat" --version
expect_exit 0 'nobody: --version works'
run "${as[@]}" "$TMP/eventstat" --help
expect_exit 0 'nobody: and --help'
if ! can_count; then
	skip "$err"
	done_testing
fi

# A disk that is full ends the run with a message.
run bash -c '"$0" 0.1 50 >/dev/full' "$es"
expect_exit 1 'standard output is /dev/full'
like "$err" '^eventstat: .*No space left on device$' 'one message'
run bash -c '"$0" -j 0.1 50 >/dev/full' "$es"
expect_exit 1 'JSON to /dev/full'
run "$es" -q -r /dev/full 0.1 3
expect_exit 1 '-r /dev/full'
is "$err" 'eventstat: /dev/full: No space left on device' 'the message'
run "$es" -q -r "$TMP/report" --output=/dev/full --summary 0.1 3
expect_exit 1 '--output=/dev/full'
like "$(head -n 1 "$TMP/report")" '^Time:,Task:' 'the report is written all the same'

# A report that cannot be written is found before the measurement, which would take a day.
for file in "$TMP" /nonexistent/dir/x /proc/version/x; do
	run "$es" -r "$file" 1d 1
	expect_exit 1 "-r $file: at the start, not after the run"
	like "$err" "^eventstat: $file: (No such file or directory|Is a directory|Not a directory)$" 'the message'
	is "$out" '' 'no empty headings'
done
mkdir -m 755 "$TMP/shut"
printf 'old, and a line that is longer than what will be there\n%.0s' {1..5000} >"$TMP/shut/report"
chmod 666 "$TMP/shut/report"
chmod 555 "$TMP/shut"
run env SUDO_UID=65534 SUDO_GID=65534 "$es" -q -r "$TMP/shut/report" --func=no_such_* 0.1 3
expect_exit 0 '-r into a directory that may not be written'
is "$(cut -d, -f 1-2 "$TMP/shut/report" | head -n 4 | paste -sd' ')" 'Time:,Task: ,Callback: ,PID: ,Total:' 'the report is written'
is "$(wc -l <"$TMP/shut/report"; ls -A "$TMP/shut")" $'7\nreport' 'nothing of what was there stays'
chmod 444 "$TMP/shut/report"
run env SUDO_UID=65534 SUDO_GID=65534 "$es" -q -r "$TMP/shut/report" 0.1 3
expect_exit 1 'a file that the calling user may not write'
is "$err" "eventstat: $TMP/shut/report: Permission denied" 'the message'
chmod 755 "$TMP/shut"

# A reader that goes ends the run without a word; the report and the metrics are those of the run.
run bash -o pipefail -c '"$0" -r "$1/report" --prom="$1/prom" 0.1 100 | head -n 2' "$es" "$TMP"
is "$err" '' 'a closed pipe: no message'
is "$(head -n 1 "$TMP/out")" ' Event/s   PID  %CPU  PR  NI Task                 Callback' 'what was read'
like "$(head -n 1 "$TMP/report")" '^Time:,Task:' 'the report is written'
ok 'and the metrics' grep -q '^sysmon_eventstat_samples_total [1-9]' "$TMP/prom"

# Each sample is in the pipe at once: the original writes blocks of 4,096 bytes.
mkfifo "$TMP/pipe"
bg cat "$TMP/pipe" >"$TMP/rows"
reader=$bg_pid
bg "$es" -n 1 0.1 >"$TMP/pipe"
tool=$bg_pid
five() { [ "$(grep -c 'Total events' "$TMP/rows")" -ge 5 ]; }
ok 'samples come through a pipe' wait_for five
if read -r _ bytes writes < <(awk '$1 == "wchar:" { n = $2 } $1 == "syscw:" { print "io", n, $2 }' "/proc/$tool/io"); then
	num $((bytes / writes)) -lt 1000 "each by itself: $bytes bytes in $writes writes"
else
	skip 'the kernel does not count the writes of a process'
fi
finish
reap "$reader"

# A slow reader gets every sample.
bg bash -c '"$0" -j -n 5 0.1 20 2>"$2" | "$1/slowreader" 1 1000 >"$3"' "$es" "$HELPERS" "$TMP/msg" "$TMP/rows"
wait_for has_exited "$bg_pid"
is "$(jqs 'map(select(.type == "sample").sample) == [range(1; 21)]')" true 'a slow reader gets every sample, in order'
is "$(jqs '.[-1] | [.type, .samples, .lost_rows]')" '["summary",20,0]' 'and the summary'

if have_cap bpf && have_cap perfmon; then
	run setpriv --bounding-set=-all,+bpf,+perfmon "$TMP/eventstat" -n 1 0.2 1
	expect_exit 0 'CAP_BPF and CAP_PERFMON are sufficient'
	like "$out" '[1-9][0-9]* Total events' 'timers are counted'
fi
# -p: what is not there is an error, and the run ends with the last one.
none=$(cat /proc/sys/kernel/pid_max) # no task has this number
expect '-p: no such process' 1 "eventstat: no process or thread $none" "$es" -p "$none" 0.1 1
expect '-p: one of several' 1 "eventstat: no process or thread $none" "$es" -p "$$,$none" 0.1 1
bg sleep 1000
sleeper=$bg_pid
start -q -p "$sleeper,$sleeper" 0.1
kill "$sleeper"
reap "$sleeper"
ended() { ! kill -0 "$tool"; }
ok '-p: the run ends with its process' wait_for ended
reap "$tool"
is "$status $(cat "$TMP/msg")" '0 ' '-p: well'
run "$es" -q -p "$$" --interval=0.1 -- true
expect_exit 0 '-p with a command'
done_testing
