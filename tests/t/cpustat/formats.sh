#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# timeout: 120
# cpustat's formats: the table of the original, CSV, JSON lines, Prometheus; and what -a -n -t -T
# -g -D -G -m -o -S -x do to them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
# NUMBER NUMBER NAME: the figures of two formats are equal but for their decimals.
same() { ok "$3: $1" awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit a == "" || b == "" || d * d > 0.0004 }'; }
load cpuload duty 40 20 10
p=$(printf '%s,' "${tasks[@]}") p=${p%,}

# The table: columns as scripts know them, the pid as wide as pid_max.
width=$(($(cat /proc/sys/kernel/pid_max) - 1))
width=$((${#width} < 5 ? 5 : ${#width}))
head="  %CPU   %USR   %SYS $(printf "%${width}s" PID) S  CPU    Time"
watch -p "$p" --json="$TMP/json" 0.5 2
is "$(head -n 1 "$TMP/rows")" "$head Task" 'the heading'
is "$(sed -n 5p "$TMP/rows")" '' 'an empty line between samples'
is "$(grep -c '%CPU' "$TMP/rows")" 2 'a heading for each'
is "$(awk '$4 ~ /^[0-9]+$/ { print $4 }' "$TMP/rows" | head -n 3 | sort | paste -sd,)" "$(tr , '\n' <<<"$p" | sort | paste -sd,)" 'a row for each task'
ok 'the busiest first' awk '$1 == "%CPU" { last = 1e9; next } NF { n++; if ($1 > last) exit 1; last = $1 } END { exit n != 6 }' "$TMP/rows"
ok '%USR + %SYS = %CPU, Time in seconds' awk '/[0-9]s / { d = $1 - $2 - $3; n++
	if (d * d > 0.0005 || $7 !~ /^[0-9]+\.[0-9][0-9]s$/ || $5 !~ /^[RS]$/) exit 1 } END { exit n != 6 }' "$TMP/rows"
same "$(awk -v p="${tasks[0]}" '$4 == p { print $1 }' "$TMP/rows" | tail -n 1)" \
	"$(jqs "$(of_pid "${tasks[0]}")[-1].cpu_pct" "$TMP/json")" 'awk $4 == PID finds its %CPU'
watch -p "$p" -N 0.2 2
is "$(grep -cvE '^ *[0-9]' "$TMP/rows")" 0 '-N: nothing but rows'
watch -p "$p" -S 0.2 1
like "$(head -n 1 "$TMP/rows")" 'Task  \([0-2][0-9]:[0-5][0-9]:[0-6][0-9]\)$' '-S: the time in the heading'
watch -p "$p" -T -n 2 --json="$TMP/json" 0.5 1
is "$(grep -cE '^ *[0-9].* [0-9]+ [RS] ' "$TMP/rows")" 2 '-n 2: two rows'
like "$(grep Total "$TMP/rows")" '^ *[0-9]+\.[0-9][0-9] +[0-9.]+ +[0-9.]+ +Total$' '-T: a line with the total'
same "$(awk '/Total/ { print $1 }' "$TMP/rows")" "$(jqs 'map(select(.type == "sample"))[0].tasks_pct' "$TMP/json")" '-T: the total of all'
same "$(awk '/Shown/ { print $1 }' "$TMP/rows")" \
	"$(jqs '(map(select(.type == "task").cpu_ns) | add) / (map(select(.type == "sample"))[0].dt_s * 1e7)' "$TMP/json")" '-n: and of those shown'
# On a busy machine the load may get less than it asks for; tasks_pct is that of all tasks.
watch -p "$p" -t 14% -j 0.5 1
is "$(jqs 'map(select(.type == "task").cpu_pct) as $shown | map(select(.type == "sample"))[0].tasks_pct - ($shown | add // 0) |
	[($shown | map(. >= 14) | all), . <= 14 * (3 - ($shown | length))]')" '[true,true]' '-t 14%: those above, and none else'
watch -p "$p" -t 1 0.5 1
is "$(grep -cE '^ *[0-9]' "$TMP/rows")" 3 '-t 1: one tick per second'
watch -p "$p" -t 30 0.5 2
is "$(awk '/^ *[0-9]/ && $1 < 30' "$TMP/rows")" '' '-t 30: ticks per second'
watch -p "$p" -a --json="$TMP/json" 0.5 1
same "$(awk 'NR == 2 { print $1 }' "$TMP/rows")" \
	"$(jqs "map(select(.type == \"task\"))[0] | .cpu_ns / .dt_s / 1e7 / $(nproc)" "$TMP/json")" '-a: of all CPUs'
watch -p "$p" -o pid 0.3 1
is "$(awk 'NR > 1 && NF { print $4 }' "$TMP/rows" | paste -sd,)" "$(tr , '\n' <<<"$p" | sort -n | paste -sd,)" '-o pid'
watch -p "$p" -o wait 0.3 2
is "$(head -n 1 "$TMP/rows")" "$head  %WAIT Task" '-o wait: with what it sorts by'
ok 'the one that waited longest first' awk '$8 == "-" || $1 == "%CPU" { last = 1e9; next }
	NF { n++; if ($8 > last) exit 1; last = $8 } END { exit n < 3 }' "$TMP/rows"
watch -x -p "$p" 0.3 1
like "$(head -n 2 "$TMP/rows")" '^Load Avg [0-9.]+ [0-9.]+ [0-9.]+,( Freq Avg\. [0-9.]+ [A-Z]Hz,)? [0-9]+ CPUs? online.*'$'\n''[0-9.]+ Ctxt/s, [0-9.]+ IRQ/s, [0-9.]+ softIRQ/s, [0-9.]+ new tasks/s, [0-9]+ running, [0-9]+ blocked$' '-x: two lines, whole'
watch -x -q 0.2 2
is "$(cat "$TMP/rows")" '' '-q silences -x as well'
watch -p "$p" --timestamp=epoch -N 0.2 2
is "$(grep -cvE '^[0-9]{10}(\.[0-9]+)? ' "$TMP/rows")" 0 '--timestamp: on every row'

# Names.
full=$(tr '\0' ' ' <"/proc/${tasks[0]}/cmdline")
name() { awk -v p="${tasks[0]}" '$4 == p { sub(/^.*[0-9][smhdwy] /, ""); print; exit }' "$TMP/rows"; }
names() { # WANT OPTION...
	watch -w -p "${tasks[0]}" "${@:2}" 0.2 1
	is "$(name)" "$1" "the name, options '${*:2}'"
}
names "$HELPERS/cpuload"
names cpuload -c
names "${full% }" -l
names "$HELPERS/cpuload" -s
names cpuload -d
full=${full% }
names "cpuload${full#"$HELPERS/cpuload"}" -l -d

# Groups, names.
watch -C 'cpuloa[d]' -G comm -j 0.5 2
is "$(jqs 'map(select(.type == "task") | [.kind, .comm, .tasks]) | unique')" '[["group","cpuload",4]]' '-G comm: one row of three and their parent'
watch -p "$p" -G comm -j 0.5 2
same "$(jqs 'map(select(.type == "task").cpu_pct)[1]')" "$(jqs 'map(select(.type == "sample").tasks_pct)[1]')" 'that is their sum'
watch -C cpuload -G user -j 0.3 1
is "$(jqs 'map(select(.type == "task") | .comm)')" "[\"$(id -un)\"]" '-G user'
watch -u "$(id -un)" -C cpuload -j 0.3 1
is "$(jqs 'map(select(.type == "task")) | length')" 4 '-u: our own'
watch --comm='no-such-*' -j 0.2 1
is "$(jqs 'map(select(.type == "task")) | length')" 0 '--comm=GLOB that nothing matches'

# Sub-samples.
watch -p "$p" -m 5 -j 1 2
is "$(samples)" 2 '-m 5: two samples'
is "$(jqs 'map(select(.type == "task") | .min_pct <= .cpu_pct + 0.01 and .max_pct >= .cpu_pct - 0.01 and .max_pct > 0) | [length, all]')" '[6,true]' 'the mean is between minimum and maximum'

# The totals of the run are the sum of its samples.
watch -p "$p" -g -j 0.3 4
is "$(jqs 'def of(t): map(select(.type == t)) | group_by(.pid) | map([.[0].pid, (map(.cpu_ns) | add)]); of("task") == of("total")')" true '-g: the sum of all samples, to the ns'
is "$(jqs 'map(select(.type == "grand_total"))[0] | [.samples, .shown]')" '[4,3]' '-g: how many'
watch -p "$p" -g -n 1 --json="$TMP/json" 0.2 3
span=$(jqs 'map(select(.type == "grand_total"))[0].span_s' "$TMP/json")
like "$(cat "$TMP/rows")" "Grand Total \\(from 3 samples, $(printf %.1f "$span") seconds\\):" '-g: its title'
is "$(sed -n '/^Grand/,$p' "$TMP/rows" | grep -cE '^ *[0-9]+\.')" 3 '-g: all tasks, also with -n'
watch -p "$p" -D 0.2 5
like "$(cat "$TMP/rows")" 'Distribution of CPU utilisation \(per Task\):'$'\n''% CPU Utilisation   Count   \(%\)'$'\n' '-D: the title'
is "$(awk '/per Task/ { on = 1 } /per CPU/ { on = 0 } on && $2 == "-" { n += $4; pct += $5; k++ } END { print n, int(pct + 0.5), (k <= 20) }' "$TMP/rows")" '15 100 1' '-D: every row of every sample, in at most 20 bins'
ok '-D: by CPU, at most 100 %' awk '/per CPU/ { on = 1 } on && $1 ~ /^[0-9]+$/ { n++; if ($2 + $3 > 100.5) exit 1 } END { exit n < 1 }' "$TMP/rows"

# Machine formats.
watch -j -g -D -x -T 0.2 3
is "$(jq -c . "$TMP/rows" | wc -l)" "$(wc -l <"$TMP/rows")" 'JSON: every line is a value'
is "$(jqs '[.[0].type, .[0].tool, .[0].schema, .[-1].type]')" '["header","cpustat",1,"summary"]' 'JSON: header and summary'
is "$(jqs 'map(select(.type == "task") | has("time") and has("mono_ns") and has("dt_s") and has("pid") and has("cpu_ns") and has("comm") or .kind == "unaccounted" or .kind == "softirq" or .kind == "irq") | all')" true 'JSON: the members of a row'
is "$(jqs 'map(select(.type == "task").mono_ns) == (map(select(.type == "task").mono_ns) | sort)')" true 'JSON: in order of time'
is "$(jqs 'map(select(.type == "distribution")) | length')" 1 'JSON: the distribution'
watch --csv -p "$p" 0.2 3
fields=$(head -n 1 "$TMP/rows" | tr , '\n' | wc -l)
like "$(head -n 1 "$TMP/rows")" '^time,mono_ns,dt_s,kind,cpu_pct,' 'CSV: its header'
is "$(wc -l <"$TMP/rows")" 10 'CSV: a line for each row'
is "$(awk -F, -v n="$fields" 'NF != n' "$TMP/rows")" '' 'CSV: as many fields everywhere'
watch --csv="$TMP/csv" --json="$TMP/json" -p "$p" 0.2 3
like "$(head -n 1 "$TMP/rows")" '%CPU' '--csv=FILE and --json=FILE: the table as ever'
is "$(awk -F, -v c="$(head -n 1 "$TMP/csv" | tr , '\n' | grep -nx cpu_ns | cut -d: -f1)" 'NR > 1 { print $c }' "$TMP/csv" | sort | paste -sd,)" \
	"$(jq -r 'select(.type == "task").cpu_ns' "$TMP/json" | sort | paste -sd,)" 'the same figures in both'

# -r: the percentage of each interval (the original divides by the whole run).
watch -q -p "${tasks[0]}" -r "$TMP/wide" --json="$TMP/json" -S 0.5 4
expect_exit 0 '-r'
like "$(sed -n 1p "$TMP/wide")" "^Task:,,\"?cpuload \(${tasks[0]}\)\"?$" '-r: the task'
like "$(sed -n 2p "$TMP/wide")" '^Ticks:,,[0-9]+' '-r: its ticks'
# JSON has four decimals, so a figure that is rounded again can be off by one in the second.
jq 'select(.type == "task") | .cpu_pct' "$TMP/json" >"$TMP/percent"
is "$(awk -F, 'NR > 2 { print $3 }' "$TMP/wide" | paste -d ' ' - "$TMP/percent" |
	awk '{ d = $1 - $2; n += NF == 2 && d < 0.0051 && d > -0.0051 } END { print n " of " NR }')" '4 of 4' \
	'-r: the percentages of the four samples'
is "$(awk -F, 'NR > 2 { printf "%.3f ", $1 }' "$TMP/wide")" "$(jq -r 'select(.type == "sample").mono_ns' "$TMP/json" |
	awk '{ first = first ? first : $1; printf "%.3f ", ($1 - first) / 1e9 }')" '-r: seconds since the first'
is "$(find "$TMP" -name 'wide*' | wc -l)" 1 '-r: no other file stays'

# Prometheus.
prom=$TMP/dir/cpustat.prom
mkdir -m 777 "$TMP/dir"
watch -j -p "$p" --prom="$prom" 0.3 4
expect_exit 0 '--prom'
is "$err" '' 'no message'
value() { awk -v m="sysmon_cpustat_$1" 'substr($0, 1, length(m) + 1) == m " " { print $NF }' "$prom"; }
is "$(value samples_total)" 4 'samples'
near "$(value 'comm_cpu_seconds_total{comm="cpuload"}' | awk '{ printf "%d", $1 * 1e6 }')" "$(jqs 'map(select(.type == "task").cpu_ns) | add / 1000 | floor')" 1 'the seconds of a program, us'
is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
	/^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+$/ { next } { print }' "$prom")" '' 'every line has the form'
is "$(ls -A "$TMP/dir")" cpustat.prom 'no temporary file stays'
if have_cmd promtool; then
	ok 'promtool' bash -c 'promtool check metrics <"$0"' "$prom"
else
	skip 'needs promtool, which is not installed'
fi

# Ourselves.
watch -j -i 0.2 3
is "$(jqs 'map(select(.type == "task" and .comm == "cpustat" and .kind == "process" and .ppid == '$$')) | length')" 0 '-i: not ourselves'
is "$(jqs 'map(select(.type == "sample").self_pct > 0) | any')" true 'but the cost of cpustat is reported'
end_load

# The page's "Short bursts": 50 ms of work each second, seen by samples of 25 ms.
load cpuload -p 1000 duty 5
waited() { awk '{ print $2 }' "/proc/${tasks[0]}/schedstat"; } # ns, for a CPU
before=$(waited)
watch -p "${tasks[0]}" -m 40 -j 1 3
if [ $(($(waited) - before)) -lt 1000000 ]; then
	is "$(jqs 'map(select(.type == "task")) | [any(.max_pct > 95), all(.cpu_pct < 12)]')" '[true,true]' \
		'-m 40: %MAX is that of a burst of 50 ms, the mean is not'
else
	skip '-m 40: the load waited for a CPU'
fi
end_load
done_testing
