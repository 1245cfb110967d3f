#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 14
# powerstat's figures of RAPL counters on simulated machines, by the truth of the simulation.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need

csv='--csv --timestamp=mono'
machine() { # NAME: a machine of this script, from standard input
	{
		printf 'include "%s/trees/cpus.inc"\n' "$LAB"
		cat
	} >"$TMP/$1.spec"
}
machine wraps <<-'EOF'
	# True: 200 W; wraps each 1.3 s.
	power pkg 200
	truth watts @pkg
	zone intel-rapl:0 package-0 lin @pkg start=232143328 range=262143328
EOF
simulate glitch rapl-glitch -R -j 1 11
for machine in one 2x2 4s amd arm kilowatt multiwrap psys range0 wrap mirror mmio-live mmio-dead \
	mmio-only square; do
	# shellcheck disable=SC2086
	simulate "$machine" "rapl-$machine" -R -D $csv 1 6
done
simulate table rapl-one -R -D -J 0.5 4
simulate long wraps -R --csv --timestamp=mono 6 1
simulate pkg rapl-psys -R --total=pkg -D 0.5 3
simulate platform rapl-psys -R --total=psys -D 0.5 3
simulate psysless rapl-one -R --total=psys 0.5 3
simulate norange rapl-norange -R -j 0.5 12
simulate flaky rapl-flaky -R -D -j 0.5 15
simulate unreadable rapl-unreadable -R -D 0.5 3
simulate values rapl-values -R -D -j 0.5 3
simulate kilo rapl-kilowatt -R -D 0.5 3
simulate auto laptop-mains 0.5 3
simulate load rapl-one -R -D --load-modules=no_such_module_here 0.5 2
machine back <<-'EOF'
	zone intel-rapl:0 package-0 lin 10 range=262143328850
	zone intel-rapl:1 package-1 lin 20 range=262143328850
	. gone 1.2 1.6
EOF
simulate back back -R -j --keep-privileges 0.5 8
machine never <<-'EOF'
	# True: 10 W of the package; dram's 3 W cannot be known.
	zone intel-rapl:0 package-0 lin 10 range=262143328850
	zone intel-rapl:0:0 dram lin 3 range=65712999613
	energy_uj fail EIO
EOF
machine jolt <<-'EOF'
	# True: 6 W; one reading is 700 J high.
	zone intel-rapl:0 package-0 lin 6 start=5000000000 range=65532610987 jump=2.25:700000000 jump=2.75:-700000000
	constraint_0_max_power_uw text 54000000
EOF
machine msr-dead <<-'EOF'
	# True: 25 W, which only the MMIO zone counts.
	zone intel-rapl:0 package-0 lin 0 start=77 range=262143328850
	zone intel-rapl-mmio:0 package-0 lin 25 start=500000 range=262143328850
EOF
machine msr-fails <<-'EOF'
	# True: 25 W, by both zones; the first fails for a while.
	zone intel-rapl:0 package-0 lin 25 start=77 range=262143328850
	energy_uj fail EIO 1.2 2.7
	zone intel-rapl-mmio:0 package-0 lin 25 start=500000 range=262143328850
EOF
machine stuck <<-'EOF'
	# True: 10 W of the package until 2 s; then its counter stands still.  dram's has never moved.
	power pkg steps:10@0,0@2
	power gpu steps:3@0,0@2
	zone intel-rapl:0 package-0 lin @pkg range=262143328850
	zone intel-rapl:0:0 uncore lin @gpu range=262143328850
	zone intel-rapl:0:1 dram lin 0 start=77 range=65712999613
	zone intel-rapl:1 psys lin 0 range=65712999613
EOF
machine stuck-pkg <<-'EOF'
	# True: 3 W of dram, and the package's power, which cannot be known.
	zone intel-rapl:0 package-0 lin 0 start=77 range=262143328850
	zone intel-rapl:0:0 dram lin 3 range=65712999613
