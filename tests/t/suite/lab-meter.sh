#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 9
# timeout: 180
# Meters of the lab: powers that follow the load of the real machine, with drift, noise and outliers.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
need_cap sys_admin
lab_need
zone=/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj

# Machines with a load: /proc/stat before and after each reading of the energy; the burner reports its own CPU time.
cat >"$TMP/burn" <<'END'
cpus() { grep '^cpu ' /proc/stat; }
read_all() { cpus; cat "$1"; cpus; }
TIMEFORMAT='burnt %U %S'
read_all "$1"
time for ((i = 0; i < 200000; i++)); do :; done
read_all "$1"
END
lab_launch burn "$(lab_tree calibrate-clean)" bash "$TMP/burn" "$zone"
lab_launch square "$(lab_tree calibrate-curved)" bash "$TMP/burn" "$zone"
lab_launch battery "$(lab_tree calibrate-battery)" bash -c 'sleep 1.3; cat /sys/class/power_supply/BAT0/power_now; cat /sys/class/power_supply/BAT0/energy_now'
lab_launch wrap "$(lab_tree calibrate-wrap)" bash -c 'for ((i = 0; i < 80; i++)); do cat "$0"; sleep 0.1; done' "$zone"
lab_launch outliers "$(lab_tree calibrate-outliers)" bash -c 'for ((i = 0; i < 12; i++)); do cat "$0"; sleep 0.1; done' "$zone"

# Descriptions.
for line in 'meter' 'meter m' 'meter m base' 'meter m base=x' 'meter m base=1x' 'meter m fog=1' 'meter m base=inf' \
	'meter m outlier=60' 'meter m outlier=60:0:0.5' 'meter m outlier=60:40:2' 'meter m outlier=60:40:0.5:1'; do
	printf '%s\n' "$line" >"$TMP/bad.spec"
	"$LAB_BIN/labtree" "$TMP/bad.spec" >/dev/null 2>"$TMP/err"
	[ $? = 2 ] && grep -q ':1: meter: ' "$TMP/err" || fail "refused: $line" "$(cat "$TMP/err")"
done
pass 'bad meters are refused'

# KEYS [SECONDS]: joules of each second of a machine without load
seconds() {
	local t
	printf 'meter m %s\n/x lin @m\n' "$1" >"$TMP/m.spec"
	for ((t = 0; t <= ${2:-200}; t++)); do
		"$LAB_BIN/labtree" -t "$t" "$TMP/m.spec"
	done | awk -F'\t' '$1 == "/x" { sub(/\\n/, "", $2); if (n++) printf "%.6f\n", ($2 - before) / 1e6; before = $2 }'
}
# mean, standard deviation, correlation of neighbours
figures() {
	awk '{ x[NR] = $1; sum += $1 } END { m = sum / NR
		for (i = 1; i <= NR; i++) { d = x[i] - m; v += d * d; if (i > 1) c += d * (x[i - 1] - m) }
		printf "%.3f %.3f %.3f\n", m, sqrt(v / NR), c / v }'
}
# NAME FIGURES MEAN-LOW HIGH SD-LOW HIGH CORRELATION-LOW HIGH
figures_within() {
	local m s c
	read -r m s c <<<"$2"
	ok "$1: mean $m, deviation $s, correlation $c" awk -v m="$m" -v s="$s" -v c="$c" -v a="$3" -v b="$4" -v d="$5" \
		-v e="$6" -v f="$7" -v g="$8" 'BEGIN { exit !(m >= a && m <= b && s >= d && s <= e && c >= f && c <= g) }'
}
is "$(seconds 'base=5 drift=0.05' 4 | xargs)" '5.025000 5.075000 5.125000 5.175000' 'base and drift: the integral'
seconds 'base=5 noise=0.5 seed=1' >"$TMP/white"
figures_within 'noise' "$(figures <"$TMP/white")" 4.9 5.1 0.45 0.55 -0.15 0.15
figures_within 'noise that fades' "$(seconds 'base=5 noise=0.5 fade=3 seed=2' | figures)" 4.6 5.4 0.35 0.6 0.5 0.95
is "$(seconds 'base=5 noise=0.5 seed=1' 20)" "$(head -n 20 "$TMP/white")" 'the same seed: the same noise'
isnt "$(seconds 'base=5 noise=0.5 seed=3' 20)" "$(head -n 20 "$TMP/white")" 'another seed: another'
is "$(seconds 'base=5 outlier=60:40:0.5 seed=3' 400 | awk '{ n[$1]++ } END { print NR, n["5.000000"] + n["35.000000"],
	(n["35.000000"] >= 4 && n["35.000000"] <= 20) }')" '400 400 1' 'outliers: one second in 40 or so, whole, of 60 W for half a second'

