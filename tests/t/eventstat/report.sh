#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 9
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
		NR > 4 && $1 != "" && c { print $c }'
}
names() { fields "$1" | sed -n 1p | tr '\t' '\n' | sed 1,2d; } # FILE

# The load's own count: it begins later than the tool and ends earlier.  It can end before its last nap began.  Rates:
# accuracy.sh.
launch naps "$EVENTSTAT" -j -r "$TMP/naps.wide" -s -d --comm="c$$" 0.3
wait_for test -s "$TMP/naps.rows"
naps 1000 "c$$"
full=$HELPERS/naps
wait_for has_line "$TMP/naps.rows" '"sample":4,'
end_naps
kill -INT "${run_pid[naps]}"
take naps
counted=$(fields "$TMP/naps.wide" | awk -F'\t' 'NR == 2 { for (i = 3; i <= NF; i++) if ($i == "hrtimer_wakeup") c = i } NR == 4 { print $c }')
truth=$(sed -n "s/^${tasks[0]} //p" "$TMP/naps")
ok "the total of a task: $counted naps of $truth" test "$counted" = "$truth" -o "$counted" = $((truth - 1))
equal_fields "$TMP/naps.wide" 'naps'

# The layout.
naps 50 plain 'with,comma' '=1+1'
one=(-q -s -d -p "${tasks[0]}" --func=hrtimer_wakeup)
launch layout "$EVENTSTAT" -q -l -r "$wide" -p "$p" --csv="$TMP/csv" 0.3 3
launch groups "$EVENTSTAT" -q -r "$TMP/groups.wide" -p "$p" -g comm 0.3 1
launch rates "$EVENTSTAT" "${one[@]}" -S -r "$TMP/rates.wide" --csv="$TMP/rates.csv" 0.3 5
launch counts "$EVENTSTAT" "${one[@]}" -S -C -r "$TMP/counts.wide" --csv="$TMP/counts.csv" 0.3 5
launch limits "$EVENTSTAT" "${one[@]}" -n 1 -t 100000 -r "$TMP/limits.wide" 0.3 2
take layout
is "$status" 0 '-r'
is "$err" '' 'no message'
equal_fields "$wide" -r
is "$(fields "$wide" | cut -f 1,2 | sed 's/[0-9:]*\t[0-9.]*$/x/' | head -n 4)" 'Time:	Task:
	Callback:
	PID:
	Total:' 'the first four rows'
is "$(fields "$wide" | sed -n 3p | tr '\t' '\n' | sed 1,2d | sort -nu | paste -sd' ')" "$(printf '%s\n' "${tasks[@]}" | sort -n | paste -sd' ')" 'the PIDs of the tasks'
is "$(wc -l <"$wide")" 7 'and one for each sample'
like "$(sed -n 5p "$wide")" '^[0-9]{2}:[0-9]{2}:[0-9]{2},0\.000000,' 'a sample: time of day, seconds since the first'
is "$(fields "$wide" | awk -F'\t' 'NR == 4 { for (i = 4; i <= NF; i++) if ($i > $(i - 1)) exit 1; print (NF >= 5) }')" 1 'the greatest total first'
is "$(fields "$wide" | awk -F'\t' 'NR == 4 { for (i = 3; i <= NF; i++) n += $i; print n }')" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "starts") c = i; next } { n += $c } END { print n }' "$TMP/csv")" \
	'the totals are the events of all rows'
is "$(names "$wide" | sort -u)" "$full 50 plain with,comma =1+1" '-l: the command, with its comma'
take groups
wide=$TMP/groups.wide
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
# FIGURES FIGURES NAME: equal but for the last digit, which one of them has rounded twice.
same_figures() {
	ok "$3: $1" awk -v a="$1" -v b="$2" 'BEGIN { n = split(a, x, " "); bad = n != 4 || split(b, y, " ") != 4
		for (i in x) { d = x[i] - y[i]; bad += d * d > 1.2e-8 } exit bad > 0 }'
}
take rates
wide=$TMP/rates.wide
same_figures "$(reported "$wide")" "$(expected "$TMP/rates.csv" 0)" '-S: rates'
is "$(fields "$wide" | cut -f 2 | tail -n 4 | paste -sd' ')" 'Min: Max: Average: Std.Dev.:' '-S: four rows'
equal_fields "$wide" -S
take counts
wide=$TMP/counts.wide
same_figures "$(reported "$wide")" "$(expected "$TMP/counts.csv" 1)" '-C -S: counts'
is "$(values naps "$wide" | awk '{ printf "%d ", $1 }')" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%d ", $at["starts"] }' "$TMP/counts.csv")" '-C: those of the samples'
take limits
is "$(values naps "$TMP/limits.wide" | wc -l)" 2 '-n and -t hide nothing in the report'
end_naps

