#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# heavy
# seconds: 11
# What power-calibrate does without a source, without rights, with CPUs that cannot be loaded, and with power
# figures that are wrong, missing, doubled or hostile: the right figure, or none and a message.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
need_cmd taskset
clock="include \"$(lab_tree calibrate-clock)\""

# --- machines ---
machine none <<<hostcpus
machine offline <<END
$clock
/sys/devices/system/cpu/online text 0
/sys/devices/system/cpu/possible text 0-1
END
machine dead <<END
$clock
/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj fail EIO 0.15
END
machine gone <<END
$clock
/sys/devices/virtual/powercap/intel-rapl gone 0.8 100
END
machine dram <<END
$clock
zone intel-rapl:0:0 dram lin 8 range=65712999613
energy_uj fail EIO 0.75 1.25
END
machine pause <<END
$clock
/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj fail EIO 0.5 1.45
END
sed 's/5@1$/5@1,15@3,5@4,15@5,5@7/' "$(lab_tree calibrate-clock)" >"$TMP/steps.spec"
machine hole <<END
include "$TMP/steps.spec"
/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj fail EIO 1.9 3.1
END
machine words <<END
$clock
zone intel-rapl:1 package-1 text "not a number"
END
machine nameless <<END
$clock
/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/name gone 0 1000
END
machine hostile <<END
$clock
zone intel-rapl:0:0 dram lin 3 range=65712999613
name bytes "dram\e[31m\n1970, \"x\xff"
END
machine mmio <<END
$clock
zone intel-rapl-mmio:0 package-0 lin @pkg start=118240000 range=262143328850
END
{
	echo "$clock"
	for i in {1..63}; do echo "zone intel-rapl:$i package-$i lin 1 start=$i range=262143328850"; done
} | machine domains
machine psys <<END
$clock
zone intel-rapl:1 psys lin 40 range=262143328850
END
for stat in unseen still; do
	case $stat in unseen) idle='{idle/10000}' ;; *) idle=1000 ;; esac
	machine $stat <<END
hostcpus
power pkg steps:15@0,5@1
power idle 2
zone intel-rapl:0 package-0 lin @pkg start=118237645 range=262143328850
begin energy_uj
cd /proc
idle lin @idle start=1000000000
idle hide
stat template "cpu  1000 0 1000 $idle 0 0 0 0 0 0\ncpu0 500 0 500 $idle 0 0 0 0 0 0\nctxt 1000\nbtime 1700000000\nprocesses 1000\nprocs_running 1\nprocs_blocked 0\nintr 1000\n"
END
done
battery() { # NAME: a laptop with this battery, from standard input
	{
		echo hostcpus
		echo 'device /sys/devices/LNXSYSTM:00/PNP0C0A:00/power_supply/BAT0 power_supply'
		printf '%s\n' 'type text Battery' 'present text 1' 'scope text System'
		cat
		echo 'uevent uevent POWER_SUPPLY_'
	} | machine "$1"
}
battery both-figures <<'END'
status text Discharging
voltage_now text 12000000
power_now text 12000000
current_now text 1000000
END
battery negative <<'END'
status text Discharging
voltage_now text 12000000
current_now text -750000
END
battery full <<'END'
status text Full
voltage_now text 12000000
power_now text 0
END

# --- runs, in the background ---
on_battery=(--source=battery "${short[@]:1}")
simulate none none "${short[@]}"
simulate unseen unseen "${short[@]}"
simulate still still "${short[@]}"
simulate parts hwmon-gpu "${short[@]:1}"
simulate no-battery none "${on_battery[@]}"
simulate -u unprivileged calibrate-clean "${short[@]}" # whose counters only root may read
simulate mouse desktop-mouse "${on_battery[@]}"
simulate mains laptop-mains "${on_battery[@]}"
simulate full full "${on_battery[@]}"
simulate both-figures both-figures "${on_battery[@]}" --json
simulate negative negative "${on_battery[@]}" --json
simulate offline offline "${short[@]}" -n 1
simulate twice calibrate-clock "${short[@]}" -n 0-1,1
for name in dead gone dram pause words hostile mmio psys nameless; do
	echo earlier >"$TMP/$name.yaml"
	simulate "$name" "$name" "${short[@]}" --json -o "$TMP/$name.yaml"
done
simulate platform psys "${short[@]}" --json --total=psys
simulate domains domains "${short[@]}" --json
simulate hostile-table hostile "${short[@]}"
# Full load, idle, idle, full load and again; the third test has no reading.
simulate hole hole "${short[@]}" --seed=1 --target-ci=0.01 --count=8 --strict --json="$TMP/hole.json" --csv="$TMP/hole.csv"

