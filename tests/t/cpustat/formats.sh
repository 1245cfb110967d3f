#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# cpustat's formats: the table of the original, CSV, JSON lines, Prometheus; and what -a -n -t -T
# -g -D -G -m -o -S -x do to them.  A task that got no CPU in an interval has no row, so the tables are
# compared with the JSON records of the same run; follow.sh says that a task that ran has one.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
# NUMBER NUMBER NAME: the figures of two formats are equal but for their decimals.
same() { ok "$3: $1" awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit a == "" || b == "" || d * d > 0.0004 }'; }
# A load with a name of its own: other tests may run cpuload at the same time.
me=cl$$
program=$TMP/$me
cp "$HELPERS/cpuload" "$program"
HELPERS=$TMP
load "$me" duty 20 10 5
HELPERS=$BUILD/helpers
p=$(printf '%s,' "${tasks[@]}") p=${p%,}

# The table: columns as scripts know them, the pid as wide as pid_max.
width=$(($(cat /proc/sys/kernel/pid_max) - 1))
width=$((${#width} < 5 ? 5 : ${#width}))
head="  %CPU   %USR   %SYS $(printf "%${width}s" PID) S  CPU    Time"
pids() { awk '$4 ~ /^[0-9]+$/ { print $4 }' "$TMP/rows" | paste -sd,; }  # in the order of the table
json_rows() { jqs "map(select(.type == \"task\")) | $1" "$TMP/json"; } # JQ-PROGRAM
# OPTION...: the table, and the JSON records of the same run
watch_both() {
	watch -p "$p" --json="$TMP/json" "$@"
	n=$(json_rows length)
}
table() {
	watch_both 0.4 2
	is "$(head -n 1 "$TMP/rows")" "$head Task" 'the heading'
	num "$n" -ge 1 'there are rows'
	is "$(pids)" "$(json_rows 'map(.pid) | join(",")' | tr -d '"')" 'a row for each task, in the same order'
	is "$(json_rows "map(.pid) - [$p]")" '[]' '-p: of these tasks only'
	ok 'the busiest first' awk -v rows="$n" '$1 == "%CPU" { last = 1e9; next } NF { n++; if ($1 > last) exit 1; last = $1 } END { exit n != rows }' "$TMP/rows"
	ok '%USR + %SYS = %CPU, Time in seconds' awk -v rows="$n" '/[0-9]s / { d = $1 - $2 - $3; n++
	if (d * d > 0.0005 || $7 !~ /^[0-9]+\.[0-9][0-9]s$/ || $5 !~ /^[RS]$/) exit 1 } END { exit n != rows }' "$TMP/rows"
	same "$(awk -v p="${tasks[0]}" '$4 == p { print $1 }' "$TMP/rows" | tail -n 1)" \
		"$(jqs "$(of_pid "${tasks[0]}")[-1].cpu_pct" "$TMP/json")" 'awk $4 == PID finds its %CPU'
	watch -p "$p" -N 0.2 2
	is "$(grep -cvE '^ *[0-9]' "$TMP/rows")" 0 '-N: nothing but rows'
	watch -p "$p" -S 0.1 1
	like "$(head -n 1 "$TMP/rows")" 'Task  \([0-2][0-9]:[0-5][0-9]:[0-6][0-9]\)$' '-S: the time in the heading'
	watch_both -T -n 2 0.4 1
	is "$(grep -cE '^ *[0-9].* [0-9]+ [RS] ' "$TMP/rows")" "$n" '-n 2: the rows of both formats'
	like "$n $(jqs "map(select(.type == \"sample\"))[0].tasks_pct - (map(select(.type == \"task\").cpu_pct) | add) > 0.01" "$TMP/json")" \
		'^(2 true|[12] false)$' '-n 2: two rows, or all'
	like "$(grep Total "$TMP/rows")" '^ *[0-9]+\.[0-9][0-9] +[0-9.]+ +[0-9.]+ +Total$' '-T: a line with the total'
	same "$(awk '/Total/ { print $1 }' "$TMP/rows")" "$(jqs 'map(select(.type == "sample"))[0].tasks_pct' "$TMP/json")" '-T: the total of all'
	if [ "$n" = 2 ]; then
		same "$(awk '/Shown/ { print $1 }' "$TMP/rows")" \
			"$(jqs '(map(select(.type == "task").cpu_ns) | add) / (map(select(.type == "sample"))[0].dt_s * 1e7)' "$TMP/json")" '-n: and of those shown'
	else
		skip "the machine is busy: $n of three tasks ran"
	fi
}

filters() {
	local limit
	# On a busy machine the load may get less than it asks for; tasks_pct is that of all tasks.
	for limit in 4 7; do
		watch -p "$p" -t "$limit%" -j 0.3 1
		is "$(jqs "map(select(.type == \"task\").cpu_pct) as \$shown | map(select(.type == \"sample\"))[0].tasks_pct - (\$shown | add // 0) |
			[(\$shown | map(. >= $limit) | all), . <= $limit * (3 - (\$shown | length)) + 0.01]")" '[true,true]' "-t $limit%: those above, and none else"
	done
	watch_both -t 1 0.3 1
	is "$(jqs "map(select(.type == \"sample\"))[0].tasks_pct - ([map(select(.type == \"task\").cpu_pct) | add // 0] | add) < 1 * (3 - $n) + 0.01" "$TMP/json")" \
		true '-t 1: one tick per second'
	is "$(grep -cE '^ *[0-9]' "$TMP/rows")" "$n" '-t 1: in both formats'
	watch -p "$p" -t 15 0.3 2
	is "$(awk '/^ *[0-9]/ && $1 < 15' "$TMP/rows")" '' '-t 15: ticks per second'
	watch_both -a 0.3 1
	same "$(awk 'NR == 2 { print $1 }' "$TMP/rows")" \
		"$(jqs "map(select(.type == \"task\"))[0] | .cpu_ns / .dt_s / 1e7 / $(nproc)" "$TMP/json")" '-a: of all CPUs'
	watch_both -o pid 0.3 1
	is "$(pids)" "$(json_rows 'map(.pid) | sort | join(",")' | tr -d '"')" '-o pid'
	watch_both -o wait 0.3 2
	is "$(head -n 1 "$TMP/rows")" "$head  %WAIT Task" '-o wait: with what it sorts by'
	ok 'the one that waited longest first' awk -v rows="$n" '$1 == "%CPU" { last = 1e9; next }
	NF { n++; if ($8 == "-") last = 1e9; else { if ($8 > last) exit 1; last = $8 } } END { exit n != rows || n < 1 }' "$TMP/rows"
	watch -x -p "$p" 0.2 1
	like "$(head -n 2 "$TMP/rows")" '^Load Avg [0-9.]+ [0-9.]+ [0-9.]+,( Freq Avg\. [0-9.]+ [A-Z]Hz,)? [0-9]+ CPUs? online.*'$'\n''[0-9.]+ Ctxt/s, [0-9.]+ IRQ/s, [0-9.]+ softIRQ/s, [0-9.]+ new tasks/s, [0-9]+ running, [0-9]+ blocked$' '-x: two lines, whole'
	watch -x -q 0.1 2
	is "$(cat "$TMP/rows")" '' '-q silences -x as well'
	watch -p "$p" --timestamp=epoch -N 0.2 2
	is "$(grep -cvE '^[0-9]{10}(\.[0-9]+)? ' "$TMP/rows")" 0 '--timestamp: on every row'
}

name() { awk -v p="${tasks[0]}" '$4 == p { sub(/^.*[0-9][smhdwy] /, ""); print; exit }' "$TMP/rows"; }
names() { # WANT OPTION...
	watch -w -p "${tasks[0]}" "${@:2}" 0.2 1
	is "$(name)" "$1" "the name, options '${*:2}'"
}
all_names() {
	local full
	full=$(tr '\0' ' ' <"/proc/${tasks[0]}/cmdline")
	full=${full% }
	names "$program"
	names "$me" -c
	names "$full" -l
	names "$program" -s
	names "$me" -d
	names "$me${full#"$program"}" -l -d
}

groups() {
	local all="[$p,$load]"
	watch -C "${me%?}[${me: -1}]" -G comm -j 0.5 2
	is "$(jqs "map(select(.type == \"task\") | [.kind, .comm, (.tasks | . >= 1 and . <= 4)]) | unique")" "[[\"group\",\"$me\",true]]" '-G comm: one row of three and their parent'
	watch -p "$p" -G comm -j 0.2 2
	same "$(jqs 'map(select(.type == "task").cpu_pct)[1]')" "$(jqs 'map(select(.type == "sample").tasks_pct)[1]')" 'that is their sum'
	watch -C "$me" -G user -j 0.2 1
	is "$(jqs 'map(select(.type == "task") | .comm)')" "[\"$(id -un)\"]" '-G user'
	watch -u "$(id -un)" -C "$me" -j 0.3 1
	is "$(jqs "map(select(.type == \"task\").pid) | [length >= 1, . - $all]")" '[true,[]]' '-u: our own'
	watch --comm='no-such-*' -j 0.1 1
	is "$(jqs 'map(select(.type == "task")) | length')" 0 '--comm=GLOB that nothing matches'
	# Sub-samples.
	watch -p "$p" -m 5 -j 0.5 2
	is "$(samples)" 2 '-m 5: two samples'
	is "$(jqs 'map(select(.type == "task") | .min_pct <= .cpu_pct + 0.01 and .max_pct >= .cpu_pct - 0.01 and .max_pct > 0) | [any, all]')" '[true,true]' 'the mean is between minimum and maximum'
}

# The totals of the run are the sum of its samples.
totals() {
	local span
	watch -p "$p" -g -j 0.2 4
	is "$(jqs 'def of(t): map(select(.type == t)) | group_by(.pid) | map([.[0].pid, (map(.cpu_ns) | add)]); of("task") == of("total")')" true '-g: the sum of all samples, to the ns'
	is "$(jqs '(map(select(.type == "task").pid) | unique | length) as $n | map(select(.type == "grand_total"))[0] | [.samples, .shown == $n]')" '[4,true]' '-g: how many'
	watch_both -g -n 1 0.2 3
	span=$(jqs 'map(select(.type == "grand_total"))[0].span_s' "$TMP/json")
	like "$(cat "$TMP/rows")" "Grand Total \\(from 3 samples, $(printf %.1f "$span") seconds\\):" '-g: its title'
	is "$(sed -n '/^Grand/,$p' "$TMP/rows" | grep -cE '^ *[0-9]+\.')" "$(jqs 'map(select(.type == "grand_total"))[0].shown' "$TMP/json")" '-g: all tasks, also with -n'
	num "$(sed -n '/^Grand/,$p' "$TMP/rows" | grep -cE '^ *[0-9]+\.')" -ge 2 '-g: more than one'
	watch_both -D 0.2 5
	like "$(cat "$TMP/rows")" 'Distribution of CPU utilisation \(per Task\):'$'\n''% CPU Utilisation   Count   \(%\)'$'\n' '-D: the title'
	is "$(awk '/per Task/ { on = 1 } /per CPU/ { on = 0 } on && $2 == "-" { n += $4; pct += $5; k++ } END { print n, int(pct + 0.5), (k <= 20) }' "$TMP/rows")" "$n 100 1" '-D: every row of every sample, in at most 20 bins'
	ok '-D: by CPU, at most 100 %' awk '/per CPU/ { on = 1 } on && $1 ~ /^[0-9]+$/ { n++; if ($2 + $3 > 100.5) exit 1 } END { exit n < 1 }' "$TMP/rows"
}

machine_formats() {
	local fields
	watch -j -g -D -x -T 0.2 3
	is "$(jq -c . "$TMP/rows" | wc -l)" "$(wc -l <"$TMP/rows")" 'JSON: every line is a value'
	is "$(jqs '[.[0].type, .[0].tool, .[0].schema, .[-1].type]')" '["header","cpustat",1,"summary"]' 'JSON: header and summary'
	is "$(jqs 'map(select(.type == "task").mono_ns) == (map(select(.type == "task").mono_ns) | sort)')" true 'JSON: in order of time'
	watch_both --csv 0.2 3
	fields=$(head -n 1 "$TMP/rows" | tr , '\n' | wc -l)
	is "$(wc -l <"$TMP/rows")" "$((n + 1))" 'CSV: a line for each row'
	is "$(awk -F, -v n="$fields" 'NF != n' "$TMP/rows")" '' 'CSV: as many fields everywhere'
	watch_both --csv="$TMP/csv" 0.2 3
	like "$(head -n 1 "$TMP/rows")" '%CPU' '--csv=FILE and --json=FILE: the table as ever'
	is "$(awk -F, -v c="$(head -n 1 "$TMP/csv" | tr , '\n' | grep -nx cpu_ns | cut -d: -f1)" 'NR > 1 { print $c }' "$TMP/csv" | sort | paste -sd,)" \
		"$(jq -r 'select(.type == "task").cpu_ns' "$TMP/json" | sort | paste -sd,)" 'the same figures in both'
	# Ourselves.
	watch -j -i 0.2 3
	is "$(jqs "map(select(.type == \"task\" and .comm == \"cpustat\" and .kind == \"process\" and .ppid == $BASHPID)) | length")" 0 '-i: not ourselves'
	is "$(jqs 'map(select(.type == "sample").self_pct > 0) | any')" true 'but the cost of cpustat is reported'
}

# -r: the percentage of each interval (the original divides by the whole run).
report() {
	watch -q -p "${tasks[0]}" -r "$TMP/wide" --json="$TMP/json" -S 0.3 4
	expect_exit 0 '-r'
	like "$(sed -n 1p "$TMP/wide")" "^Task:,,\"?$me \(${tasks[0]}\)\"?$" '-r: the task'
	like "$(sed -n 2p "$TMP/wide")" '^Ticks:,,[0-9]+' '-r: its ticks'
	# JSON has four decimals, so a figure that is rounded again can be off by one in the second.
	jq -s 'map(select(.type == "task")) as $t | .[] | select(.type == "sample").mono_ns as $at |
		$t | map(select(.mono_ns == $at).cpu_pct)[0] // 0' "$TMP/json" >"$TMP/percent"
	is "$(awk -F, 'NR > 2 { print $3 + 0 }' "$TMP/wide" | paste -d ' ' - "$TMP/percent" |
		awk '{ d = $1 - $2; n += NF == 2 && d < 0.0051 && d > -0.0051; any += $1 > 0 } END { print n " of " NR, (any > 0) }')" '4 of 4 1' \
		'-r: the percentages of the four samples'
	is "$(awk -F, 'NR > 2 { printf "%.3f ", $1 }' "$TMP/wide")" "$(jq -r 'select(.type == "sample").mono_ns' "$TMP/json" |
		awk '{ first = first ? first : $1; printf "%.3f ", ($1 - first) / 1e9 }')" '-r: seconds since the first'
	is "$(find "$TMP" -name 'wide*' | wc -l)" 1 '-r: no other file stays'
}

prometheus() {
	prom=$TMP/dir/cpustat.prom
	mkdir -m 777 "$TMP/dir"
	watch -j -p "$p" --prom="$prom" 0.2 4
	expect_exit 0 '--prom'
	is "$err" '' 'no message'
	value() { awk -v m="sysmon_cpustat_$1" 'substr($0, 1, length(m) + 1) == m " " { print $NF }' "$prom"; }
	is "$(value samples_total)" 4 'samples'
	near "$(value "comm_cpu_seconds_total{comm=\"$me\"}" | awk '{ printf "%d", $1 * 1e6 }')" "$(jqs 'map(select(.type == "task").cpu_ns) | add / 1000 | floor')" 1 'the seconds of a program, us'
	is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
	/^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+$/ { next } { print }' "$prom")" '' 'every line has the form'
	is "$(ls -A "$TMP/dir")" cpustat.prom 'no temporary file stays'
	if have_cmd promtool; then
		ok 'promtool' bash -c 'promtool check metrics <"$0"' "$prom"
	else
		skip 'needs promtool, which is not installed'
	fi
}
at_once table filters all_names groups totals machine_formats report prometheus
end_load
done_testing