EOF
simulate stuck-pkg stuck-pkg -R -j 0.5 4
simulate stuck-pkg-table stuck-pkg -R 0.5 4
simulate stuck stuck -R -D -j 0.5 8
simulate stuck-table stuck -R -D 0.5 8
simulate glitch-amd rapl-glitch -R -j 0.5 11
simulate never never -R -D -j 0.5 4
simulate never-table never -R -D 0.5 4
simulate never-line never -R -m 0.5 4
simulate never-list never --list
simulate jolt jolt -R -j 0.5 10
simulate first msr-dead -R -D 0.5 3
simulate msr-fails msr-fails -R -D -j 0.5 8
simulate dead-list msr-dead --list
simulate mirror-list rapl-mirror --list
machine mirror-late <<-EOF
	# One die is read late for a while, as on a busy machine.
	include "$(lab_tree rapl-mirror)"
	/sys/devices/virtual/powercap/intel-rapl/intel-rapl:2/energy_uj slow 30 0 0.6
EOF
simulate mirror-late mirror-late --list

# --- every row and the run by the truth ---
judge_file=energy_uj
exact() { # MACHINE COLUMN[=TRUTH]...
	take "$1" 0
	true_rows 1 0.2 "${@:2}"
}
exact one watts pkg_0_w=pkg-0 core_w=core uncore_w=uncore dram_w=dram
is "${J[watts.rows]}" 6 'all the rows that were asked for'
exact 2x2 watts pkg_0_0_w=pkg-0.0 pkg_0_1_w=pkg-0.1 pkg_1_0_w=pkg-1.0 pkg_1_1_w=pkg-1.1
exact 4s watts pkg_0_w=pkg-0 pkg_1_w=pkg-1 pkg_2_w=pkg-2 pkg_3_w=pkg-3 dram_0_w=dram-0 dram_3_w=dram-3
exact amd watts pkg_0_w=pkg-0 core_w=core
exact arm watts
exact kilowatt watts pkg_0_w=pkg-0 pkg_1_w=pkg-1
exact multiwrap watts
exact psys watts psys_w=psys
exact range0 watts
exact wrap watts
take mirror 0
# At the first row the dies can be compared only if they were read within 1/16 of the interval.
apart=$(lab_groups energy_uj | awk '$2 - $1 > max { max = $2 - $1 } END { printf "%.0f", max }')
if [ "$apart" -le 25 ]; then
	true_rows 1 0.2 watts
else
	skip "the machine was busy: $apart ms between the readings of the dies"
fi
exact mmio-live watts
exact mmio-dead watts
exact mmio-only watts
judge_file=intel-rapl:0/energy_uj # of dram, read later, the power does not change
exact square watts pkg_0_w=pkg-0

# --- the table: labels, places, the sum ---
take table 0
is "$(lab_table "$TMP/rows" | head -n 1 | sed 's/.*Exit,//; s/.*IRQ.s,//')" \
	'Watts,Joules,pkg-0,core,uncore,dram' 'labels are whole and sorted'
between 17.8 18.2 "$(column Watts)" 'core and uncore are not added'
between 8.9 9.1 "$(column core)" 'and have their own columns'
like "$out" 'CPU:  1[78]\.[0-9][0-9] Watts on average with standard deviation 0\.' 'the summary'
like "$out" 'from RAPL domains: pkg-0, dram\.' 'it says what was added'
like "$out" 'not added: core, uncore \(inside a package\)' 'and what not, and why'
like "$out" 'These readings do not cover all the hardware' 'and what it is not'
like "$err" 'power source: RAPL: pkg-0 \+ dram' 'the source is named'
like "$err" '4 samples are too few for meaningful statistics' 'few samples: a warning'
is "$(grep -c '^-------- ----- ----- ' "$TMP/rows")" 3 'three lines around the statistics'
is "$(grep -oE '^ *(Average|GeoMean|StdDev|Minimum|Maximum)' "$TMP/rows" | tr -d ' ' | tr '\n' ' ')" \
	'Average GeoMean StdDev Minimum Maximum ' 'the statistic rows, in their order'
