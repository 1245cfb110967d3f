#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 6
# Power meters in plain trees: chips of batteries, meters that read 0, that average, rails, and the choice of
# sensors by label.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_cmd jq
calibrate=${POWER_CALIBRATE:-$BUILD/bin/power-calibrate}

# NAME, then "FILE TEXT" from standard input: a tree whose files have these texts
tree() {
	local file text
	mkdir -p "$TMP/$1/proc" "$TMP/$1/sys/devices/system/cpu"
	printf 'cpu  9 0 9 99 0 0 0 0 0 0\ncpu0 9 0 9 99 0 0 0 0 0 0\nintr 1\nctxt 1\nbtime 1700000000\nprocesses 9\nprocs_running 1\nprocs_blocked 0\n' \
		>"$TMP/$1/proc/stat"
	echo 0 >"$TMP/$1/sys/devices/system/cpu/online"
	echo 0 >"$TMP/$1/sys/devices/system/cpu/possible"
	while read -r file text; do
		mkdir -p "$(dirname "$TMP/$1/sys/$file")"
		printf '%b\n' "$text" >"$TMP/$1/sys/$file"
	done
}
hw() { sed "s,^,class/hwmon/hwmon$1/,"; } # NUMBER: prefix of the lines of a chip

# NAME TREE OPTION...: in the background, output in $TMP/NAME.{rows,msg,rc}
declare -a started=()
start() {
	local name=$1 root=$2
	shift 2
	(
		timeout 60 "$POWERSTAT" --root="$TMP/$root" --no-procs "$@" >"$TMP/$name.rows" 2>"$TMP/$name.msg" </dev/null
		echo $? >"$TMP/$name.rc"
	) &
	started+=($!)
}
read_run() { # NAME STATUS
	out=$(cat "$TMP/$1.rows") err=$(cat "$TMP/$1.msg")
	cp "$TMP/$1.rows" "$TMP/rows"
	is "$(cat "$TMP/$1.rc")" "$2" "$1: exit status"
}

# The kernel names the chip of supply qcom-battmgr-bat with '_'.
tree charging <<-'END'
	class/power_supply/qcom-battmgr-bat/type Battery
	class/hwmon/hwmon46/name qcom_battmgr_bat
	class/hwmon/hwmon46/power1_input 45000000
	class/hwmon/hwmon46/device/type Battery
