#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# heavy
# seconds: 9
# needs: root
# The formats of power-calibrate: one run in all of them, which have the same figures; the keys of the YAML;
# a pipe, in which each line is there at once and none twice.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"

# --- a pipe ---
mkfifo "$TMP/pipe"
exec {both}<>"$TMP/pipe"
bg "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/pipe.log" -- "$PC" -R -n 0 -s 3 -r 1 --settle=0 0.2 >"$TMP/pipe" 2>"$TMP/pipe.msg"
piped=$bg_pid
exec {pipe}<"$TMP/pipe" {both}>&-
lines=()
while IFS= read -r -u "$pipe" line; do
	lines+=("$line")
	[[ $line != *%\ x\ * ]] || { kill -0 "$piped" 2>/dev/null && early=$((${early:-0} + 1)); }
done
exec {pipe}<&-
reap "$piped"
like "$status" '^[01]$' 'a run into a pipe'
is "${early:-0}" 3 'the row of each test is read while the run goes on'
is "$(printf '%s\n' "${lines[@]:0:4}" | sed 's, ([0-9.]*),,' | awk '{ print NF }' | tr '\n' ' ')" '12 13 13 13 ' 'a heading, then a row for each test'
is "$(printf '%s\n' "${lines[@]}" | grep -c 'CPU load  User')" 1 'the heading once'
is "$(printf '%s\n' "${lines[@]}" | grep '%\|:$' | sort | uniq -d)" '' 'no line twice'
is "$(printf '%s\n' "${lines[@]}" | grep -c 'power-calibrate\| left\|'$'\r')" 0 'nothing but data'

# --- one run in all formats ---
settings=$(lab_spec calibrate-clock <<'END'
/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor text powersave
/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference text "balance\e_power"
/sys/devices/system/cpu/intel_pstate/no_turbo text 1
END
)
# The result is certain if the load got the CPU: a busy machine has more than one chance.
for _ in 1 2 3 4; do
	rm -f "$TMP"/watts.*
	simulate all "$settings" "${short[@]}" -e --summary --json="$TMP/watts.json" --csv="$TMP/watts.csv" \
		--prom="$TMP/watts.prom" -o "$TMP/watts.yaml" --gnuplot="$TMP/watts"
	take all
	[ "$status" = 1 ] || break
done
csv() { awk -F, -v key="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i; next } { print $c }' "$TMP/watts.csv"; }
json() { jq -r "select(.type == \"$1\") | $2" "$TMP/watts.json"; } # TYPE EXPRESSION
prom() { sed -n "s/^sysmon_power_calibrate_$1 //p" "$TMP/watts.prom"; }
yaml() { awk -v want="$1:" '$1 ~ /^[a-z-]+:$/ && NF == 1 { part = $1 } part $1 == want { $1 = ""; print substr($0, 2); exit }' "$TMP/watts.yaml"; } # PART:KEY
near() { # NAME WANT FIGURE [DIFFERENCE]: equal but for decimals
	ok "$1: $2" awk -v a="$2" -v b="$3" -v e="${4:-1e-6}" 'BEGIN { d = a - b; if (d < 0) d = -d; s = a < 0 ? -a : a
		exit a == "" || b == "" || d > e * (s > 1e-300 ? s : 1) }'
}

# Rows: the table, CSV, JSON.
for key in level_pct cpus readings own_cpus ops_per_s watts; do
	is "$(csv "$key" | awk '{ printf "%.6f\n", $1 }')" "$(json test ".$key" | awk '{ printf "%.6f\n", $1 }')" "CSV and JSON: $key"
done
is "$(head -n 1 "$TMP/watts.csv" | tr , '\n' | sort | tr '\n' ' ')" \
	"$(json test 'keys[]' | sort -u | grep -vx type | tr '\n' ' ')" 'CSV and JSON: the same keys'
is "$(awk '$2 == "x" { print $NF }' "$TMP/rows")" "$(json test .watts | awk '{ printf "%.3f\n", $1 }')" 'the table and JSON: watts'
is "$(awk '$2 == "x" { print $1 }' "$TMP/rows" | tr -d %)" "$(json test .level_pct | awk '{ printf "%.4g\n", $1 }')" 'the level'
is "$(awk '$2 == "x" { print $3 }' "$TMP/rows")" "$(json test .cpus)" 'the number of CPUs'
is "$(json test .readings | awk '{ n += $1 } END { print n }')" "$(json reading .t_s | wc -l)" 'a record for each reading'
is "$(prom tests_total) $(prom readings_total) $(prom lost_rows_total)" "2 $(json reading .t_s | wc -l) 0" 'Prometheus: tests and readings'
# The settings of the machine and of the run
want='{"governor":"powersave","epp":"balance\\x1b_power","turbo":"off"}'
for type in header result; do
	is "$(json $type '.machine | {governor, epp, turbo} | tojson')" "$want" "JSON, $type: settings of the machine"
	is "$(json $type '.options | "\(.levels) \(.interval_s) \(.per_count) \(.source) \(.cpus)"')" '2 0.1 true rapl 0' "JSON, $type: options"
	like "$(json $type .source)" '^RAPL: pkg-0' "JSON, $type: the power source"
done
is "$(prom 'settings{.*governor="powersave",epp="balance\\\\x1b_power",turbo="off"}')" 1 'Prometheus: settings'
is "$(json summary '"\(.rows) rows, \(.lost_rows) lost"')" "$(tail -n 1 "$TMP/rows")" '--summary: the text and JSON'