# Tasks that come and go share a column with their name though they live for a millisecond.
wide=$TMP/kids.wide
kid="k$$, \"q\"" # no other script has children of this name
launch kids "$EVENTSTAT" -j --summary -S -r "$wide" --comm="$kid" 0.3
wait_for test -s "$TMP/kids.rows"
naps -k 20 "$kid"
wait_for has_line "$TMP/kids.rows" '"sample":4,'
end_naps
kids_exited() { ! grep -qxF -- "$kid" /proc/[0-9]*/comm 2>/dev/null; } # the report looks for them at its end
wait_for kids_exited
kill -INT "${run_pid[kids]}"
take kids
kids=$(sed -n 's/^kids //p' "$TMP/naps")
ok "short-lived children: $kids" test "$kids" -gt 5
is "$(fields "$wide" | awk -F'\t' 'NR == 2 { for (i = 3; i <= NF; i++) if ($i == "hrtimer_wakeup") n++ } END { print n }')" 1 'one column for all of them'
is "$(fields "$wide" | awk -F'\t' 'NR == 2 { for (i = 3; i <= NF; i++) if ($i == "hrtimer_wakeup") c = i } NR == 3 { print $c }')" exited 'its PID'
is "$(names "$wide" | sort -u)" "$kid" 'with their names'
equal_fields "$wide" 'children'
is "$(fields "$wide" | awk -F'\t' 'NR > 4 && $1 != "" { for (i = 3; i <= NF; i++) { if ($i == "") empty++; else n += $i > 0 } } END { print empty + 0 }')" 0 'no empty value'
is "$(fields "$wide" | awk -F'\t' 'NR == 4 { for (i = 3; i <= NF; i++) n += $i } END { print n }')" \
	"$(jqs 'map(select(.type == "total").starts) | add')" 'and no event is lost'

# Interrupted runs write the report; an old one stays whole until then.
naps 100 steady
mkdir "$TMP/ends"
launch rest "$EVENTSTAT" -j -S -s -d -p "$p" --func=hrtimer_wakeup -r "$TMP/rest.wide" 2
for signal in INT TERM HUP; do
	echo old >"$TMP/ends/$signal"
	launch "$signal" "$EVENTSTAT" -j --summary -S -s -d -p "$p" -r "$TMP/ends/$signal" 0.3
done
echo old >"$TMP/ends/KILL"
launch KILL "$EVENTSTAT" -j -p "$p" -r "$TMP/ends/KILL" 0.3
# The rest of an interval is shorter than half of it: it has a row, but is no extreme.
wait_for has_line "$TMP/rest.rows" '"sample":1,'
kill -INT "${run_pid[rest]}"
take rest
lengths=$(jqs 'map(select(.type == "sample").dt_s)')
if [ "$(jq '.[1] < .[0] / 2' <<<"$lengths")" = true ]; then
	is "$(fields "$TMP/rest.wide" | awk -F'\t' '$1 != "" && NR > 4 { n++; if (n == 1) first = $3 } $2 == "Min:" { min = $3 } $2 == "Max:" { max = $3 }
		END { print n, min == first, max == first }')" '2 1 1' 'a rest shorter than half an interval is no extreme'
else
	skip "the rest of an interval is not shorter than half of it: $lengths"
fi
for signal in INT TERM HUP KILL; do
	wait_for has_line "$TMP/$signal.rows" '"sample":2,'
	is "$(cat "$TMP/ends/$signal")" old "$signal: the old file stays during the run"
	kill "-$signal" "${run_pid[$signal]}"
	{ take "$signal"; } 2>/dev/null
	[ "$signal" != KILL ] || break
	wide=$TMP/ends/$signal
	is "$status" 0 "$signal: exit status 0"
	equal_fields "$wide" "$signal"
	is "$(values naps "$wide" | wc -l)" "$(jqs 'map(select(.type == "summary"))[0].samples')" "$signal: a row for each sample, also for the rest"
	is "$(fields "$wide" | awk -F'\t' 'NR == 4 { for (i = 3; i <= NF; i++) n += $i } END { print n }')" \
		"$(jqs 'map(select(.type == "total").starts) | add')" "$signal: all events"
done
is "$(cat "$TMP/ends/KILL")" old 'SIGKILL: the old file is whole'
is "$(ls -A "$TMP/ends" | paste -sd ' ')" 'HUP INT KILL TERM' 'and nothing else stays'
end_naps
done_testing