take pkg 0
between 14.8 15.2 "$(column Watts)" '--total=pkg'
take platform 0
between 21.8 22.2 "$(column Watts)" '--total=psys'
like "$out" 'System:  2[12]\.' '--total=psys is of the system'
take psysless 3
like "$err" 'rapl' '--total=psys without psys: message'
is "$(cat "$TMP/rows")" '' 'and no row'
take kilo 0
between 1414 1443 "$(column Watts)" 'a kilowatt'
between 39.5 40.5 "$(column dram-0)" 'keeps the columns behind it under their heads'
take auto 0
between 14.8 15.2 "$(column Watts)" 'auto on mains takes RAPL'
take load 0 'a module that cannot be loaded is no end'
like "$err" 'no_such_module_here' 'but is reported'

# --- unknown figures ---
# FROM TO: the readings of the last run between these times, ms; those of one sample count as one
readings_in() { lab_groups energy_uj | awk -v a="$1" -v b="$2" '$2 >= a && $1 < b { n++; if ($1 < a || $2 >= b) n += 100 } END { print n + 0 }'; }
take glitch 0
if lab_read_within energy_uj 1400 4; then
	is "$(of_samples '.watts | select(. != null and (. < 5.9 or . > 6.1))')" '[]' \
		'steps of 700 J, back and forward: no row of it'
	is "$(of_samples .watts | jq 'map(select(. == null)) | length <= 5')" true 'missing are one row for each glitch and three for the fall'
	near_six=$(of_summary '.watts_average > 5.98 and .watts_average < 6.02')
	is "$near_six" true 'the run average is right'
	is "$(of_samples '.watts' | jq '.[-1] != null')" true 'after a step for good it goes on'
fi
take glitch-amd 0
# Two readings while the counter is high would agree.
low=$(readings_in 2250 2750) high=$(readings_in 4250 4750)
if [ "$low $high" = '1 1' ] && lab_read_within energy_uj 900 3; then
	is "$(of_samples '.watts | select(. != null and (. < 5.9 or . > 6.1))')" '[]' \
		'without a constraint 700 J in half a second are doubted'
	is "$(of_samples .watts | jq 'map(select(. == null)) | length <= 3')" true 'in one row each'
	is "$(of_summary '[(.joules / .joules_of_s | . > 5.98 and . < 6.02), .stats.watts.max < 6.1, .joules_of_s > 4.4]')" \
		'[true,true,true]' 'and no energy is lost'
elif [ "$low $high" != '1 1' ]; then
	skip "the machine was busy: $low readings while the counter was low, $high while it was high" 3
fi
take norange 0
if lab_read_within energy_uj 900 3; then
	is "$(of_samples '.watts | select(. != null and (. < 95 or . > 105))')" '[]' \
		'no range: the wrap is not guessed'
	is "$(of_samples '.watts' | jq 'map(select(. == null)) | length')" 1 'that row has none'
	is "$(of_samples '.watts' | jq '.[-1] != null')" true 'and the later ones have'
fi

# CONDITION: [marks as incomplete, W by energy] of the samples for which it holds.  A reading can be late on a busy machine,
# which changes the power of two samples but not their energy.
power_where() {
	jqs "map(select(.type == \"sample\" and ($1))) |
		[(map(.incomplete) | unique), (((map(.watts * .dt_s) | add) / (map(.dt_s) | add)) | round)]"
}
take flaky 0
if lab_read_within energy_uj 900 4; then
	is "$(power_where '.domains["pkg-0"] == null')" '[[true],3]' 'while the package fails: its column is empty, the total is marked'
	is "$(power_where '.domains.dram == null')" '[[true],15]' 'after dram has vanished: its column is empty, the total is marked'
	is "$(power_where '.incomplete | not')" '[[false],18]' 'else all is there'
	is "$(of_summary '.source_lost')" false 'a part that vanishes is not the source'