if [ "$status" = 1 ]; then
	skip "no certain result: $(messages | tail -n 1)" 30
	done_testing
fi
is "$status $(messages)" '0 ' 'exit status 0, no message'

# The result: text, JSON, YAML, Prometheus.
slope=$(json result .load.w_per_cpu.value) base=$(json result .load.base_w.value) cpus=$(json result .online_cpus)
near 'text: a busy CPU' "$(awk '/^  1 busy CPU/ { print $4; exit }' "$TMP/rows")" "$slope" 1e-3
near 'text: its interval' "$(awk '/^  1 busy CPU/ { gsub(/[(]/, ""); print $8; exit }' "$TMP/rows")" "$(json result .load.w_per_cpu.low)" 1e-3
near 'text: the idle machine' "$(awk '/^  Idle machine/ { print $3; exit }' "$TMP/rows")" "$base" 1e-3
near 'text: a percent of the machine' "$(sed -n 's/.*% CPU load [*] \([0-9.e+-]*\).*/\1/p' "$TMP/rows" | head -n 1)" \
	"$(jq -n "$slope * $cpus / 100")"
near 'text: R^2' "$(sed -n 's/.*R^2 = \([0-9.]*\) .*/\1/p' "$TMP/rows" | head -n 1)" "$(json result .load.r2)" 1e-5
near 'YAML: a busy CPU' "$(yaml cpu-load:one-busy-cpu-watts)" "$slope"
near 'YAML: a percent of the machine' "$(yaml cpu-load:one-percent-cpu-load-watts)" "$(jq -n "$slope * $cpus / 100")"
near 'YAML: its interval' "$(yaml cpu-load:ci95 | tr -d '[],' | cut -d ' ' -f 2)" "$(jq -n "$(json result .load.w_per_cpu.high) * $cpus / 100")"
near 'YAML: the intercept' "$(yaml cpu-load:intercept)" "$base"
near 'YAML: R^2' "$(yaml cpu-load:r-squared)" "$(json result .load.r2)"
is "$(yaml cpu-load:samples) $(yaml cpu-load:rejected)" "$(json result '"\(.load.used) \(.load.rejected)"')" 'YAML: readings'
near 'YAML: an operation' "$(yaml bogo-op:one-bogo-op-watts-seconds)" "$(json result '.energy.op.nj.value * 1e-9')" 1e-5
near 'YAML: an instruction' "$(yaml cpu-instruction:on-cpu-instruction-watt-seconds)" "$(json result '.energy.instruction.nj.value * 1e-9')" 1e-5
near 'Prometheus: a busy CPU' "$(prom 'busy_cpu_watts{bound="value"}')" "$slope"
near 'Prometheus: its interval' "$(prom 'busy_cpu_watts{bound="high"}')" "$(json result .load.w_per_cpu.high)"
near 'Prometheus: the idle machine' "$(prom 'idle_watts{bound="low"}')" "$(json result .load.base_w.low)"
near 'Prometheus: an operation' "$(prom 'op_joules{bound="value"}')" "$(json result '.energy.op.nj.value * 1e-9')" 1e-5

# The parts of the original's YAML that every machine has; cycles need a counter.
is "$(printf '%s\n' 'power-calibrate:' '  cpu-load:' '  bogo-op:' '  cpu-instruction:' '  test-run:' '  cpu-counts:' |
	grep -vxFf "$TMP/watts.yaml")" '' 'YAML: the parts' || diag "$(cat "$TMP/watts.yaml")"
like "$(yaml test-run:date)" '^"?20[0-9]{2}-[01][0-9]-[0-3][0-9]"?' 'YAML: an ISO date'
is "$(yaml test-run:sysname) $(yaml test-run:nodename) $(yaml test-run:release) $(yaml test-run:machine)" \
	"\"$(uname -s)\" \"$(uname -n)\" \"$(uname -r)\" \"$(uname -m)\"" 'YAML: the machine'
if have_cmd python3 && python3 -c 'import yaml' 2>/dev/null; then
	ok 'YAML: a parser takes it' python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))["power-calibrate"]["cpu-load"]["intercept"] + 0.0' "$TMP/watts.yaml"
else
	skip 'needs python3 and its yaml module'
fi
is "$(yaml options:levels) $(yaml options:per-count) $(yaml machine:governor) $(yaml machine:turbo)" '2 true "powersave" "off"' 'YAML: settings'
# gnuplot's files
is "$(grep -cxE '# (complete: true|source: RAPL: pkg-0.*|governor: powersave|turbo: off|levels: 2|per_count: true)' "$TMP/watts.dat")" 6 \
	'gnuplot: settings'
is "$(grep -vc '^#\|^$' "$TMP/watts.dat" | awk -v n="$(json reading .t_s | wc -l)" '{ print ($1 >= n) }')" 1 'gnuplot: the readings are in the data'
if have_cmd gnuplot; then
	run gnuplot -e "set terminal dumb" "$TMP/watts.gp"
	is "$status $err" '0 ' 'gnuplot: the script draws them'
else
	skip 'needs gnuplot, which is not installed'
fi
is "$(cd "$TMP" && echo watts.*)" 'watts.csv watts.dat watts.gp watts.json watts.prom watts.yaml' 'no temporary file remains'
done_testing
