#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 7
# powerstat's formats: JSON, CSV, Prometheus and the table have the same figures; joules; -m; COMMAND.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
chmod 777 "$TMP"

all=$(lab_spec rapl-square <<<"include \"$LAB/trees/thermal.spec\"
include \"$LAB/trees/cpuidle.spec\"")
cp "$all" "$TMP/all.spec"
simulate all "$TMP/all.spec" -R -D -J -a -j --csv="$TMP/all.csv" --prom="$TMP/all.prom" 0.5 6
simulate table rapl-one -R -D -J --csv="$TMP/t.csv" --json="$TMP/t.json" 0.5 5
simulate csv rapl-values -R -D -t --csv 0.5 3
simulate noheader rapl-one -N 0.5 2
simulate norepeat rapl-one -n 0.1 40
# True: 47 W, and 7 W from T = 2 on.
printf '%s\n' 'power pkg steps:45@0,5@2' 'zone intel-rapl:0 package-0 lin @pkg range=262143328850' \
	'zone intel-rapl:0:0 dram lin 2 range=65712999613' >"$TMP/falls.spec"
simulate minmax falls -R -m 0.5 8
simulate minmaxj rapl-square -R -m --json="$TMP/m.json" 0.5 3
simulate file rapl-one -R -o "$TMP/out.txt" 0.5 2
simulate zero rapl-one -R -j 0.2 0
simulate duration rapl-one -R -j --duration=1.1 0.5
simulate first rapl-one -R 5 1
simulate defaults rapl-one -R
simulate some rapl-one -R 2
for style in iso epoch mono delta clock; do simulate "t-$style" rapl-one -R --timestamp=$style 0.5 2; done

# --- JSON, CSV and Prometheus of one run ---
take all 0
is "$(jqs 'map(.type)')" '["header","sample","sample","sample","sample","sample","sample","summary"]' 'header, samples, summary'
is "$(jqs '.[0] | [.tool, .schema, .source, (.zones | map([.label, .counted])), .delay_s, .count]')" \
	'["powerstat",1,"rapl",[["pkg-0",true],["dram",true]],0.5,6]' 'the header'
is "$(awk -F, '{ print NF }' "$TMP/all.csv" | sort -u | wc -l)" 1 'CSV: the same columns in each row'
is "$(wc -l <"$TMP/all.csv")" 7 'and nothing but rows and one header'
csv_columns() { # FILE COLUMN...
	awk -F, -v want="${*:2}" 'NR == 1 { n = split(want, w, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ s = ""; for (i = 1; i <= n; i++) s = s (i > 1 ? "," : "") (w[i] in at ? $(at[w[i]]) + 0 : "?"); print s }' OFMT=%.6f CONVFMT=%.14g "$1"
}
csv_columns "$TMP/all.csv" watts joules pkg_0_w dram_w user_pct idle_pct fork exec exit >"$TMP/b"
jq -rs 'map(select(.type == "sample") | [.watts, .joules, .domains["pkg-0"], .domains.dram, (.cpu.user // .cpu.user_pct), (.cpu.idle // .cpu.idle_pct), .fork, .exec, .exit] | map(. + 0 | tostring) | join(",")) | .[]' "$TMP/rows" >"$TMP/a"
ok 'CSV has the figures of JSON' awk -F, 'NR == FNR { a[FNR] = $0; next } { split(a[FNR], x, ",")
	for (i = 1; i <= NF; i++) { d = x[i] - $i; if (d > 1e-5 || d < -1e-5) { print "# " a[FNR] " " $0; bad = 1 } } n++ } END { exit bad || n != 6 }' "$TMP/a" "$TMP/b"
# 2 J are 43 ms.
if lab_read_within energy_uj 540 1; then
	is "$(of_samples '(.joules - .watts * .dt_s) | . < 2 and . > -2' | jq -c unique)" '[true]' \
		'joules are watts by seconds, but for the moments of the readings'
fi
is "$(jqs '(map(select(.type == "sample") | .joules) | add) as $sum | map(select(.type == "summary"))[0] | (.joules - $sum) | . < 1e-4 and . > -1e-4')" true 'and those of the summary are their sum'
is "$(of_summary '.watts_average / (.joules / .joules_of_s) | . > 0.998 and . < 1.002')" true 'the average is energy by time'
is "$(of_summary '[.samples, .skipped, .lost, .lost_rows, .source_lost]')" '[6,0,0,0,false]' 'nothing was lost'
is "$(of_samples '[.cpu | to_entries[] | select(.key | test("user|nice|sys|idle|io|irq|steal")) | .value] | add | . > 99.9 and . < 100.1' | jq -c unique)" '[true]' 'the parts of CPU time are the whole'

if have_cmd promtool; then
	ok 'promtool takes the file' promtool check metrics <"$TMP/all.prom"
