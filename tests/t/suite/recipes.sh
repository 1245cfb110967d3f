#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/* that pass the rows on to other programs and formats: each on recorded rows with its exact output, and once
# on a run of the tools.  suite/examples.sh tests the other examples.
# live
# seconds: 12
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/picture.sh"
try_tracefs
need_cmd jq
recipes=$TOP/examples
PATH=$BUILD/bin:$PATH
cannot_fork=$(why_not forkstat)

# --- two results of power-calibrate ------------------------------------------------------
calibrated() { # W HALF BASE CORE_W: a result with the lower and upper end at a distance of HALF
	jq -nc --argjson w "$1" --argjson h "$2" --argjson b "$3" --argjson c "$4" \
		'def e($h): {value: ., se: 1, low: (. - $h), high: (. + $h)};
		{type: "test", watts: 1}, {type: "result", load: {w_per_cpu: ($w | e($h)), base_w: ($b | e(0.3))},
		energy: {op: {nj: (16.5 | e(0.5)), method: "counted"}, cycle: {error: "x"}},
		types: [{cpu_type: "co\u001b[2Jre", w_per_cpu: ($c | e(0.4))}]}'
}
{
	calibrated 99 1 1 1 # an interim result
	calibrated 10 0.3 5 12
	printf '{"type":"res'
} >"$TMP/old.json"
calibrated 9 0.4 5.4 12.5656 >"$TMP/new.json"
run jq -rRn -f "$recipes/power-calibrate-compare.jq" "$TMP/old.json" "$TMP/new.json"
# Half widths: root of 0.3^2 + 0.4^2 = 0.5; of 0.3^2 + 0.3^2 = 0.4243; of 0.4^2 + 0.4^2 = 0.5657; of 0.5^2 + 0.5^2 = 0.7071
expect_out '                            old      new  difference      low     high
1 busy CPU, W           10.0000   9.0000     -1.0000  -1.5000  -0.5000  less
idle machine, W          5.0000   5.4000      0.4000  -0.0243   0.8243
1 busy co?[2Jre CPU, W  12.0000  12.5656      0.5656  -0.0001   1.1313
1 op, nJ                16.5000  16.5000      0.0000  -0.7071   0.7071' 'power-calibrate-compare.jq: the interval of the difference'
run jq -rRn -f "$recipes/power-calibrate-compare.jq" "$TMP/new.json" "$TMP/old.json"
like "$out" '
1 busy CPU, W .* 1\.0000 +0\.5000 +1\.5000  more
' 'the other way round'
run jq -rRn -f "$recipes/power-calibrate-compare.jq" "$TMP/old.json" /dev/null
like "$status $err" '^1 Usage: power-calibrate-compare\.jq ' 'no new result: an error'

# Two jobs of make that overlap; PID 102 has two owners.
cat >"$TMP/forkstat.json" <<'END'
{"type":"header","tool":"forkstat","boot_id":"b"}
{"type":"event","mono_ns":1050000000,"event":"exit","tgid":200,"ppid":1,"duration_s":0.05,"status":0,"signal":0,"process_end":true,"comm":"daemon"}
{"type":"event","mono_ns":1350000000,"event":"exit","tgid":104,"ppid":102,"duration_s":0.1,"status":0,"signal":0,"process_end":true,"comm":"as"}
{"type":"event","mono_ns":1400000000,"event":"exit","tgid":102,"ppid":101,"duration_s":0.2,"status":1,"signal":0,"process_end":true,"comm":"cc1","argv":["cc1","<a|b>`x`\n"]}
{"type":"event","mono_ns":1450000000,"event":"exit","tgid":100,"ppid":1,"duration_s":0.1,"status":0,"signal":0,"process_end":false,"comm":"thread"}
{"type":"event","mono_ns":1500000000,"event":"exit","tgid":101,"ppid":100,"duration_s":0.4,"status":1,"signal":0,"process_end":true,"comm":"sh","argv":["sh"]}
{"type":"event","mono_ns":1700000000,"event":"exit","tgid":102,"ppid":103,"duration_s":0.1,"status":0,"signal":9,"signal_name":"SIGKILL","process_end":true,"comm":"cc1"}
{"type":"event","mono_ns":1800000000,"event":"exit","tgid":103,"ppid":100,"duration_s":0.5,"status":1,"signal":0,"process_end":true,"comm":"a;b\n c","argv":["sh"]}
{"type":"event","mono_ns":1900000000,"event":"exit","tgid":105,"ppid":100,"status":0,"signal":0,"process_end":true,"comm":"unknown"}
{"type":"event","mono_ns":2000000000,"event":"exit","tgid":100,"ppid":1,"duration_s":1,"status":0,"signal":0,"process_end":true,"comm":"make"}
{"type":"summary","elapsed_s":1.0204,"events":{"process_end":8,"nonzero_exit":4},"lost":{"kernel":2,"output":1},"cpu_s":{"count":8,"unknown":0,"total":0.75},"programs":[{"name":"sh","process_end":1,"cpu_s":0.05},{"name":"cc1|","process_end":2,"cpu_s":0.7},{"name":"idle","process_end":1,"cpu_s":0}]}
END

# --- folded stacks ---------------------------------------------------------------------
run jq -rn -f "$recipes/forkstat-stacks.jq" "$TMP/forkstat.json"
expect_out 'daemon 50000
make 300000
make;a_b_ c 400000
make;a_b_ c;cc1 100000
make;sh 200000
make;sh;cc1 100000
make;sh;cc1;as 100000' 'forkstat-stacks.jq: the time without a child, below the right owner of a PID'
cp "$TMP/out" "$TMP/folded"
run jq -cnR -f "$recipes/stacks-speedscope.jq" "$TMP/folded"
expect_out '{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"sysmon-tools","shared":{"frames":[{"name":"a_b_ c"},{"name":"as"},{"name":"cc1"},{"name":"daemon"},{"name":"make"},{"name":"sh"}]},"profiles":[{"type":"sampled","name":"processes","unit":"microseconds","startValue":0,"endValue":1250000,"samples":[[3],[4],[4,0],[4,0,2],[4,5],[4,5,2],[4,5,2,1]],"weights":[50000,300000,400000,100000,200000,100000,100000]}]}' \
	'stacks-speedscope.jq'
run jq -cnR -f "$recipes/stacks-speedscope.jq" /dev/null
is "$status $(jq -c '.profiles[0] | [.endValue, .samples, .weights]' "$TMP/out")" '0 [0,[],[]]' 'without stacks: an empty profile'

# The name of a row's own process is the one of its time; 20 and 21 have each other as parent.
cat >"$TMP/cpustat.json" <<'END'
{"type":"header","tool":"cpustat"}
{"type":"task","kind":"process","pid":11,"ppid":10,"cpu_ns":2000000,"comm":"sh"}
{"type":"task","kind":"process","pid":10,"ppid":1,"cpu_ns":1000000,"comm":"make"}
{"type":"sample","sample":1}
{"type":"task","kind":"process","pid":11,"ppid":10,"cpu_ns":3000400,"comm":"cc;1"}
{"type":"task","kind":"exited","pid":11,"ppid":10,"cpu_ns":4000000,"comm":"cc;1"}
{"type":"task","kind":"exited","pid":99,"ppid":1,"cpu_ns":5000000,"comm":"idle"}
{"type":"task","kind":"process","pid":20,"ppid":21,"cpu_ns":6000000,"comm":"x"}
{"type":"task","kind":"process","pid":21,"ppid":20,"cpu_ns":7000000,"comm":"y"}
{"type":"task","kind":"softirq","cpu_ns":8000000}
{"type":"task","kind":"group","cpu_ns":9000000,"comm":"root"}
{"type":"summary","span_s":2.5}
END
run jq -rn -f "$recipes/cpustat-stacks.jq" "$TMP/cpustat.json"
expect_out '(exited children) 5000
[softirq] 8000
make 1000
make;cc_1 3000
make;cc_1;(exited children) 4000
make;sh 2000
x;y 7000
y;x 6000' 'cpustat-stacks.jq'

# --- trace -----------------------------------------------------------------------------
run jq -n -f "$recipes/forkstat-trace.jq" "$TMP/forkstat.json"
expect_exit 0 'forkstat-trace.jq'
cp "$TMP/out" "$TMP/trace"
is "$(jq -c '.traceEvents[] | select(.ph == "X") | [.name, .ts, .dur, .pid, .tid, .args]' "$TMP/trace")" '["daemon",1000000,50000,200,200,{"ppid":1,"status":0}]
["make",1000000,1000000,100,100,{"ppid":1,"status":0}]
["sh",1100000,400000,100,101,{"ppid":100,"status":1,"argv":["sh"]}]
["cc1",1200000,200000,100,102,{"ppid":101,"status":1,"argv":["cc1","<a|b>`x`\n"]}]
["as",1250000,100000,100,104,{"ppid":102,"status":0}]
["a;b\n c",1300000,500000,100,103,{"ppid":100,"status":1,"argv":["sh"]}]
["cc1",1600000,100000,100,102,{"ppid":103,"status":0,"signal":"SIGKILL"}]' 'its slices'
is "$(jq -c '[.traceEvents[] | select(.name == "process_name") | [.pid, .tid, .args.name]]' "$TMP/trace")" \
	'[[200,200,"daemon"],[100,100,"make"]]' 'its groups'
is "$(jq -c '[.traceEvents[] | select(.name == "thread_sort_index") | [.tid, .args.sort_index]]' "$TMP/trace")" \
	'[[200,0],[100,1],[101,2],[102,3],[104,4],[103,5],[102,6]]' 'a track is below the track of its parent'
# FILE: the keys that the format of trace events requires, and times in their order
is_trace() {
	jq -e '(.traceEvents | length > 0) and
		all(.traceEvents[]; (.name | type == "string") and (.ph == "X" or .ph == "M") and all(.pid, .tid; type == "number") and
			(.args | type == "object") and (.ph == "M" or (all(.ts, .dur; type == "number") and .dur >= 0))) and
		([.traceEvents[] | select(.ph == "X").ts] | . == sort and length > 0)' "$1" >/dev/null
}
ok 'the keys of trace events' is_trace "$TMP/trace"

# --- summary of a run ------------------------------------------------------------------
cat >"$TMP/powerstat.json" <<'END'
{"type":"header","tool":"powerstat"}
{"type":"sample","watts":20}
{"type":"summary","joules":21.456,"joules_of_s":1.02,"watts_average":21.035,"estimate":true}
END
run jq -rn -f "$recipes/run-summary.jq" "$TMP/forkstat.json" "$TMP/powerstat.json"
expect_out '| | |
|---|---:|
| Time | 1.02 s |
| CPU time | 0.75 s |
| Processes | 8 |
| Failed processes | 4 |
| Lost events | 3 |
| Energy | 21.46 J (estimate) |
| Power | 21.04 W |

| Failed | Status | Command |
|---:|---|---|
| 2 | status 1 | <code>sh</code> |
| 1 | SIGKILL | <code>cc1</code> |
| 1 | status 1 | <code>cc1 &#60;a&#124;b&#62;&#96;x&#96; </code> |

| Program | Processes | CPU time |
|---|---:|---:|
| <code>cc1&#124;</code> | 2 | 0.7 s |
| <code>sh</code> | 1 | 0.05 s |' 'run-summary.jq: forkstat and powerstat'
run jq -rn -f "$recipes/run-summary.jq" "$TMP/cpustat.json"
expect_out '| | |
|---|---:|
| Time | 2.5 s |
| CPU time | 0.028 s |' 'run-summary.jq: cpustat'

# --- records for a log -----------------------------------------------------------------
run jq -nc -f "$recipes/json-records.jq" "$TMP/forkstat.json" "$TMP/powerstat.json"
is "$status $(jq -c '[.tool, .boot_id, .type, .tgid]' "$TMP/out")" '0 ["forkstat","b","event",102]
["forkstat","b","event",101]
["forkstat","b","event",102]
["forkstat","b","event",103]
["forkstat","b","summary",null]
["powerstat",null,"sample",null]
["powerstat",null,"summary",null]' 'json-records.jq'

# Debian's rsyslog, which deps.sh unpacks, or the installed one.
syslog=()
for modules in "$TOP"/build/peers/usr/lib/*/rsyslog; do
	[ -d "$modules" ] || continue
	syslog=(env LD_LIBRARY_PATH="${modules%/rsyslog}" "$TOP/build/peers/usr/sbin/rsyslogd" -M "$modules")
done
[ ${#syslog[@]} -gt 0 ] || ! have_cmd rsyslogd || syslog=(rsyslogd)
has_lines() { [ "$(wc -l <"$1")" -ge "$2" ]; } # FILE COUNT
# COUNT FILE...: sends the records of the files through rsyslog until $TMP/selected has COUNT lines
through_syslog() {
	local count=$1
	shift
	rm -rf "$TMP/log" "$TMP/selected"
	mkdir -p "$TMP/log" "$TMP/state"
	cp "$@" "$TMP/log"
	sed "s,/var/log/sysmon/,$TMP/log/,; s,/var/log/sysmon-selected.log,$TMP/selected," \
		"$recipes/rsyslog-sysmon.conf" >"$TMP/rsyslog-sysmon.conf"
	printf 'global(workDirectory="%s" maxMessageSize="64k")\ninclude(file="%s")\n' \
		"$TMP/state" "$TMP/rsyslog-sysmon.conf" >"$TMP/rsyslog.conf"
	run "${syslog[@]}" -N1 -f "$TMP/rsyslog.conf"
	is "$status $(grep -ci error <<<"$err")" '0 0' 'rsyslog-sysmon.conf: syntax'
	bg "${syslog[@]}" -n -f "$TMP/rsyslog.conf" -i "$TMP/rsyslog.pid" 2>/dev/null
	wait_for has_lines "$TMP/selected" "$count"
	kill "$bg_pid"
	reap "$bg_pid"
}
if [ ${#syslog[@]} -gt 0 ]; then
	echo '{"type":"event","event":"exit","status":1,"sig' >"$TMP/torn.json"
	through_syslog 5 "$TMP/forkstat.json" "$TMP/powerstat.json" "$TMP/torn.json"
	is "$(sort "$TMP/selected")" "$({
		grep -E '"exit".*("status":1|SIGKILL)' "$TMP/forkstat.json"
		grep '"sample"' "$TMP/powerstat.json"
	} | sort)" 'rsyslog-sysmon.conf: failed processes and samples, unchanged'
else
	skip 'rsyslog-sysmon.conf: needs rsyslogd, which is not installed' 2
fi

# --- results of stressors --------------------------------------------------------------
cat >"$TMP/results.json" <<'END'
{"type":"header","tool":"stressors"}
{"type":"run","jobs":5}
{"type":"result","stressor":"cpu","status":"pass","wall_s":1.5}
{"type":"result","stressor":"rtc","status":"skip","reason":"there is no /dev/rtc0"}
{"type":"result","stressor":"a<&>\"","status":"fail","wall_s":1.25,"reason":"got \u001b[2J ]]> \"7\" #8"}
{"type":"result","stressor":"vm","status":"no-resource","reason":"no memory"}
{"type":"result","stressor":"pipe","status":"interrupted"}
{"type":"summary","wall_s":1.75}
END
run jq -rn -f "$recipes/stressors-tap.jq" "$TMP/results.json"
expect_out 'TAP version 13
1..5
ok 1 - cpu
ok 2 - rtc # SKIP there is no /dev/rtc0
not ok 3 - a<&>"
# got  [2J ]]> "7" \#8
ok 4 - vm # SKIP no-resource: no memory
ok 5 - pipe # SKIP interrupted' 'stressors-tap.jq'
run jq -rn -f "$recipes/stressors-junit.jq" "$TMP/results.json"
expect_out '<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="stressors" tests="5" failures="1" errors="0" skipped="3" time="1.75">
  <testcase classname="stressors" name="cpu" time="1.5"></testcase>
  <testcase classname="stressors" name="rtc" time="0">
    <skipped message="there is no /dev/rtc0"/>
  </testcase>
  <testcase classname="stressors" name="a&lt;&amp;&gt;&quot;" time="1.25">
    <failure message="got ?[2J ]]&gt; &quot;7&quot; #8"/>
  </testcase>
  <testcase classname="stressors" name="vm" time="0">
    <skipped message="no-resource: no memory"/>
  </testcase>
  <testcase classname="stressors" name="pipe" time="0">
    <skipped message="interrupted"/>
  </testcase>
</testsuite>' 'stressors-junit.jq'
cp "$TMP/out" "$TMP/results.xml"
if have_cmd xmllint; then
	ok 'it is well-formed' xmllint --noout "$TMP/results.xml"
else
	skip 'stressors-junit.jq: needs xmllint, which is not installed'
fi

# --- on a run --------------------------------------------------------------------------
if [ -z "$cannot_fork" ]; then
	# A shell that runs a shell that fails after its child.
	run forkstat --quiet --json="$TMP/live.json" -e exit -- sh -c 'sh -c "sleep 0.1; exit 3"; true'
	expect_exit 0 'forkstat: a run'
	run jq -rn -f "$recipes/forkstat-stacks.jq" "$TMP/live.json"
	num "$(sed -n 's/^sh;sh;sleep //p' "$TMP/out")" -ge 100000 'forkstat-stacks.jq: at least the time of the sleep'
	run jq -n -f "$recipes/forkstat-trace.jq" "$TMP/live.json"
	ok 'forkstat-trace.jq: a trace' is_trace "$TMP/out"
	is "$(jq -c '[.traceEvents[] | select(.ph == "X") | [.name, .args.status]]' "$TMP/out")" '[["sh",0],["sh",3],["sleep",0]]' \
		'of these processes'
	run jq -rn -f "$recipes/run-summary.jq" "$TMP/live.json"
	like "$out" $'\n\\| Processes \\| 3 \\|\n\\| Failed processes \\| 1 \\|\n.*\\| 1 \\| status 3 \\| <code>sh -c sleep 0\\.1; exit 3</code> \\|' \
		'run-summary.jq'
	if [ ${#syslog[@]} -gt 0 ]; then
		through_syslog 1 "$TMP/live.json"
		is "$(jq -c '[.status, .argv]' "$TMP/selected")" '[3,["sh","-c","sleep 0.1; exit 3"]]' 'rsyslog: the failed process'
	else
		skip 'rsyslog: needs rsyslogd, which is not installed' 2
	fi
else
	skip "forkstat: recipes on a run: $cannot_fork" 7
fi

# A load that ends after 0.2 s of CPU time.
cat >"$TMP/busy.sh" <<'END'
while read -r _ _ _ _ _ _ _ _ _ _ _ _ _ ticks _ </proc/self/stat && [ "$ticks" -lt 20 ]; do :; done
exit 7
END
if [ -x "$BUILD/bin/cpustat" ]; then
	run cpustat --quiet --output=/dev/null --json="$TMP/busy.json" --interval=0.1 -- bash "$TMP/busy.sh"
	expect_exit 7 'cpustat: a run'
	run jq -rn -f "$recipes/cpustat-stacks.jq" "$TMP/busy.json"
	num "$(sed -n 's/^bash //p' "$TMP/out")" -ge 150000 'cpustat-stacks.jq: the time of the load'
	run jq -rn -f "$recipes/run-summary.jq" "$TMP/busy.json"
	num "$(awk '$2 == "CPU" { printf "%d", $5 * 1000 }' "$TMP/out")" -ge 150 'run-summary.jq: its CPU time'
else
	skip 'cpustat: recipes on a run: it is not built here' 3
fi

run stressors --nop 1 --timeout 0.2 --json="$TMP/live.json"
run jq -rn -f "$recipes/stressors-tap.jq" "$TMP/live.json"
like "$out" $'^TAP version 13\n1\\.\\.1\nok 1 - nop' 'stressors-tap.jq: a run'
run jq -rn -f "$recipes/stressors-junit.jq" "$TMP/live.json"
like "$out" 'tests="1" failures="0".*<testcase classname="stressors" name="nop" time="0\.[0-9]+">' 'stressors-junit.jq: a run'

# --- pictures --------------------------------------------------------------------------
if ! have_cmd gnuplot; then
	skip 'pictures: need gnuplot, which is not installed' 19
	done_testing
fi
is_svg() { grep -q '^<svg' "$1" && grep -q '^</svg>' "$1"; } # FILE

# Two samples of half a second, eight seconds apart, and the same with a record for the samples without timers.
printf 'time,mono_ns,dt_s,starts,expiries,idle_expiries,comm,func\nt,%d,0.5,9,9,5,a,f\nt,%d,0.5,9,9,5,a,f\n' \
	1000000000 9000000000 >"$TMP/wake.csv"
run gnuplot -c "$recipes/eventstat-wakeups.gnuplot" "$TMP/wake.csv" "$TMP/wake.png"
is "$status $out$err $(png_size "$TMP/wake.png")" '0 1.2 wakeups per second in 8.5 s 1000 500' \
	'eventstat-wakeups.gnuplot: the span begins with the first sample and ends with the last'
awk '{ print } NR == 2 { print "t,5000000000,4,0,0,0,," }' "$TMP/wake.csv" >"$TMP/empty.csv"
run gnuplot -c "$recipes/eventstat-wakeups.gnuplot" "$TMP/empty.csv" "$TMP/wake.svg"
is "$status $out$err $(grep -c '>?<' "$TMP/wake.svg")" '0 1.2 wakeups per second in 8.5 s 0' 'an empty sample has no cause'
ok 'it is drawn as SVG' is_svg "$TMP/wake.svg"

printf 'time,mono_ns,event,pid,duration_s,process_end,cmd\nt,2,exit,7,0.0005,1,true\nt,3,exit,8,0.5,1,sh\n' >"$TMP/rows.csv"
run gnuplot -c "$recipes/lifetimes.gnuplot" "$TMP/rows.csv" "$TMP/rows.png"
is "$status $out$err $(png_size "$TMP/rows.png")" '0  1000 500' 'lifetimes.gnuplot: PNG'
run gnuplot -c "$recipes/lifetimes.gnuplot" "$TMP/rows.csv" "$TMP/rows.svg"
ok 'lifetimes.gnuplot: SVG' is_svg "$TMP/rows.svg"

# Ten seconds: 20 W, then 40 W; 150 % of a CPU in the first half; two processes, of which one fails after 5 s.
mkdir "$TMP/run"
printf 'time,mono_ns,dt_s,kind,watts\nt,15000000000,5,m,20\nt,20000000000,5,m,40\n' >"$TMP/run/power.csv"
printf 'time,mono_ns,dt_s,kind,usr_pct,sys_pct,comm\nt,15000000000,5,process,60,10,"a,b"\nt,15000000000,5,process,40,40,c\n' \
	>"$TMP/run/cpu.csv"
printf 'time,mono_ns,event,status,signal,process_end,cmd\nt,%d,fork,,,,a\nt,%d,fork,,,,b\nt,%d,exit,3,0,1,b\nt,%d,exit,0,0,1,a\n' \
	10000000000 10000000001 15000000000 20000000000 >"$TMP/run/processes.csv"
printf 'time,mono_ns,dt_s,expiries,idle_expiries\nt,20000000000,10,100,50\n' >"$TMP/run/timers.csv"
printf 'time,mono_ns,file_kb,anon_kb\nt,10000000000,1024,2048\nt,20000000000,1024,4096\n' >"$TMP/run/memory.csv"
picture() { run gnuplot -c "$recipes/run-picture.gnuplot" "$TMP/run" "$1"; } # PICTURE
picture "$TMP/run.png"
is "$status $out$err $(png_size "$TMP/run.png")" '0  1000 960' 'run-picture.gnuplot: five panels'
# A panel is 700 x 160 pixels.  Power: half of 20 and half of 40 of 45 W; kernel: 50 of 160 % in the first half; living: 2 and
# then 1 of 2.5.
decode "$TMP/run.png"
num "$(pixels 230 159 0)" -gt 65000 'the power'
num "$(pixels 230 159 0)" -lt 85000 'to scale'
num "$(pixels 213 94 0)" -gt 15000 'the CPU time in the kernel, a sum of rows'
num "$(pixels 213 94 0)" -lt 20000 'to scale'
num "$(pixels 0 158 115)" -gt 55000 'the living processes'
num "$(pixels 0 158 115)" -lt 75000 'to scale'
num "$(pixels 0 114 178)" -gt 35000 'the timers of idle CPUs, half of all'
picture "$TMP/run.svg"
ok 'run-picture.gnuplot: SVG' is_svg "$TMP/run.svg"
rm "$TMP/run/power.csv" "$TMP/run/memory.csv"
sed -i 2,9d "$TMP/run/timers.csv"
picture "$TMP/run.png"
is "$status $out$err $(png_size "$TMP/run.png")" '0  1000 420' 'panels without rows are left out'
rm "$TMP/run/"*
picture "$TMP/run.png"
like "$status $err" '^1 .*no rows in ' 'without rows: an error'

if [ -x "$BUILD/bin/cpustat" ] && [ -x "$BUILD/bin/pagemon" ]; then
	run env INTERVAL=0.1s "$recipes/run-picture" "$TMP/live.png" bash "$TMP/busy.sh"
	like "$status $(png_size "$TMP/live.png")" '^7 1000 (420|600|780|960)$' 'run-picture: a run, with the status of the command'
else
	skip 'run-picture: needs cpustat and pagemon, which are not built here'
fi
run "$recipes/run-picture" "$TMP/live.png"
is "$status $err" '2 Usage: run-picture PICTURE COMMAND [ARG]...' 'run-picture: usage'
ok 'run-picture is executable' test -x "$recipes/run-picture"
done_testing
