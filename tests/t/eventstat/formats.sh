#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 12
# eventstat's formats: the table of the original, CSV, JSON lines, Prometheus; and what its options do to them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq script
need_timers
# NUMBER NUMBER NAME: the figures of two formats are equal but for their decimals.
same() { ok "$3: $1" awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit a == "" || b == "" || d * d > 0.0001 }'; }
timers='map(select(.type == "timers"))' sample='map(select(.type == "sample"))'
naps 100 nap-one 'nap two' nap-three

# The runs of the first three parts, all at once.
own="map(select((.argv // []) | index(\"--prom=$TMP/own\")))"
launch table "$EVENTSTAT" -p "$p" --json="$TMP/table.json" 0.5 2
launch all "$EVENTSTAT" -j --csv="$TMP/csv" --prom="$TMP/prom" 0.3 3
launch rate "$EVENTSTAT" -p "$p" -t 50.5 --json="$TMP/rate.json" 0.5 2
launch none "$EVENTSTAT" -p "$p" -t 1000000 --json="$TMP/none.json" --csv="$TMP/none.csv" 0.3 2
launch decimals "$EVENTSTAT" -p "$p" -t 99.9 -j 0.5 1
launch two "$EVENTSTAT" -p "$p" -n 2 --json="$TMP/two.json" 0.4 1
launch quiet "$EVENTSTAT" -q 0.2 2
launch quiet-json "$EVENTSTAT" -q -j -p "$p" 0.4 2
launch bare "$EVENTSTAT" -N -p "$p" 0.2 2
launch kernel "$EVENTSTAT" -k -j 0.5 2
launch users "$EVENTSTAT" -u -j -l 0.4 2
launch names "$EVENTSTAT" --comm='nap[- ]*' -j 0.4 1
launch func "$EVENTSTAT" -j --func='hrtimer_wake*' 0.3 1
launch wheel "$EVENTSTAT" -e timer -j 0.5 2
launch hr "$EVENTSTAT" -e hrtimer -j --tick 0.5 2
launch plain "$EVENTSTAT" -j 0.3 1
launch alike "$EVENTSTAT" --json="$TMP/alike.json" 0.5 1
launch own "$EVENTSTAT" -j --prom="$TMP/own" 0.3 3
launch uid "$EVENTSTAT" --uid=65534 -j 0.3 1

# The table: columns as scripts know them, the total last.
take table
cp "$TMP/table.json" "$TMP/json"
is "$status" 0 'the table'
is "$err" '' 'no message'
is "$(head -n 1 "$TMP/rows")" ' Event/s   PID  %CPU  PR  NI Task                 Callback' 'the heading'
is "$(grep -c 'Event/s' "$TMP/rows")" 2 'a heading for each sample'
is "$(grep -c '^$' "$TMP/rows")" 2 'an empty line after each'
is "$(awk '$NF == "hrtimer_wakeup" { print $2 }' "$TMP/rows" | head -n 3 | sort -n | paste -sd,)" \
	"$(tr , '\n' <<<"$p" | sort -n | paste -sd,)" 'a row for each task'
ok 'the most frequent first' awk '/Event\/s/ { last = 1e9; next } NF && !/Total/ { n++; if ($1 > last) exit 1; last = $1 } END { exit n < 6 }' "$TMP/rows"
# The two formats have the same figures, and these are what they say.
is "$(awk '$NF == "hrtimer_wakeup" { print $1, $2 }' "$TMP/rows" | sort)" \
	"$(jq -r 'select(.type == "timers" and .func == "hrtimer_wakeup") | [.starts, .dt_s, .tid] | @tsv' "$TMP/json" |
		awk '{ printf "%.2f %d\n", $1 / $2, $3 }' | sort)" 'the rates of the table are those of JSON'