else
	ok 'Prometheus: help, type and lines' awk '/^# HELP / { h[$3] = 1; next } /^# TYPE / { if (!h[$3]) bad = 1; t[$3] = 1; next }
		/^[a-z_]+(\{([a-z]+="([^"\\]|\\.)*",?)*\})? -?[0-9.e+-]+$/ { sub(/[{ ].*/, ""); if (!t[$0]) bad = 1; n++; next } { bad = 1; print "# " $0 } END { exit bad || !n }' "$TMP/all.prom"
fi
prom() { awk -v k="$1" '$1 == k { print $2 }' "$TMP/all.prom"; }
is "$(prom sysmon_powerstat_samples_total)" 6 'samples in the Prometheus file'
ok 'energy in the Prometheus file' awk -v a="$(prom 'sysmon_powerstat_energy_joules_total{kind="measured"}')" -v b="$(of_summary .joules)" 'BEGIN { d = a - b; exit !(d < 0.05 && d > -0.05) }'
is "$(grep -c '^# TYPE .* gauge$' "$TMP/all.prom")" 0 'no power of a run that has ended'

# --- the table beside its files ---
take table 0
csv_columns "$TMP/t.csv" watts joules pkg_0_w core_w uncore_w dram_w >"$TMP/b"
lab_table "$TMP/rows" | sed 's/Watts/watts/; s/Joules/joules/; s/pkg-0/pkg_0_w/; s/,core/,core_w/; s/uncore/uncore_w/; s/dram/dram_w/' >"$TMP/t2.csv"
csv_columns "$TMP/t2.csv" watts joules pkg_0_w core_w uncore_w dram_w >"$TMP/a"
ok 'the table has the figures of its CSV file' awk -F, 'NR == FNR { a[FNR] = $0; next } { split(a[FNR], x, ",")
	for (i = 1; i <= NF; i++) { d = x[i] - $i; if (d > 0.0051 || d < -0.0051) { print "# " a[FNR] " " $0; bad = 1 } } n++ } END { exit bad || n != 5 }' "$TMP/a" "$TMP/b"
is "$(jq -r 'select(.type == "sample") | .watts' "$TMP/t.json" | awk '{ printf "%.2f ", $1 }')" "$(column Watts) " 'and those of its JSON file'
like "$out" "Energy: [0-9.]+ Joules in $(printf '%.1f' "$(jq 'select(.type == "summary") | .joules_of_s' "$TMP/t.json")") seconds" '-J: the energy'
take csv 0
is "$(awk -F, '{ print NF }' "$TMP/rows" | sort -u | wc -l)" 1 'hostile labels are keys in CSV'
is "$(head -n 1 "$TMP/rows" | tr ',' '\n' | grep -vcE '^[a-z0-9_]+$')" 0 'of letters, digits and _'
is "$(head -n 1 "$TMP/rows" | tr ',' '\n' | sort | uniq -d)" '' 'each of them once'
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "pkg_1_w") n = i; next } { print $n }' "$TMP/rows" | sort -u)" '' 'what is not available is empty'

# --- headings, files, times ---
take norepeat 0
is "$(grep -c Watts "$TMP/rows")" 2 'one heading and the summary'
simulate repeat rapl-one -R 0.1 40
take noheader 0
unlike "$out" 'Time|Running' '-N: no heading, no preamble'
take repeat 0
is "$(grep -c '^  Time' "$TMP/rows")" 1 'not repeated where there is no terminal'
take file 0
is "$out" '' '-o: nothing on standard output'
is "$(grep -c '^[0-9][0-9]:' "$TMP/out.txt")" 2 'but in the file'
take t-iso 0
like "$out" $'\n''20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+' '--timestamp=iso'
take t-epoch 0
like "$out" $'\n''1[0-9]{9}(\.[0-9]+)? ' '--timestamp=epoch'
take t-clock 0
like "$out" $'\n''[0-9]{2}:[0-9]{2}:[0-9]{2}' '--timestamp=clock'
for style in mono delta; do take "t-$style" 0; done
take minmax 0
if lab_read_within energy_uj 1400 1; then
	ok '-m: one line with minimum and maximum, which are those of the lines before' awk '
		/^Watts [0-9.]+ now, [0-9.]+ min, [0-9.]+ max, [0-9.]+ mean/ { if (!n++ || $2 < min) min = $2; if ($2 > max) max = $2
			if ($4 != min || $6 != max) bad = 1; if (n == 1) first = $2; last = $2 }
		END { exit bad || n != 8 || first < 45 || first > 49 || last < 6.5 || last > 7.5 }' "$TMP/rows"
fi
is "$(grep -c '^  Time\|Average' "$TMP/rows")" 0 'no table'
take minmaxj 0
is "$(jq -sc 'map(select(.type == "sample")) | length' "$TMP/m.json")" 3 '-m with JSON in a file'

# --- how long ---
rows_of zero 12
kill -INT "${run_pid[zero]}"
take zero 0
num "$(sample_count)" -ge 12 'count 0: until stopped'
is "$(jqs '.[-1].type')" '"summary"' 'with a summary then'
take duration 0
is "$(slots_shown 0.4)" 2 '--duration: the samples that fit'
kill -INT "${run_pid[defaults]}" "${run_pid[some]}"
take defaults 0
like "$out" 'Running for 60\.0 seconds \(60 samples at 1\.0 second intervals\)' 'RAPL: a minute, each second'
take some 0
like "$out" 'Running for 60\.0 seconds \(30 samples at 2\.0 second intervals\)' 'so many as fit into it'
take first 0
is "$(column Watts | wc -w)" 1 'one row'
like "$err" '1 sample is too few for meaningful statistics' 'is few'
done_testing