END
tree zero < <(hw 1 <<-'END'
	device/name power_meter
	device/power1_average 0
END
)
tree zeroamd < <(
	hw 1 <<-'END'
		device/name power_meter
		device/power1_average 0
	END
	hw 3 <<-'END'
		name fam15h_power
		power1_input 31000000
	END
)
tree unknown < <(hw 1 <<-'END'
	name power_meter
	power1_average 4294967295000
END
)
tree slow < <(hw 1 <<-'END'
	name power_meter
	power1_average 200000000
	power1_average_interval 30000
END
)
tree still < <(hw 2 <<-'END'
	name ina228
	power1_input 9000000
	energy1_input 12345
END
)
tree zen < <(hw 3 <<-'END'
	name zenpower
	power1_label SVI2_P_Core
	power1_input 21120000
	power2_label SVI2_P_SoC
	power2_input 9280000
END
)
tree jetson < <(hw 1 <<-'END'
	name ina3221
	in1_label VDD_GPU_SOC
	in1_input 19800
	curr1_input 500
	in2_label VDD_CPU_CV
	in2_input 19800
	curr2_input 250
	in3_label VIN_\0033[2J5V0
	in3_input 5000
	curr3_input 800
END
)

start charging charging -P hwmon 0.5 2
start zero zero -P hwmon 0.5 2
start zeroauto zeroamd 0.5 2
start unknown unknown -P hwmon 0.5 2
start slow slow -P hwmon -J 0.5 2
start slowj slow -P hwmon -j --prom="$TMP/prom" 0.5 2
start slowcmd slow -P hwmon --baseline=0.5 0.5 -- sleep 0.7
start still still -P hwmon 1 3
start zen zen 0.5 2
start rails jetson -P hwmon 0.5 2
start chosen jetson -P 'hwmon:VDD_GPU_SOC,VIN_\x1b[2J5V0' 0.5 2
start typo jetson -z -P hwmon:VDD_GPU_SOX 0.5 2
start list jetson -P hwmon:VDD_CPU_CV -l
start listzero zero -l
"$calibrate" --root="$TMP/jetson" --source=hwmon --count=1 -r 1 -d 0 0.2 >"$TMP/crails.rows" 2>"$TMP/crails.msg"
echo $? >"$TMP/crails.rc"
"$calibrate" --root="$TMP/jetson" --source=hwmon:VDD_CPU --count=1 >"$TMP/ctypo.rows" 2>"$TMP/ctypo.msg"
echo $? >"$TMP/ctypo.rc"
"$calibrate" --root="$TMP/jetson" --source=hwmon:VDD_CPU_CV,VDD_GPU_SOC --list >"$TMP/clist.rows" 2>"$TMP/clist.msg"
echo $? >"$TMP/clist.rc"
"$calibrate" --root="$TMP/zero" >"$TMP/czero.rows" 2>"$TMP/czero.msg"
echo $? >"$TMP/czero.rc"
wait "${started[@]}"

read_run charging 3
like "$err" 'hwmon: no sensor' 'a battery that charges is no power sensor'

out=$(cat "$TMP/zero.rows") err=$(cat "$TMP/zero.msg")
unlike "$out" '0\.00 Watts' 'a meter that reads 0: not 0.00 W'
unlike "$out" 'power measured' 'and not measured'
like "$out" 'power_meter-power1 read 0 W [0-9]+ times' 'the summary names it'
like "$err" 'power meter: power_meter-power1 \(power_meter-power1 reads 0 W\)' 'and so does the start'
read_run zeroauto 0
like "$err" 'power sensors of the processor: fam15h_power-power1 \(power_meter-power1 reads 0 W and is not used\)' \
	'auto goes on to the next sensor'
like "$out" 'CPU:  31\.00 Watts' 'which is called the CPU'
out=$(cat "$TMP/unknown.rows")
like "$out" 'read 4294967 W [0-9]+ times, which is above the limit of 1000000 W' 'the unknown value of ACPI, with the limit'
read_run listzero 0
like "$out" 'power_meter-power1 \(power_meter, power1_average\): reads 0 W, measures the whole machine, not added' '--list: reads 0'

read_run slow 0
like "$err" 'power_meter-power1 \(mean of 30 s\)' 'the averaging time is reported at the start'
like "$err" 'a run of 1 s is too short for a power meter that averages over 30 s; at least 90 s' 'and a run that is too short'
like "$out" 'Note: the power meter reports its mean over 30\.0 seconds' 'and in the summary'
like "$out" 'Warning: the measurement took 1\.[0-9] seconds, less than 3 times this mean' 'with a warning'
unlike "$out" 'power measured' 'a mean is not measured'
read_run slowj 0
is "$(jqs '[.[0].average_s, (map(select(.type == "sample").kind) | unique), .[-1].kinds.averaged, .[-1].average_s, .[-1].too_short]')" \
	'[30,["averaged"],2,30,true]' 'JSON: averaging time, kind and warning'
like "$(cat "$TMP/prom")" 'energy_joules_total\{kind="averaged"\} [1-9]' 'Prometheus: averaged energy'
unlike "$(cat "$TMP/prom")" 'measured' 'and none that is measured'
read_run slowcmd 0
like "$err" '--baseline of 0\.5 s is too short' 'a short --baseline is reported at the start'
like "$out" 'Warning: the measurement took 0\.[789] .*Warning: the measurement of the idle machine took 0\.5' \
	'COMMAND and --baseline in the summary'

read_run still 0
like "$(column Watts)" '^(- )?9\.00 9\.00( 9\.00)?$' 'a counter that stands still: the power of its channel, never 0'
like "$out" 'not added: ina228-energy1 \(the counter does not advance\)' 'and the counter is named'
read_run zen 0
is "$(column Watts)" '30.40 30.40' 'rails of a processor are added, without -P'
like "$out" 'CPU:  30\.40 Watts' 'and are the CPU'

read_run rails 0
is "$(column Watts) $(column VDD_GPU_SOC) $(column VDD_CPU_CV)" '- - 9.90 9.90 4.95 4.95' 'rails: voltage times current, no sum'
like "$err" '--power=hwmon:LABEL\[,LABEL\] adds up the sensors' 'and the way to a sum'
read_run chosen 0
is "$(column Watts)" '13.90 13.90' 'sensors chosen by label are added'
like "$err" 'VDD_GPU_SOC \+ VIN_.x1b\[2J5V0' 'and named, escaped'
like "$out" 'not added: VDD_CPU_CV \(not selected\)' 'the rest is not selected'
read_run typo 2
like "$err" "no sensor 'VDD_GPU_SOX'; the nearest label is 'VDD_GPU_SOC'; --list shows all labels" 'an unknown label, even with -z'
read_run list 0
like "$out" 'VDD_CPU_CV \(ina3221, in2 \* curr2\): readable, 4.95 W, may overlap with other sensors of its chip, added' '--list: the chosen sensor'
like "$out" 'VDD_GPU_SOC .*not added' 'and another one'
# shellcheck disable=SC2016
ok 'no escape sequence of a label comes out' bash -c '! grep -q "$(printf "\033")" "$0"/*.rows "$0"/*.msg' "$TMP"

read_run crails 3
like "$err" 'have no total.*VDD_CPU_CV 4\.95 W.*power-calibrate --source=hwmon:LABEL\[,LABEL\]' 'power-calibrate: the way to a sum'
read_run ctypo 2
like "$err" "no sensor 'VDD_CPU'; the nearest label is 'VDD_CPU_CV'" 'power-calibrate: an unknown label'
read_run clist 0
like "$out" 'Selected:
  power sensors of parts of the machine: VDD_GPU_SOC \+ VDD_CPU_CV' 'power-calibrate: the chosen sensors are the total'
read_run czero 3
like "$err" 'reads 0 W.*no value' 'power-calibrate: a meter that reads 0 is not measured for minutes'
done_testing