# --- no source, no right, no CPU: a message with the remedy, and nothing on standard output ---
refused() { # NAME CODE ERE
	take "$1"
	if [ "$status" = "$2" ] && [ -z "$out" ] && [[ $err =~ $3 ]]; then
		pass "$1: refused"
	else
		fail "$1: refused" "exit status $status, want $2
$err
$out"
	fi
}
refused none 3 '^power-calibrate: no power source found
  rapl \(/sys/class/powercap\): there is none'
refused parts 3 'These sensors .*PPT .*; card .*power-calibrate --source=hwmon:LABEL'
refused no-battery 3 '^power-calibrate: no power source found
  battery: there is none'
refused unprivileged 4 'power-calibrate: no power source can be read: permission denied; run power-calibrate as root'
refused mouse 1 'no battery is discharging'
refused mains 1 'no battery is discharging \(BAT0: .*\); unplug the charger, or use another --source'
refused full 1 'no battery is discharging'
refused offline 2 '^power-calibrate: -n: CPU 1 is offline
Try '
refused twice 2 '^power-calibrate: -n: CPU 1 is listed twice
Try '

# --- a /proc/stat that is not the one of the machine ---
take unseen 1
like "$err" 'no result: the CPU times in /proc/stat do not include the load; run power-calibrate outside of this container' \
	'a /proc/stat that does not count the load'
take still 1
like "$err" 'no result: the CPU times in /proc/stat do not advance' 'a /proc/stat that stands still'

# --- CPUs that this process may not use ---
allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
if [[ $allowed == 0[-,]* ]]; then
	run taskset -c 0 "$PC" --list
	like "$out" "CPUs that can be loaded: 1
  CPU [0-9]+ is outside of this process's CPU affinity, but can be selected" '--list names those left out'
	bg taskset -c 0 "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/apart.log" -- "$PC" -R -n "${allowed: -1}" -s 2 -r 1 --settle=0 0.1 --json \
		--count=2 --seed=2 >"$TMP/apart.rows" 2>"$TMP/apart.msg"
	run_pid[apart]=$bg_pid
	take apart
	is "$(of_tests '.own_cpus > 0' | jq -c 'any')" true 'a CPU outside of the affinity is loaded if -n names it'
	bg taskset -c 0 "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/mask.log" -- "$PC" -R -s 2 -r 1 --settle=0 0.1 --count=1 >"$TMP/mask.rows" 2>"$TMP/mask.msg"
	run_pid[mask]=$bg_pid
	take mask
	like "$err" 'power-calibrate: [0-9]+ online CPUs? (is|are) not loaded: not in the affinity mask of this process; -n can select them' \
		'by default: those that can be used, and a message'
	like "$err" ' on up to 1 CPU: ' 'which are loaded'
	# A cpuset: of cgroup v1, or of v2 if its groups have cpusets here; status 77: it cannot be made.
	cat >"$TMP/in-cpuset" <<'END'
cg=$1 group=$1/sysmon-test-$$
shift
mkdir "$cg"
mount -t cgroup -o cpuset none "$cg" 2>/dev/null ||
	{ mount -t cgroup2 none "$cg" && grep -qw cpuset "$cg/cgroup.subtree_control"; } || exit 77
mkdir "$group" || exit 77
echo 0 >"$group/cpuset.cpus" && { [ ! -e "$cg/cpuset.cpu_exclusive" ] || cat "$cg/cpuset.mems" >"$group/cpuset.mems"; } &&
	echo $$ >"$group/cgroup.procs" || { rmdir "$group"; exit 77; }
"$@"
status=$?
echo $$ >"$cg/cgroup.procs"
rmdir "$group"
exit $status
END
	run unshare -m --propagation private sh "$TMP/in-cpuset" "$TMP/cgroup" "$PC" "${short[@]}" -n "${allowed: -1}"
	if [ "$status" = 77 ]; then
		skip 'needs a cpuset'
	else
		is "$status $(head -n 1 "$TMP/err")" "2 power-calibrate: -n: CPU ${allowed: -1} is outside of this process's cpuset" \
			'a CPU outside of the cpuset'
	fi
else
	skip "needs CPU 0 and another one, has $allowed" 5
fi

# --- batteries: what the figures are (their power is constant, so there is no result) ---
watts() { of_readings .watts | jq -c '[length > 5, min, max]'; }
take both-figures 1
is "$(watts)" '[true,12,12]' 'power_now and current_now: not added'
like "$err" 'no result: ' 'constant power: no result'
take negative 1
is "$(watts)" '[true,9,9]' 'a negative current is one of discharge'