is "$(jqs "$timers | map(.starts / .dt_s - .starts_per_s | fabs < 0.001) | [length > 5, all]" "$TMP/json")" '[true,true]' 'a rate is the count by the time'
is "$(jqs "($timers | map([.mono_ns, .dt_s]) | unique) == ($sample | map([.mono_ns, .dt_s]) | unique)" "$TMP/json")" true 'and the time that of the sample'
is "$(jqs "$sample | .[1].mono_ns - .[0].mono_ns - .[1].dt_s * 1e9 | fabs < 2" "$TMP/json")" true 'which is from the end of one to that of the next'
total=$(grep -n Total "$TMP/rows" | sed -n '1s/:.*//p')
like "$(sed -n "${total}p" "$TMP/rows")" '^[0-9]+ Total events, [0-9]+\.[0-9]{2} events/sec \(kernel: [0-9]+\.[0-9]{2}, userspace: [0-9]+\.[0-9]{2}\)$' 'the line with the total'
same "$(sed -n 's/.* events, \([0-9.]*\) .*/\1/p' "$TMP/rows" | head -n 1)" "$(jqs "$sample | .[0] | .starts / .dt_s" "$TMP/json")" 'its rate'
is "$(awk '/Total/ { gsub(/[(,):]/, ""); for (i = 1; i <= NF; i++) { if ($i == "kernel") k = $(i + 1); if ($i == "userspace") u = $(i + 1) }
	d = $4 - k - u; n++; if (d * d > 0.001) bad++ } END { print n, bad + 0 }' "$TMP/rows")" '2 0' 'kernel and userspace are its parts'

# All rows of an unfiltered sample are the total, and CSV has the same rows as JSON.
take all
is "$(jqs "($timers | group_by(.mono_ns) | map([(map(.starts) | add), (map(.expiries) | add), (map(.idle_expiries) | add)])) ==
	($sample | map([.starts, .expiries, .idle_expiries]))")" true 'the sums of the rows are the totals'
is "$(jqs "($timers | map(select(.kthread).starts) | add) == ($sample | map(.kernel_starts) | add)")" true 'and those of kernel threads'
is "$(jqs "$timers | map(.expiries >= .idle_expiries and .starts + .expiries > 0) | all")" true 'every row has an event, and no more idle ones than expiries'
is "$(jqs '.[-1] | [.type, .samples]')" '["summary",3]' 'the last record'
is "$(jqs "(.[-1] | [.starts, .expiries, .idle_expiries, .rows]) == [($sample | map(.starts) | add), ($sample | map(.expiries) | add),
	($sample | map(.idle_expiries) | add), ($timers | length)]")" true 'has the sums of all'
is "$(head -n 1 "$TMP/csv" | tr , '\n' | sort)" "$({ jqs "$timers | map(keys[]) | unique[]" | tr -d '"' | grep -vx 'type\|argv\|argv_b64\|comm_b64'; printf '%s\n' command cgroup rows; } | sort -u |
	comm -12 - <(head -n 1 "$TMP/csv" | tr , '\n' | sort))" 'CSV: the keys of JSON'
column() { head -n 1 "$TMP/csv" | tr , '\n' | grep -nx "$1" | cut -d: -f1; }
is "$(awk -F, -v s="$(column starts)" -v e="$(column expiries)" 'NR > 1 && $8 == "'"${tasks[0]}"'" { print $s, $e }' "$TMP/csv")" \
	"$(jq -r "select(.type == \"timers\" and .tid == ${tasks[0]}) | \"\(.starts) \(.expiries)\"" "$TMP/rows")" 'CSV: the figures of a task'
is "$(($(wc -l <"$TMP/csv") - 1))" "$(jqs "$timers | length")" 'CSV: a line for each row'

# Prometheus counts the same.
value() { awk -v m="sysmon_eventstat_$1" 'substr($0, 1, length(m) + 1) == m " " { print $NF }' "$TMP/prom"; }
is "$(value samples_total) $(value starts_total) $(value expiries_total) $(value idle_expiries_total) $(value tick_expiries_total)" \
	"$(jqs "$sample | \"\\(length) \\(map(.starts) | add) \\(map(.expiries) | add) \\(map(.idle_expiries) | add) \\(map(.tick_expiries) | add)\"" | tr -d '"')" \
	'--prom: the totals'
