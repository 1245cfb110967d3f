#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# heavy
# seconds: 9
# needs: root
# SIGUSR1 shows what there is, and the run goes on; frequencies, temperatures and throttling of the run.
# Nothing here depends on how exact a load is.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
count_of() { jq -c "select(.type == \"$1\")" "$TMP/interim.rows" 2>/dev/null | wc -l; } # TYPE
# shellcheck disable=SC2317 # called by wait_for
at_least() { [ "$(count_of "$1")" -ge "$2" ]; } # TYPE COUNT

# shellcheck disable=SC2317 # called by wait_for
answered() { [ $(($(count_of result) + $(grep -c 'no interim result: ' "$TMP/interim.msg"))) -ge "$1" ]; } # COUNT

# A zone with a hostile name, and one that fails at the end; three events of the core after a second.
machine=$(lab_spec calibrate-clock <<'END'
/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq text 2400000
/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count at 0 100 1 103
/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count text 7
device /sys/devices/virtual/thermal/thermal_zone0 thermal
type text "\e[2Jpkg"
temp at 0 45500 1 61000
device /sys/devices/virtual/thermal/thermal_zone1 thermal
type text short
temp text 20000
temp fail EAGAIN 1 1000
END
)
for _ in 1 2 3 4; do # the machine's clock is ahead of a tool that starts late
	rm -f "$TMP/json" "$TMP/yaml"
	simulate zones "$machine" "${short[@]}" --json="$TMP/json" -o "$TMP/yaml"
	take zones
	[ "$status" = 1 ] || break
done
if [ "$status" = 1 ]; then
	skip "no result: $(messages | head -n 1)" 4
else
	is "$status" 0 'a machine with frequency, zones and throttling'
	like "$out" $'\nAt the start and end of the run:\n  CPU frequency \\(mean\\): 2400 MHz, 2400 MHz\n' 'text: the frequency'
	like "$out" $'\\[2Jpkg: 45.5 degrees C, 61.0 degrees C\nThermal throttling: 3 times on a core, 0 times on a package' 'text: zones, and events of the run alone'
	unlike "$out" $'\e|short' 'text: no hostile byte, and no zone that failed'
	is "$(jq -c 'select(.type == "result") | [.mhz, .full_load_mhz == .mhz, (.temperatures[] | .c), .core_throttles, .package_throttles]' "$TMP/json")" \
		'[{"begin":2400,"end":2400},true,{"begin":45.5,"end":61},null,3,0]' 'JSON'
	like "$(cat "$TMP/yaml")" $'  machine:\n.*    frequency-mhz: \\[2400, 2400\\]\n.*celsius: \\[45.5, 61\\]\n    core-throttles: 3\n' 'YAML'
fi
is "$(jq -r --slurpfile schema "$BUILD/schema/power-calibrate.schema.json" --argjson check false -f "$TOP/tests/lib/schema.jq" \
	"$TMP/json")" '' 'JSON: records as in the schema'

# Too early, then with two tests, then the end.
sed 's/5@1$/5@2/' "$(lab_tree calibrate-clock)" >"$TMP/slower.spec"
simulate interim slower -R -n 0 -s 101 -r 2 --settle=0 --seed=1 0.25 --json
wait_for at_least reading 1
kill -USR1 "${run_pid[interim]}"
wait_for answered 1
early=$(count_of result)
if [ "$early" = 0 ]; then
	ok 'SIGUSR1 too early: a message' grep -q 'no interim result: ' "$TMP/interim.msg"
else
	skip 'SIGUSR1 too early: the machine is too busy: there is a result'
fi
wait_for at_least test 2
kill -USR1 "${run_pid[interim]}"
wait_for answered 2
if at_least result $((early + 1)); then
	is "$(jq -r 'select(.type == "result") | .complete, .tests >= 2, .load.w_per_cpu.value != null' "$TMP/interim.rows" | tail -n 3 | tr '\n' ' ')" \
		'false true true ' 'SIGUSR1: a result of what there is'
else
	skip "SIGUSR1: a result: the machine is too busy: $(tail -n 1 "$TMP/interim.msg")"
fi
n=$(count_of reading)
ok 'SIGUSR1: the run goes on' wait_for at_least reading $((n + 2))
kill -TERM "${run_pid[interim]}"
take interim
is "$status $(jq -r .type "$TMP/rows" | tail -n 1)" '143 summary' 'and ends as always'

# A meter that averages over long makes the run long.
sed 's/avg=1$/avg=30/; s/interval text 1000/interval text 30000/' "$(lab_tree calibrate-hwmon)" >"$TMP/averages.spec"
simulate averages averages --source=hwmon -n 0
wait_for grep -q ' tests of ' "$TMP/averages.msg"
kill -TERM "${run_pid[averages]}"
take averages
like "$(cat "$TMP/averages.msg")" '15 tests of 60\.0 s in 3 blocks, on up to 1 CPU: 15 min 0 s; the meter averages over 30 s: -r and --max-time shorten the run' \
	'the plan names the reason of its duration'
done_testing
