#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# quiet
# timeout: 180
# eventstat's report (-r): the original's wide CSV, with the rates of each interval, whole and well-formed in every case.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_timers
wide=$TMP/wide

# FILE: its fields, separated by tabs; fails if the quotes are not paired.
fields() {
	awk '{
		line = $0 ","; out = ""; n = 0
		while (line != "") {
			if (match(line, /^"([^"]|"")*",/)) { f = substr(line, 2, RLENGTH - 3); gsub(/""/, "\"", f) }
			else if (match(line, /^[^",]*,/)) f = substr(line, 1, RLENGTH - 1)
			else { print "bad line " NR > "/dev/stderr"; exit 1 }
			line = substr(line, RLENGTH + 1); out = out (n++ ? "\t" : "") f
		}
		print out }' "$1"
}
equal_fields() { is "$(fields "$1" | awk -F'\t' '{ print NF }' | sort -u | wc -l)" 1 "$2: the same number of fields in each row"; } # FILE NAME
# NAME FILE: the values of the rows of samples in the column of a task's hrtimer_wakeup
values() {
	fields "$2" | awk -F'\t' -v want="$1" 'NR == 1 { for (i = 3; i <= NF; i++) name[i] = $i; next }
		NR == 2 { for (i = 3; i <= NF; i++) if (name[i] == want && $i == "hrtimer_wakeup") c = i; next }
		NR > 3 && $1 != "" && c { print $c }'
}
names() { fields "$1" | sed -n 1p | tr '\t' '\n' | sed 1,2d; } # FILE

# The load of the specification: 1000 naps a second, with and without -q, in each sample within 2 %.
naps 1000 c1k
full=$HELPERS/naps
thousand() { # OPTION...
	watch "$@" -r "$wide" -s -d -p "$p" 0.5 6
	values naps "$wide" | awk '{ n++; if ($1 < 980 || $1 > 1020) bad++; s = s " " $1 } END { print s; exit n != 6 || bad }' >"$TMP/figures"
}
for option in -q ''; do
	# shellcheck disable=SC2086
	undisturbed 5 thousand $option
	is $? 0 "1000 naps a second, options '$option': each of six samples within 2 %:$(cat "$TMP/figures")"
	equal_fields "$wide" "'$option'"
done
end_naps

# The layout.
naps 50 plain 'with,comma' '=1+1'
watch -q -l -r "$wide" -p "$p" --csv="$TMP/csv" 0.4 3
expect_exit 0 '-r'
is "$err" '' 'no message'
equal_fields "$wide" -r
is "$(fields "$wide" | cut -f 1,2 | sed 's/[0-9:]*\t[0-9.]*$/x/' | head -n 3)" 'Time:	Task:
	Callback:
	Total:' 'the first three rows'
is "$(wc -l <"$wide")" 6 'and one for each sample'
like "$(sed -n 4p "$wide")" '^[0-9]{2}:[0-9]{2}:[0-9]{2},0\.000000,' 'a sample: time of day, seconds since the first'
is "$(fields "$wide" | awk -F'\t' 'NR == 3 { for (i = 4; i <= NF; i++) if ($i > $(i - 1)) exit 1; print (NF >= 5) }')" 1 'the greatest total first'
is "$(fields "$wide" | awk -F'\t' 'NR == 3 { for (i = 3; i <= NF; i++) n += $i; print n }')" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "starts") c = i; next } { n += $c } END { print n }' "$TMP/csv")" \
	'the totals are the events of all rows'
is "$(names "$wide" | sort -u)" "$full 50 plain with,comma =1+1" '-l: the command, with its comma'
watch -q -r "$wide" -p "$p" -g comm 0.3 1
is "$(names "$wide" | sort | paste -sd' ')" "'=1+1 plain with,comma" '-g comm: groups; a name that a spreadsheet takes for a formula'
equal_fields "$wide" '-g comm'

