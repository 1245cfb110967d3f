#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/stressors-*: on recorded rows, and the thermal run of README and page on a simulated machine.
# suite/examples.sh runs the other commands of both.
# live
# heavy
# seconds: 10
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/picture.sh"
. "$TOP/tests/lib/lab.sh"

# FACTOR: five runs whose rates are 98 to 102 % and whose noise is 60 to 140 %; times as long as the factor
compare_runs() {
	local i
	for i in 0 1 2 3 4; do
		awk -v i="$i" -v f="$1" 'BEGIN {
			print "{\"type\":\"run\",\"cpus\":2,\"release\":\"6.1.0\",\"machine\":\"x86_64\"}"
			printf "{\"type\":\"result\",\"stressor\":\"pipe\",\"status\":\"pass\",\"ops_per_s\":%g,\"metrics\":[", (98 + i) * f
			printf "{\"name\":\"delay\",\"value\":%g,\"unit\":\"ns\"},", (980 + 10 * i) * f
			printf "{\"name\":\"noise\",\"value\":%g,\"unit\":\"MB/s\"},", (60 + 20 * i) * f
			printf "{\"name\":\"level\",\"value\":%g,\"unit\":\"\"}]}\n", 5 + 0.01 * i * f
		}'
	done
}
if have_cmd jq; then
	compare=$TOP/examples/stressors-compare.jq
	compare_runs 1 >"$TMP/old.json"
	compare_runs 1.1 >"$TMP/new.json"
	run jq -rRn -f "$compare" "$TMP/old.json" "$TMP/new.json"
	expect_out 'old: 5 runs, 6.1.0, x86_64, 2 CPUs
new: 5 runs, 6.1.0, x86_64, 2 CPUs

stressor  metric          unit   old    new  change  spread
pipe      ops, real time  /s     100    110  +10.0%    4.4%  faster
pipe      delay           ns    1000   1100  +10.0%    4.4%  slower
pipe      level                 5.02  5.022   +0.0%    0.9%
pipe      noise           MB/s   100    110  +10.0%   88.0%' 'stressors-compare.jq: 10 % are found, noise is not'
	run jq -rRn -f "$compare" "$TMP/new.json" "$TMP/old.json"
	is "$status $(grep -cE ' -9\.1% .*(slower|faster)$' <<<"$out")" '0 2' 'the other way round'
	# Hostile rows: cut off, no values or no numbers, names that drive a terminal; what did not pass.
	{
		head -n 2 "$TMP/new.json"
		printf '%s\n' '[1]' 'null' '{"type":"result"}' '{"type":"result","stressor":{},"status":"pass","ops_per_s":7}' \
			'{"type":"result","stressor":"pipe","status":"pass","ops_per_s":"9","ops_per_cpu_s":nan,"metrics":{"a":1}}' \
			'{"type":"result","stressor":"a\u001b[2Jb","status":"pass","ops_per_s":0,"metrics":[3,{},{"name":"x\ny","value":1e999}]}' \
			'{"type":"result","stressor":"vm","status":"fail","ops_per_s":1,"reason":"word\u001b[2J 7"}'
		printf '{"type":"result","stressor":"pi'
	} >"$TMP/odd.json"
	run jq -rRn -f "$compare" "$TMP/old.json" "$TMP/odd.json"
	is "$status $err" '0 ' 'stressors-compare.jq: hostile rows'
	is "$(tail -n +4 "$TMP/out" | tr -s ' ')" 'stressor metric unit old new change spread