# What the meter says of a load, against the clocks of the kernel and of the load itself.
take burn
expect_exit 0 'a load on a simulated machine'
cpus=$(awk -F'\t' '$1 == "load" { print $3 }' "$lab_log")
is "$cpus" "$(grep -c '^cpu[0-9]' /proc/stat)" 'of which all CPUs are counted'
like "$(cat "$lab_log")" $'meter\tpkg\tbase=5\tbusy=10\t' 'the true parameters are in the log'
# Seconds between the two readings, joules, and the busy time that the log says.
read -r dt joules logged <<<"$(awk -F'\t' -v z="$zone" '$3 == z { sub(/\\n/, "", $4); n++
		t[n] = $1; e[n] = $4; b[n] = $5 }
	END { printf "%.9f %.6f %.9f\n", (t[2] - t[1]) / 1e9, (e[2] - e[1]) / 1e6, b[2] - b[1] }' "$lab_log")"
busy=$(awk -v j="$joules" -v dt="$dt" 'BEGIN { printf "%.6f\n", (j - 5 * dt) / 10 }')
ok "the energy is 5 W and 10 W for each busy CPU ($busy s in $dt s)" awk -v a="$busy" -v b="$logged" 'BEGIN { d = a - b; exit d > 1e-6 || d < -1e-6 }'
# Idle time of the kernel between the readings: at least from the line after the first to the line before the
# second, at most from the line before to the line after; 10 ms of rounding each, a tick of each CPU.
ok 'which is the busy time of /proc/stat' awk -v busy="$busy" -v dt="$dt" -v cpus="$cpus" '
	$1 == "cpu" { idle[++n] = ($5 + $6) / 100 }
	END { low = cpus * dt - (idle[4] - idle[1]) - 0.02 - 0.01 * cpus
		high = cpus * dt - (idle[3] - idle[2]) + 0.02 + 0.01 * cpus
		printf "# from %.3f to %.3f s\n", low, high
		exit n != 4 || busy < low || busy > high }' "$TMP/burn.rows"
ok 'and not less than the own CPU time of the load' awk -v busy="$busy" -v cpus="$cpus" '
	$1 == "burnt" { own = $2 + $3 } END { printf "# own %.3f s\n", own; exit own <= 0.1 || busy < own - 0.005 - 0.01 * cpus }' "$TMP/burn.msg"

# The square, from the kept samples.
take square
ok 'the square of the load: 5 W, 10 W by the busy part, 10 W by its square' awk -F'\t' -v z="$zone" '
	$1 == "load" { cpus = $3 } $1 == "start" { start = $2 }
	$3 == z { sub(/\\n/, "", $4); n++
		want = 118237645 + 5e6 * ($1 - start) / 1e9 + 1e7 * $5 / cpus + 1e7 * $6 / cpus / cpus
		if ($4 - want > 2 || want - $4 > 2) bad = 1
		if ($6 > cpus * $5 + 1e-6 || $6 <= 0) bad = 1 }
	END { exit bad || n != 2 }' "$lab_log"

# Gauges: the mean of the last second, between idle and all busy.
take battery
ok 'a battery that follows the load' awk -v cpus="$cpus" 'NR == 1 { bad = $1 < 8e6 || $1 > 8e6 + cpus * 12e6 }
	NR == 2 && ($1 >= 40e6 || $1 < 39.9e6) { bad = 1 } END { exit bad || NR != 2 }' "$TMP/battery.rows"

# The counter wraps, and two zones of one meter are alike.
take wrap
ok 'a counter that wraps' awk '$1 > 26214332 { bad = 1 } NR > 1 && $1 < before { n++ } { before = $1 } END { exit bad || !n }' "$TMP/wrap.rows"

# The judge takes the load from the log.
take outliers
lab_machine=$(lab_tree calibrate-outliers)
awk -F'\t' -v z="$zone" 'BEGIN { print "mono,dt,watts" }
	$3 == z { sub(/\\n/, "", $4)
		if (n++) printf "%d.%09d,%.9f,%.6f\n", $1 / 1e9, $1 % 1e9, ($1 - t) / 1e9, ($4 - e) / ($1 - t) * 1e3
		t = $1; e = $4 }' "$lab_log" >"$TMP/rows.csv"
lab_judge -t mono -d dt -c watts "$TMP/rows.csv"
ok "the judge knows the truth of a meter (${J[watts.rows]} rows, ${J[watts.max_error]} %)" \
	awk -v n="${J[watts.rows]}" -v e="${J[watts.max_error]}" 'BEGIN { exit !(n == 11 && e < 0.01) }'

# Hidden machines.
"$LAB/gen" meter 7 >"$TMP/a.spec"
"$LAB/gen" meter 7 | cmp -s - "$TMP/a.spec" || fail 'gen meter' 'two machines of one seed differ'
ok 'gen meter: a machine for each seed' eval '! "$LAB/gen" meter 8 | cmp -s - "$TMP/a.spec"'
run "$LAB_BIN/labtree" "$TMP/a.spec"
expect_exit 0 'that can be read'
done_testing