fi
take unreadable 0
is "$(column core) $(column dram)" '- - - - - -' 'unreadable: - in their own columns'
between 1.4 1.6 "$(column uncore)" 'the others under their own heads'
like "$(column Watts)" '^1[45]\.[0-9]+\* 1[45]\.[0-9]+\* ' 'a total without dram is marked'
like "$out" 'not added: dram \(cannot be read\)' 'and reported'
take values 0
is "$(of_samples '.domains["pkg-0"] | . > 14.8 and . < 15.2' | jq -c unique)" '[true]' 'garbage beside a good zone: that is right'
is "$(of_samples '[.domains | to_entries[] | select(.value != null) | .key]' | jq -c unique)" '[["pkg-0"]]' 'garbage gives no figure'
# shellcheck disable=SC2016
ok 'not a control byte of a name comes out' bash -c '! LC_ALL=C grep -q "[^[:print:][:space:]]" "$0" "$1"' "$TMP/rows" "$TMP/msg"

# --- a part that cannot be read from the first reading on: figures of the rest, marked ---
take never 0
is "$(of_samples '[.incomplete, .domains.dram, (.watts > 9.9 and .watts < 10.1)]' | jq -c unique)" '[[true,null,true]]' \
	'dram fails from the first reading on: every row is marked'
is "$(of_summary '[.stats.watts.n, .incomplete, (.watts_average > 9.9 and .watts_average < 10.1)]')" '[4,4,true]' \
	'and the statistics are of what there is'
take never-table 0
like "$out" 'CPU:  *(9\.9|10\.0)[0-9]* Watts on average' 'so is the summary'
like "$out" 'not added: dram \(cannot be read\)' 'which reports what is not in the total'
take never-line 0
like "$out" 'Watts (9\.9|10\.0)[0-9]\* now, (9\.9|10\.0)[0-9] min, ' '-m has the mark, and the others'
take never-list 0
like "$out" 'intel-rapl:0:0 \(dram\): cannot be read \(Input/output error\), not added' '--list reports errors of reading'
is "$(tail -n 1 "$TMP/rows")" 'Selected source: RAPL: pkg-0' 'and names what is in the sum'

# --- a counter that stands still is not 0 W ---
take msr-fails 0
is "$(of_samples '[(.watts > 24.8 and .watts < 25.2), .incomplete]' | jq -c unique)" '[[true,false]]' \
	'a zone fails and its duplicate works: no row without a figure'
# One interval that is added twice is an eighth more; a reading that is late is less.
is "$(of_summary '(.joules / .span_s) | . > 23.5 and . < 26.5')" true 'and no energy is added twice'
take stuck 0
if lab_read_within energy_uj 900 4; then
	is "$(of_samples 'select(.watts != null) | [(.watts | . > 0 and . < 11), .domains.dram, .domains.psys, .incomplete]' | jq -c unique)" \
		'[[true,null,null,false]]' 'one that has never moved is in no total'
	is "$(of_samples .watts | jq -c '[.[0] != null, (.[5:] | unique)]')" '[true,[null]]' 'one that stands still has no figure'
	is "$(of_samples .domains.uncore | jq -c '.[5:] | unique')" '[0]' 'the GPU can be switched off'
	# joules are rounded to 6 decimals
	moved=$(awk -F'\t' '$3 ~ /intel-rapl:0\/energy_uj$/ { if (!n++) first = $4; last = $4 } END { printf "%.6f", (last - first) / 1e6 }' "$lab_log")
	is "$(of_summary "[(.joules | . > $moved / 2 and . < $moved + 0.00001), .stats.watts.min > 0]")" '[true,true]' 'and no 0 is in the statistics'
fi
take stuck-pkg 0
is "$(of_samples '[.incomplete, (.watts > 2.9 and .watts < 3.1)]' | jq -c unique)" '[[true,true]]' \
	'a package that has never moved: the total of the rest is marked'