# --- counters ---
nothing() { # NAME: no result, and what an earlier run wrote is there
	is "$(cat "$TMP/$1.yaml")" earlier "$1: the earlier file is as it was"
	unlike "$out$err" '[^a-z](nan|inf)[^a-z]' "$1: no figure that is none"
	is "$(jqs '.[-1].type')" '"summary"' "$1: the records are complete"
}
take dead 1
like "$err" 'no result: ' 'every reading fails: a message'
nothing dead
take gone 3
like "$err" 'the run ends' 'the counters vanish: the run ends with a message'
nothing gone
# The limits are wide: on a busy machine a counter is read later than the clock beside it.
# Readings of a part of the power, or of more time than the load lasted, are none.
take dram
readings_between 10 28 'dram fails for a while: no reading without it'
failed=$(of_result .failed_readings)
if [ "$failed" = null ]; then
	skip "$(messages | head -n 1)"
else
	# Each failed read is one line of the log; at its edges a reading can be without one of the two counters.
	of_log=$(grep -c 'intel-rapl:0:0/energy_uj.*!EIO' "$lab_log")
	ok "those are counted: $failed, in the log $of_log" test "$failed" -ge 1 -a "$failed" -ge $((of_log - 2)) -a "$failed" -le $((of_log + 2))
fi
take hole
is "$(jq -c 'select(.type == "test") | [.readings > 0, has("watts"), has("own_cpus")]' "$TMP/hole.json" | head -n 4 | tr '\n' ' ')" \
	'[true,true,true] [true,true,true] [false,false,false] [true,true,true] ' 'a test without a reading: JSON has its record'
is "$(awk -F, 'NR == 4 { print $4, $6, $7, $8 $9 $NF }' "$TMP/hole.csv")" '0 0 0.000000 ' 'CSV has its record'
is "$(grep -E '^ *[0-9.]+% x ' "$TMP/rows" | sed -n 3p | tr -s ' ')" ' 0% x 0 - - - - - - - - - -' 'the table has its row'
if [ "$status" = 1 ]; then
	skip "no certain result: $(messages | tail -n 1)" 2
else
	is "$status $(jq 'select(.type == "result") | .failed_tests' "$TMP/hole.json")" '5 1' 'it is counted, and --strict exits with 5'
	like "$out" $'\n1 of 8 tests have no reading\n' 'the result reports it'
fi
take pause
name='a counter fails for a while: no reading of another time'
late=$(lab_longest_gap energy_uj 1)
if [ "$(of_readings 'select(.t_s < 0.85 or .t_s > 1.3) | .watts | (. - 5 | fabs) < 2 or (. - 15 | fabs) < 2' | jq -c '[length > 4, unique]')" = '[true,[true]]' ]; then
	pass "$name"
elif [ "$late" -gt 115 ]; then
	skip "the machine was busy: $late ms between two readings of the counter"
else
	fail "$name" "$(of_readings '[.t_s, .watts]')"
fi
take words
readings_between 3 22 'a counter without a number is not added'
take nameless
readings_between 3 22 'a zone without a name is counted'
take mmio
readings_between 3 22 'the package by MMIO too: not added twice'
run "$LAB/run" "$TMP/mmio.spec" "$TMP/list.log" -- "$PC" --list
is "$(sed '/Selected/,$d' "$TMP/out" | grep '^    ' | sed 's/.*: //' | sort | tr '\n' ' ')" 'added not added ' 'as --list says'
take psys
readings_between 3 22 'psys is not added to a package'
take platform
readings_between 33 50 '--total=psys: psys alone'
take domains
is "$(grep -o 'pkg-[0-9]*' "$TMP/msg" | sort -u | wc -l)" 64 '64 domains'
readings_between 60 90 'are added'
take hostile
like "$(jqs '.[-1].type') $status" '^"summary" [01]$' 'a hostile name: the run ends as others'
is "$(LC_ALL=C grep -c $'[\e\x7f-\xff]' "$TMP/rows")" 0 'in JSON quoted'
take hostile-table
is "$(LC_ALL=C tr -d '\n -~' <"$TMP/rows" | wc -c) $(LC_ALL=C tr -d '\n -~' <"$TMP/msg" | wc -c)" '0 0' 'in the text escaped'
run "$LAB/run" "$TMP/hostile.spec" "$TMP/list.log" -- "$PC" --list
is "$status $(LC_ALL=C tr -d '\n -~' <"$TMP/out" | wc -c)" '0 0' 'and in --list'
done_testing