is "$(value 'comm_starts_total{comm="nap two"}')" "$(jqs "$timers | map(select(.comm == \"nap two\").starts) | add")" '--prom: those of a program'
is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
	/^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+$/ { next } { print }' "$TMP/prom")" '' '--prom: every line has the form'

# Filters and limits hide rows, and leave the total as it is.
take rate
is "$(awk '/^ *[0-9.]+ +[0-9]+ / && $1 < 50.5' "$TMP/rows")" '' '-t 50.5: none below'
is "$(jqs "($timers | map(.starts_per_s >= 50.5) | all)" "$TMP/rate.json")" true 'nor in JSON'
take alike
awk '/^ *[0-9]+[.][0-9]+ +([0-9]+|-) / { rate = $1; $1 = ""; print rate, $0 }' "$TMP/rows" >"$TMP/rates"
is "$(sed 's/^[^ ]* //' "$TMP/rates" | sort | uniq -d)" '' 'no two rows of the table look alike'
ok 'and they have all events' awk -v want="$(jqs "$timers | map(.starts_per_s) | add" "$TMP/alike.json")" \
	'{ sum += $1 } END { d = sum - want; exit d * d > NR * NR * 4e-5 }' "$TMP/rates"
take none
is "$(grep -cv 'Event/s\|Total\|^$' "$TMP/rows")" 0 '-t 1000000: no rows'
is "$(jqs "$sample | map(.starts > 0)" "$TMP/none.json")" '[true,true]' 'and the total has them'
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s %.9f %s\n", $at["mono_ns"], $at["dt_s"], $at["starts"] $at["expiries"] $at["idle_expiries"] $at["tid"] $at["kind"] $at["func"] }' "$TMP/none.csv")" \
	"$(jq -r 'select(.type == "sample") | "\(.mono_ns) \(.dt_s)"' "$TMP/none.json" | awk '{ printf "%s %.9f 000\n", $1, $2 }')" 'CSV: one row with zeros for each sample'
take decimals
rate=$(jqs "$timers | map(.starts_per_s) | min // 99.9")
ok "-t with decimals: $rate" awk -v r="$rate" 'BEGIN { exit r < 99.9 }'
take two
is "$(awk '/hrtimer_wakeup/' "$TMP/rows" | wc -l)" 2 '-n 2: two rows'
is "$(jqs "$sample | .[0] | [.matched >= 3, .shown]" "$TMP/two.json")" '[true,2]' 'of more'
take quiet
is "$status $(cat "$TMP/rows")" '0 ' '-q: nothing'
take quiet-json
is "$(jqs "$timers | length > 5")" true '-q -j: JSON has its rows'
take bare
is "$(grep -c 'Event/s\|^$' "$TMP/rows")" 0 '-N: no headings, no empty lines'
take kernel
is "$(jqs "$timers | map(.kthread) | unique - [true]")" '[]' '-k: kernel threads'
is "$(jqs "($timers | map(.starts) | add // 0) == ($sample | map(.kernel_starts) | add)")" true 'all of them'
take users
is "$(jqs "$timers | map(.kthread) | unique")" '[false]' '-u: no kernel threads'
take names
is "$(jqs "$timers | map(.comm) | unique")" '["nap two","nap-one","nap-three"]' '--comm'
take func
is "$(jqs "$timers | map(.func) | unique")" '["hrtimer_wakeup"]' '--func'
take wheel
is "$(jqs "$timers | map(.kind) | unique - [\"wheel\", \"deferrable\"]")" '[]' '-e timer'
take hr
is "$(jqs "$timers | map(.kind) | unique")" '["hrtimer"]' '-e hrtimer'
is "$(jqs "($timers | map(select(.func | startswith(\"tick_\"))) | length > 0) == ($sample | map(.tick_expiries) | add > 0)")" true '--tick: rows of the tick'
take plain
is "$(jqs "$timers | map(select(.func | startswith(\"tick_\"))) | length")" 0 'and none without'
# Known by its arguments: others run beside it.
take own
is "$(jqs "$timers | $own | length")" 0 "none of the tool's own"
watch -j --prom="$TMP/own" --self 0.3 3
is "$(jqs "$timers | $own | length > 0")" true '--self: these, too'
is "$(jqs "($timers | $own | map(.starts) | add) <= ($sample | map(.self_starts) | add)")" true 'which are no more than what is counted of it'
take uid
is "$(jqs "$timers | map(.uid) | unique - [65534]")" '[]' '--uid'

# Brief, cumulative, extended, times.
launch brief "$EVENTSTAT" -b -p "$p" 0.3 1
launch sums "$EVENTSTAT" -c -p "${tasks[0]}" --json="$TMP/sums.json" 0.3 3
launch wakes "$EVENTSTAT" -x -p "$p" --json="$TMP/wakes.json" 0.3 1
launch stamps "$EVENTSTAT" -w -p "$p" 0.3 2
launch epoch "$EVENTSTAT" -p "$p" --timestamp=epoch -N 0.2 2
for key in process comm function; do
	launch "group-$key" "$EVENTSTAT" -p "$p" -g "$key" --summary -j 0.3 2
done
launch functions "$EVENTSTAT" -p "$p" -g function -j 0.4 1
launch processes "$EVENTSTAT" -p "$p" -g process -j 0.4 1
launch comms "$EVENTSTAT" -p "${tasks[0]}" -g comm -x 0.3 1
launch summary "$EVENTSTAT" -p "$p" --summary -n 1 --json="$TMP/summary.json" 0.4 2
launch by-name "$EVENTSTAT" -p "$p" -o name -j 0.3 1
launch by-pid "$EVENTSTAT" -p "$p" -o pid -j 0.3 1
take brief
is "$(head -n 1 "$TMP/rows")" ' Event/s   PID Task' '-b: three columns'
is "$(awk '$2 == "'"${tasks[1]}"'" { print $3, $4, NF }' "$TMP/rows" | head -n 1)" 'nap two 4' '-b: the name'
take sums
is "$(head -n 1 "$TMP/rows" | awk '{ print $1 }')" Events '-c: the heading'
is "$(awk '/hrtimer_wakeup/ { printf "%d ", $1 }' "$TMP/rows")" \
	"$(jq -r 'select(.type == "timers" and .func == "hrtimer_wakeup").starts' "$TMP/sums.json" | awk '{ printf "%d ", n += $1 }')" '-c: sums since the start'
take wakes
is "$(head -n 1 "$TMP/rows")" ' Event/s   PID  %CPU  PR  NI   Wake/s   Idle/s T Task                 Callback' '-x: the heading'
is "$(awk '$2 == "'"${tasks[0]}"'" && /hrtimer_wakeup/ { print $6, $7, $8 }' "$TMP/rows")" \
	"$(jq -r "select(.type == \"timers\" and .tid == ${tasks[0]} and .func == \"hrtimer_wakeup\") | [.expiries, .idle_expiries, .dt_s] | @tsv" "$TMP/wakes.json" |
		awk '{ printf "%.2f %.2f H\n", $1 / $3, $2 / $3 }')" '-x: expiries, idle ones, kind'
same "$(sed -n 's/.*tick: \([0-9.]*\)\/sec$/\1/p' "$TMP/rows")" "$(jqs "$sample | .[0] | .tick_expiries / .dt_s" "$TMP/wakes.json")" '-x: the tick'
take stamps
is "$(grep -cE "^Timestamp: [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} $(date +%Y), Total Run Duration: [0-9]+\.[0-9] secs$" "$TMP/rows")" 2 '-w: a line for each sample'
ok '-w: after the total' awk '/^Timestamp/ { if (last !~ /Total events/) exit 1 } { last = $0 }' "$TMP/rows"
take epoch
is "$(grep -v Total "$TMP/rows" | grep -cvE '^[0-9]{10}\.[0-9]{3} ')" 0 '--timestamp: on every row'

# Groups are sums of the rows.
for key in process comm function; do
	take "group-$key"
	is "$(jqs "($timers | map(.starts) | add) == (map(select(.type == \"total\").starts) | add)")" true "-g $key: the totals of the run are the sums of the samples"
done
take functions
is "$(jqs "$timers | map(select(.func == \"hrtimer_wakeup\"))[0] | [.rows, has(\"tid\"), has(\"comm\")]")" '[3,false,false]' '-g function: one row of three tasks'
take processes
is "$(jqs "$timers | map(.tid) | sort")" "$(printf '%s\n' "${tasks[@]}" | sort -n | paste -sd, | sed 's/.*/[&]/')" '-g process: by pid'
take comms
like "$(cat "$TMP/rows")" 'Rows.*nap-one' '-g comm: with the number of rows'
take summary
seconds=$(jqs "$sample | map(.dt_s) | add" "$TMP/summary.json")
is "$(sed -n "/^Total (from 2 samples, $(printf %.1f "$seconds") seconds):\$/,\$p" "$TMP/rows" | grep -c hrtimer_wakeup)" 3 '--summary: all rows, also with -n'
take by-name
is "$(jqs "$timers | map(.comm) | . == sort")" true '-o name'
take by-pid
is "$(jqs "$timers | map(.tid) | . == sort")" true '-o pid'

# Names, as in the original.
full="$HELPERS/naps 100 nap-one nap two nap-three"
names=(-b '-b -d' '-b -l' '-b -l -d' '-b -s' '-b -s -d')
wants=(nap-one nap-one "$full" "naps${full#"$HELPERS/naps"}" "$HELPERS/naps" naps)
for i in "${!names[@]}"; do
	# shellcheck disable=SC2086
	launch "name-$i" "$EVENTSTAT" -p "${tasks[0]}" ${names[i]} 0.3 1
done
for i in "${!names[@]}"; do
	take "name-$i"
	is "$(awk '$2 == "'"${tasks[0]}"'" { sub(/^ *[0-9.]+ +[0-9]+ /, ""); print; exit }' "$TMP/rows")" "${wants[i]}" "the name, options '${names[i]}'"
done

# Widths: no line is cut in two, and none wider than the terminal.
shapes=('' -x -i -b '-x -i -g process')
wide() { # COLUMNS OPTIONS: in the background, into $TMP/COLUMNS OPTIONS.plain
	bg script -qec "stty cols $1 rows 20; exec '$EVENTSTAT' -l -d -p $p $2 0.3 1" /dev/null >"$TMP/$1$2.plain" 2>&1
	run_pid[$1$2]=$bg_pid
}
shown() { # COLUMNS OPTIONS: waits for it; its lines in $TMP/plain
	reap "${run_pid[$1$2]}"
	tr -d '\r' <"$TMP/$1$2.plain" | sed 's/\x1b\[[0-9;]*m//g' >"$TMP/plain"
}
for columns in 40 80 132; do
	for options in "${shapes[@]}"; do wide "$columns" "$options"; done
done
wide 0 ''
for columns in 40 80 132; do
	for options in "${shapes[@]}"; do
		shown "$columns" "$options"
		num "$(wc -L <"$TMP/plain")" -le "$columns" "$columns columns${options:+, $options}: no line is wider"
		num "$(grep -c ' naps[ …]' "$TMP/plain")" -ge 3 "$columns columns${options:+, $options}: a line for each task, with its name"
		# The names have what the other columns leave.
		[ -n "$options" ] || num "$(wc -L <"$TMP/plain")" -ge $((columns < 70 ? columns : 70)) "$columns columns: they are used"
		[ "$columns$options" != 132 ] ||
			like "$(cat "$TMP/plain")" ' naps 100 nap-one nap two nap-three +hrtimer_wakeup' '132 columns: the whole command'
		[ "$columns$options" != 40-b ] || like "$(cat "$TMP/plain")" ' naps 100 nap-one nap two…' '40 columns, -b: up to the edge'
	done
done
shown 0 ''
num "$(grep -c ' naps[ …]' "$TMP/plain")" -ge 3 'a terminal of unknown size: rows all the same'
end_naps
done_testing