a?[2Jb ops, real time /s - 0 - - only new
pipe ops, real time /s 100 107.8 +7.8% -
pipe delay ns 1000 1078 +7.8% -
pipe level 5.02 5 -0.4% -
pipe noise MB/s 100 66 -34.0% -
vm: fail in 1 of the new runs: word?[2J 7' 'are left out or cleaned, and a single run is not judged'
	run jq -rRn -f "$compare" "$TMP/old.json" /dev/null
	like "$status $err" '^1 Usage: stressors-compare\.jq ' 'no new runs: an error'
else
	skip 'stressors-compare.jq: needs jq, which is not installed' 5
fi

# 20 W and 40 degrees for 2 s; 60 W and up to 80 degrees for 4 s of load, in which the rate falls to half; a rest
# of 5 ms.  Setup takes 0.5 s.
awk 'BEGIN {
	print "time,mono_ns,dt_s,watts,cpu_c,none_c"
	for (i = 1; i <= 16; i++) {
		load = i > 4 && i <= 12
		printf "t,%.0f,0.5,%g,%g,\n", 7e9 + i * 5e8, load ? 60 : 20, load ? 40 + 5 * (i - 4) : 40
	}
	print "t,15005000000,0.005,999,40,"
}' >"$TMP/power.csv"
awk 'BEGIN {
	print "type,stressor,t_s,status,wall_s,ops_per_s,setup_s,reason"
	for (i = 1; i <= 8; i++) {
		printf "interval,cpu,%g,,,%g,,\n", i / 2, i <= 4 ? 200 : 100
		printf "interval,vm,%g,,,%g,,\n", i / 2, i <= 4 ? 40 : 50
	}
	print "result,cpu,,pass,4,150,0.5,"
	print "result,vm,,fail,4,50,0.25,\"a, \"\"b\"\"\""
}' >"$TMP/stress.csv"
printf 'time,event\n' >"$TMP/other.csv"
# R G B FROM TO, of the picture decoded last: how many pixels are between the two highest of the rows FROM to TO, counted
# from below, that have at least 20 pixels of that colour; a curve is three rows high
levels() {
	awk -v r="$1" -v g="$2" -v b="$3" -v from="$4" -v to="$5" '
		$1 < 760 && $2 >= from && $2 <= to && $3 == r && $4 == g && $5 == b { n[$2]++ }
		END { for (y = to; y >= from; y--) if (n[y] >= 20) { if (last && last - y > 3) { print last - y; exit }; last = y } }' "$TMP/points"
}
thermal() { run gnuplot -c "$TOP/examples/stressors-thermal.gnuplot" "$1" "$2" "$TMP/thermal.png" "${@:3}"; } # POWER STRESS [SECONDS]
if have_cmd gnuplot; then
	thermal "$TMP/power.csv" "$TMP/stress.csv" 1.5
	is "$status $out$err" '0 load from 2.0 to 6.0 s: 60.00 W, 20.00 W before; cpu 40.0 to 80.0 °C; cpu 150 ops/s, vm 50 ops/s' \
		'stressors-thermal.gnuplot: the figures'
	is "$(png_size "$TMP/thermal.png")" '1000 675' 'a picture of three panels'
	# The load is half of 8 s: of three panels of 690 x 170 pixels, less the curves and the grid.
	decode "$TMP/thermal.png"
	load=$(pixels 236 236 236)
	num "$load" -gt 150000 'the time of the load is grey'
	num "$load" -lt 180000 'to scale'
	# 40 of 70 W in a panel of 172 pixels, and 50 of 105 %.
	like "$(levels 217 95 2 450 620)" '^(9[6-9]|100)$' 'the power, 40 W higher'
	like "$(levels 0 114 178 60 220)" '^8[0-3]$' 'the rate of cpu, which falls to half'
	# The colour of the second curve.
	num "$(pixels 230 159 0)" -gt 300 'the rate of vm'
	cut -d, -f1-3,6 "$TMP/power.csv" | sed '1s/none_c/watts/' >"$TMP/none.csv"
	thermal "$TMP/none.csv" "$TMP/stress.csv"
	is "$status $out$err $(png_size "$TMP/thermal.png")" \
		'0 load from 0.5 to 4.5 s: no power measured; cpu 150 ops/s, vm 50 ops/s 1000 275' 'without power and zones: one panel'
	# A run too short for a second sample, in which nothing changes, and a stressor without an op.
	sed '3,$d; s/,20,40,$/,0,40,/' "$TMP/power.csv" >"$TMP/short.csv"
	printf '%s\n' type,stressor,t_s,status,wall_s,ops_per_s,setup_s,reason interval,cpu,0.5,,,0,, interval,vm,0.5,,,0,, \
		result,cpu,,fail,0.5,,0,x result,vm,,pass,0.5,0,0, >"$TMP/none.csv"
	thermal "$TMP/short.csv" "$TMP/none.csv"
	is "$status $out$err" '0 load from 0.0 to 0.5 s: 0.00 W; cpu 40.0 to 40.0 °C; cpu no rate, vm 0 ops/s' \
		'one sample, and all is constant: no warning'
	grep -v interval "$TMP/stress.csv" >"$TMP/none.csv"
	thermal "$TMP/power.csv" "$TMP/none.csv"
	like "$status $err" '^1 .*no intervals in ' 'without --interval: an error'
	cat "$TMP/stress.csv" "$TMP/stress.csv" >"$TMP/none.csv"
	thermal "$TMP/power.csv" "$TMP/none.csv"
	like "$status $err" '^1 .*several stages in ' 'several stages: an error'
	thermal "$TMP/other.csv" "$TMP/stress.csv"
	like "$status $err" '^1 .*no samples in ' 'other rows: an error'
