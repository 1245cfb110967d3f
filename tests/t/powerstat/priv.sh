#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# powerstat without privilege: energy_uj is root's (0400), and what is said then; what works
# without; what becomes of the rights of root.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
chmod 777 "$TMP"

simulate -u denied rapl-one -R 1 1
simulate -u auto laptop-mains 1 1
simulate -u perf rapl-one -P perf 1 1
simulate -u z rapl-one -z -t 0.3 2
simulate -u battery laptop-energy -d 0 -D 0.5 2
simulate -u hwmon hwmon-acpi 0.5 2
simulate -u list rapl-one -l
simulate -u procs laptop-energy --procs -d 0 1 1
simulate -u rt laptop-energy --rt -d 0 0.5 1
simulate -u sensors thermal -z -t -c -f -g -j 0.3 2
simulate open "$(lab_spec rapl-one <<'END'
/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj mode 0444
END
)" -R -j 0.3 0
simulate noperf rapl-one -P perf 1 1
simulate nohwmon rapl-one -P hwmon 1 1
simulate nobattery rapl-one -P battery 1 1
cat >"$TMP/root.spec" <<END
include "$LAB/trees/rapl-one.spec"
/proc/stat host /proc/stat
END
simulate -r root "$TMP/root.spec" --root @ROOT@ -R 0.3 2
simulate -r nostat rapl-one --root @ROOT@ -R 0.3 2

take denied 4
is "$out" '' '0400: no row'
like "$err" '/sys/class/powercap/intel-rapl:0[:0-9]*/energy_uj: Permission denied' 'the file and the reason'
like "$err" 'root' 'a remedy: root'
like "$err" 'cap_perfmon' 'a remedy: the perf PMU'
like "$err" 'udev' 'a remedy: udev'
like "$err" 'perf \(the power PMU\): there is none' 'and that the PMU was tried'
take auto 4
like "$err" 'battery: no system battery is discharging.*energy_uj: Permission denied.*perf.*hwmon' 'auto: each place and why not'
take perf 3
unlike "$err" 'energy_uj' '-P perf: not a word of what was not asked for'
for name in noperf nohwmon nobattery; do take "$name" 3; isnt "$err" '' "$name: message"; done
take z 0
is "$(column Watts)" '- -' '-z goes on'
take battery 0
is "$(column Watts)" '12.50 12.50' 'a battery is everybody'\''s'
take hwmon 0
between 230 231 "$(column Watts)" 'and the power meter'
take list 0
like "$out" 'pkg-0\): cannot be read \(Permission denied\)' '--list reports what cannot be read'
take rt 0
take sensors 0
is "$(sample_count)" 2 'sensors of everybody'
take procs
if [ "$status" = 0 ]; then
	like "$(lab_table "$TMP/rows" | head -n 1)" 'Fork,Exec,Exit' '--procs as an ordinary user'
else
	like "$status $err" '^1 .*fork, exec and exit events: ' '--procs as an ordinary user: it cannot be had, and why'
fi
take root 0
between 16 20 "$(column Watts)" '--root'
take nostat 1
like "$err" 'No such file' 'a tree without /proc/stat'

# Rights are given up once all is open, and the counters are still read.
rows_of open 3
pid=${run_pid[open]}
is "$(awk '/^(CapEff|CapPrm|CapInh|CapAmb)/ { print $2 }' "/proc/$pid/status" | sort -u)" 0000000000000000 'no capability is left'
isnt "$(awk '/^Uid/ { print $2 }' "/proc/$pid/status")" 0 'and it is not root'
is "$(awk '/^NoNewPrivs/ { print $2 }' "/proc/$pid/status")" 1 'nor can it be again'
kill -INT "$pid"
take open 0
is "$(of_samples '.watts | . > 16 and . < 20' | jq -c unique)" '[true]' 'and what it had opened gives figures'
done_testing