is "$(of_summary .incomplete)" 4 'in every sample'
take stuck-pkg-table 0
like "$(column Watts)" '^(3\.0[0-9]|2\.9[0-9])\* ' 'in the table, too'
like "$out" 'Note: 4 samples with an incomplete total' 'and in the summary'
take stuck-table 0
like "$out" 'not added: dram \(the counter has never advanced\)' 'the summary names one'
like "$out" 'did not advance in some samples \(no value shown\): pkg-0, psys\.' 'and the others'

# --- more than a constraint allows is not believed at once ---
take jolt 0
high=$(readings_in 2250 2750)
if [ "$high" = 1 ]; then
	is "$(of_samples '.watts | select(. != null and (. < 5.9 or . > 6.1))')" '[]' '700 J up for one reading: no row of it'
	is "$(of_samples .watts | jq 'map(select(. == null)) | length')" 1 'and one is missing'
	is "$(of_summary '[(.joules / .joules_of_s | . > 5.95 and . < 6.05), .joules_of_s > 4.9]')" '[true,true]' \
		'the energy is right, of all of the time'
else
	skip "the machine was busy: $high readings while the counter was high" 3
fi

# --- who counts for whom ---
take first 0
between 24.5 25.5 "$(column Watts)" 'a dead zone: its duplicate counts'
is "$(column pkg-0-duplicate)" '- - -' 'and the column of the dead one has nothing, from the first row on'
take dead-list 0
like "$out" 'intel-rapl-mmio:0 \(pkg-0\): readable, added' '--list: the duplicate that works'
like "$out" 'intel-rapl:0 \(pkg-0-duplicate\): readable, duplicate zone, not added' 'and the dead one'
take mirror-list 0
is "$(grep -c 'repeats another die' "$TMP/rows")" 3 '--list: dies that repeat another one'
is "$(tail -n 1 "$TMP/rows")" 'Selected source: RAPL: pkg-0.0' 'the one that counts'
take mirror-late 0
# Two looks must agree: at each of the last two, the four dies must have been read within 40 ms.  Looks are 800 ms
# apart; a look begins after a pause.
apart=$(awk -F'\t' '$3 ~ /energy_uj$/ { if ($1 - t > 90e6) { before = took; first = $1; n = 0 } t = $1; took = ++n == 4 ? t - first : 999e6 }
	END { printf "%.0f\n", (took > before ? took : before) / 1e6 }' "$lab_log")
if [ "$apart" -le 40 ]; then
	is "$(grep -c 'repeats another die' "$TMP/rows")" 3 '--list: so do dies of which one is read late'
else
	skip "--list: dies of which one is read late: one of the last two looks took $apart ms"
fi

# --- a guest whose hypervisor lets the counters stand still ---
for i in 0 1; do
	zone=$TMP/guest/sys/class/powercap/intel-rapl:$i
	mkdir -p "$zone" "$TMP/guest/proc"
	echo "package-$i" >"$zone/name"
	echo 262143328850 >"$zone/max_energy_range_uj"
	echo 0 >"$zone/energy_uj"
done
cp /proc/stat "$TMP/guest/proc/stat"
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu hypervisor\n\n' >"$TMP/guest/proc/cpuinfo"
run timeout 60 "$POWERSTAT" --root="$TMP/guest" -N --no-procs -R 0.3 2
is "$status" 3 'counters that never advance: exit status 3'
like "$err" 'pkg-0, pkg-1: the energy counter has never advanced from 0 J

  This is a virtual machine\. The energy counters of the processor \(RAPL\)' 'the reason, and what a guest can do'

# --- several wraps of a counter within one long interval ---
take back 0
if lab_read_within energy_uj 900 1; then
	is "$(of_samples .incomplete | jq -c '[(map(select(.)) | length > 0), .[-1]]')" '[true,false]' \
		'--keep-privileges: a zone that comes back is read again'
fi
take long 0
# Readings further apart than a wrap are dropped.
if lab_read_within energy_uj 250 1; then true_rows 1 0.2 watts; fi
num "$(lab_reads /sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj)" -ge 20 'a counter that can wrap is read in between'
done_testing
