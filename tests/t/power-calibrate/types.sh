#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 9
# power-calibrate --by=type on a machine with two types of CPUs: which CPUs its tests load, and what the
# records of JSON and CSV are.  The result is judged by the unit tests, on machines whose types have a price.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
need_cmd taskset
allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
[[ $allowed == 0[-,]* ]] || skip_all "needs CPU 0 and another one, has $allowed"
other=${allowed: -1}
# The machine calibrate-clock with other watts: 12 W for a CPU of the first type, 3 W for one of the second, in
# the order of the tests.
clock=$(sed 's/^power pkg .*/power pkg steps:17@0,20@2,5@4,8@6/' "$(lab_tree calibrate-clock)")
machine capacity <<END
$clock
/sys/devices/system/cpu/cpu0/cpu_capacity text 446
/sys/devices/system/cpu/cpu$other/cpu_capacity text 1024
END
machine hybrid <<END
$clock
/sys/devices/cpu_core/cpus text 0
/sys/devices/cpu_atom/cpus text $other
END
run_types() { # NAME MACHINE OPTION...
	simulate "$1" "$2" -R -n "0,$other" -s 2 -r 2 --settle=0 0.1 "${@:3}"
}
run_types json capacity --by=type --json
run_types csv hybrid --by=type --csv
run_types one calibrate-clock --by=type --json

take json
is "$(of_tests '[.cpu_type, .cpus]' | jq -c sort)" '[[null,0],["all",2],["capacity-1024",1],["capacity-446",1]]' 'each type alone, all CPUs, and idle'
is "$(of_readings 'select(.cpu_type == "capacity-446") | .own_cpus_by_type | .["capacity-446"] > 0 and .["capacity-1024"] == 0' | jq -c unique)" '[true]' \
	'a test of one type loads the CPU of this type alone'
is "$(of_readings '(.own_cpus - (.own_cpus_by_type | add) | fabs) < 1e-5' | jq -c unique)" '[true]' 'the types add up to the load'
if [ "$(of_result 'type')" = '"null"' ]; then
	skip "$(messages | head -n 1)"
else
	is "$(of_result '.types | map([.cpu_type, .cpus])')" '[["capacity-1024",1],["capacity-446",1]]' 'the result has both types'
fi
take csv
is "$(sed 1d <<<"$out" | cut -d , -f "$(head -n 1 <<<"$out" | tr , '\n' | grep -nx cpu_type | cut -d : -f 1)" | sort | xargs -d '\n')" ' all atom core' \
	'CSV of a hybrid processor'
take one
like "$err" '^power-calibrate: --by=type: the kernel reports one type of CPUs only; the result is for all CPUs' 'one type: a note'
is "$(of_tests .cpu_type | jq -c unique)$(of_result .types)" '[null]null' 'and the tests of a run without the option'
run "$LAB/run" "$TMP/capacity.spec" "$TMP/list.log" -- "$PC" --list
like "$out" "Types of CPUs \(--by=type\):
  capacity-1024: 1 CPU
  capacity-446: 1 CPU" '--list names the types'
done_testing