# Statistics against those of another program, from the rows of --csv.  A second of no events is a sample, too.
# FILE DECIMALS: minimum, maximum, mean, deviation of starts, then of rates by time, of the task that the file has
expected() {
	awk -F, -v counts="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n++; dt[n] = $at["dt_s"]; x[n] = counts ? $at["starts"] : $at["starts"] / dt[n]; w = counts ? 1 : dt[n]; sw += w; sx += w * x[n] }
		END { mean = sx / sw
			for (i = 1; i <= n; i++) { w = counts ? 1 : dt[i]; v += w * (x[i] - mean) ^ 2
				if (i == 1 || x[i] < min) min = x[i]; if (i == 1 || x[i] > max) max = x[i] }
			printf "%.4f %.4f %.4f %.4f\n", min, max, mean, sqrt(v / sw) }' "$1"
}
# FILE: those of the report
reported() {
	fields "$1" | awk -F'\t' '$1 == "" && $2 ~ /^(Min|Max|Average|Std)/ { printf "%s%.4f", s, $3; s = " " } END { print "" }'
}
one=(-q -s -d -p "${tasks[0]}" --func=hrtimer_wakeup)
watch "${one[@]}" -S -r "$wide" --csv="$TMP/csv" 0.5 5
is "$(reported "$wide")" "$(expected "$TMP/csv" 0)" '-S: rates'
is "$(fields "$wide" | cut -f 2 | tail -n 4 | paste -sd' ')" 'Min: Max: Average: Std.Dev.:' '-S: four rows'
equal_fields "$wide" -S
watch "${one[@]}" -S -C -r "$wide" --csv="$TMP/csv" 0.5 5
is "$(reported "$wide")" "$(expected "$TMP/csv" 1)" '-C -S: counts'
is "$(values naps "$wide" | awk '{ printf "%d ", $1 }')" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%d ", $at["starts"] }' "$TMP/csv")" '-C: those of the samples'
watch "${one[@]}" -n 1 -t 100000 -r "$wide" 0.3 2
is "$(values naps "$wide" | wc -l)" 2 '-n and -t hide nothing in the report'
end_naps

# Tasks that come and go have 0 in the other samples, and a name each though they live for a millisecond.
naps -k 20 'kid, "q"'
kids() {
	watch -q -S -r "$wide" --comm='kid*' --json="$TMP/json" 0.4 3
	fields "$wide" | awk -F'\t' 'NR == 2 { for (i = 3; i <= NF; i++) n += $i == "hrtimer_wakeup" } END { exit n < 18 || n > 26 }'
}
undisturbed 5 kids
is $? 0 "short-lived children: a column for each of $(names "$wide" | wc -l)"
is "$(names "$wide" | sort -u)" 'kid, "q"' 'with their names'
equal_fields "$wide" 'children'
is "$(fields "$wide" | awk -F'\t' 'NR > 3 && $1 != "" { for (i = 3; i <= NF; i++) { if ($i == "") empty++; else n += $i > 0 } } END { print empty + 0 }')" 0 'no empty value'
is "$(fields "$wide" | awk -F'\t' 'NR == 3 { for (i = 3; i <= NF; i++) n += $i } END { print n }')" \
	"$(jqs 'map(select(.type == "timers").starts) | add' "$TMP/json")" 'and no event is lost'
is "$(fields "$wide" | awk -F'\t' '$2 == "Min:" { for (i = 3; i <= NF; i++) bad += $i != 0 } END { print bad + 0 }')" 0 'their minimum is that of the samples without them'
end_naps

# Interrupted runs write the report; an old one stays whole until then.
naps 100 steady
for signal in INT TERM HUP; do
	echo old >"$wide"
	start -S -s -d -p "$p" -r "$wide" 0.4
	wait_for has_line "$TMP/rows" '"sample":2,'
	is "$(cat "$wide")" old "$signal: the old file stays during the run"
	finish "$signal" 2>/dev/null
	is "$status" 0 "$signal: exit status 0"
	equal_fields "$wide" "$signal"
	is "$(values naps "$wide" | wc -l)" "$(jqs 'map(select(.type == "sample")) | length')" "$signal: a row for each sample, also for the rest"
	is "$(fields "$wide" | awk -F'\t' 'NR == 3 { for (i = 3; i <= NF; i++) n += $i } END { print n }')" \
		"$(jqs 'map(select(.type == "timers").starts) | add')" "$signal: all events"
done
is "$(find "$TMP" -name 'wide*' -o -name '.sysmon*' | wc -l)" 1 'no other file stays'
# The rest of an interval is shorter than half of it: it has a row, but is no extreme.
bg "$HELPERS/naps" 200 burst >"$TMP/burst"
start -S -s -d -p "$p" --func=hrtimer_wakeup -r "$wide" 4
wait_for has_line "$TMP/rows" '"sample":1,'
finish
is "$(fields "$wide" | awk -F'\t' '$1 != "" && NR > 3 { n++; if (n == 1) first = $3 } $2 == "Min:" { min = $3 } $2 == "Max:" { max = $3 }
	END { print n, min == first, max == first }')" '2 1 1' 'a rest shorter than half an interval is no extreme'
echo old >"$wide"
start -q -p "$p" -r "$wide" 5
kill -KILL "$tool"
{ reap "$tool"; } 2>/dev/null
is "$(cat "$wide")" old 'SIGKILL: the old file is whole'
is "$(find "$TMP" -name 'wide*' -o -name '.sysmon*' | wc -l)" 1 'and nothing else stays'
end_naps
done_testing