else
	skip 'stressors-thermal.gnuplot: needs gnuplot, which is not installed' 12
fi
# The commands of the README and of the page, shortened, on the simulated machine with a temperature that
# follows the load.
lack=$(lab_lacks)
if have_cmd gnuplot && [ -z "$lack" ]; then
	cat >"$TMP/heat.spec" <<END
include "$TOP/tests/lab/trees/calibrate-clean.spec"
meter heat base=0.03 busy=0.02
device /sys/devices/virtual/thermal/thermal_zone0 thermal
type text x86_pkg_temp
temp rate @heat avg=0.5
END
	mkdir "$TMP/hot"
	printf '#!/bin/sh\nexec "$@"\n' >"$TMP/hot/sudo"
	printf '#!/bin/sh\nexec "%s/tests/lab/run" "%s/heat.spec" /dev/null -- "%s/bin/powerstat" "$@"\n' \
		"$TOP" "$TMP" "$BUILD" >"$TMP/hot/powerstat"
	printf '#!/bin/sh\nexec "%s/bin/stressors" "$@"\n' "$BUILD" >"$TMP/hot/stressors"
	chmod 755 "$TMP/hot/"*
	for where in README page; do
		mkdir "$TMP/$where"
		ln -s "$TOP/examples" "$TMP/$where/examples"
		if [ "$where" = README ]; then
			awk '/^```/ { if (text ~ /thermal\.png/) printf "%s", text; text = ""; next } { text = text $0 "\n" }' "$TOP/README.md"
		else
			awk '/^\.Ed/ { if (text ~ /thermal\.png/) printf "%s", text; next } /^\.Bd/ { text = ""; next }
				{ gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\"); text = text $0 "\n" }' "$TOP/man/stressors.1" |
				sed 's,/usr/share/doc/sysmon-tools/,,'
		fi | sed 's/sleep [0-9]*/sleep 1/g; s/-t 60/-t 2/; s/png [0-9]*$/png 1/' >"$TMP/$where/hot.sh"
		bg env -C "$TMP/$where" PATH="$TMP/hot:$PATH" bash hot.sh >"$TMP/$where/out" 2>"$TMP/$where/err"
		[ "$where" = README ] && readme=$bg_pid || page=$bg_pid
	done
	# All CPUs are busy: 5 W, and 10 W each; 30 degrees, and 20 for each.
	least_watts=$((10 * $(nproc) * 8 / 10 + 5)) most_watts=$((10 * $(getconf _NPROCESSORS_ONLN) + 6))
	least_heat=$((20 * $(nproc) * 8 / 10 + 30))
	for where in README page; do
		if [ "$where" = README ]; then reap "$readme"; else reap "$page"; fi
		err=$(cat "$TMP/$where/err") line=${err##*$'\n'}
		like "$status $line" \
			'^0 load from [0-9.]+ to [0-9.]+ s: [0-9.]+ W, [0-9.]+ W before; x86_pkg_temp [0-9.]+ to [0-9.]+ .*C; cpu [1-9][0-9.e+]* ops/s$' \
			"the thermal run of the $where" || diag "$err"
		unlike "$err" '[Ww]arning' 'without a warning'
		read -r from to watts heat < <(tr -s ' :;,' ' ' <<<"$line" | awk '{ for (i = 1; i < NF; i++) { if ($i == "from") f = $(i + 1)
			if ($i == "s" && !w) w = $(i + 1); if ($i == "x86_pkg_temp") h = $(i + 3); if ($i == "to" && !t) t = $(i + 1) }
			printf "%d %d %d %d\n", f * 10, t * 10, w, h }')
		num "$from" -ge 10 'the load begins after a second'
		num $((to - from)) -ge 19 'and takes two'
		num "$watts" -ge $least_watts 'the watts of the load'
		num "$watts" -le $most_watts 'and no more'
		num "$heat" -ge $least_heat 'the heat'
		is "$(png_size "$TMP/$where/thermal.png")" '1000 675' 'its picture'
	done
else
	skip "the thermal run: ${lack:-needs gnuplot, which is not installed}" 16
fi
done_testing
