#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 16
# powerstat's figures of batteries on simulated machines: the gauge's rate, the level's slope,
# what adds up, what ends a run.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
bat0=/sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0C0A:00/power_supply/BAT0

# Each row (CSV, --timestamp=mono) against the log: it has the power of the batteries that discharged at a reading that
# belongs to it, and a row's time is that before its reading.
by_log() { # MS: a reading so long before the row can be its own, too
	awk -F'\t' -v before="$1" '
		function watts(  s, b) { s = "-"; for (b in now) if (now[b] != "") s += now[b]; return s }
		FILENAME != "-" && $3 ~ /BAT.\/uevent$/ {
			match($4, /POWER_NOW=[0-9]+/)
			now[$3] = $4 ~ /STATUS=Discharging/ ? substr($4, RSTART + 10, RLENGTH - 10) / 1e6 : ""
			at[++n] = $1; w[n] = watts() }
		FILENAME != "-" { next }
		{ split($0, row, ",") }
		FNR == 1 { for (i in row) column[row[i]] = i; next }
		{ t[++rows] = row[column["mono_ns"]]; got[rows] = row[column["watts"]] == "" ? "-" : row[column["watts"]] + 0 }
		END { for (i = 1; i <= rows; i++) {
				good = 0
				for (k = 1; k <= n; k++)
					if (at[k] > t[i] - before * 1e6 && (i == rows || at[k] < t[i + 1]) && w[k] == got[i]) good = 1
				if (!good) { print "# row " i ": " got[i] " W"; bad = 1 }
				if (got[i] != got[i - 1]) kinds = kinds " " got[i]
			}
			print "# rows of" kinds; exit bad || !rows }' "$lab_log" - <"$TMP/rows"
}
rows_by_log() { # NAME
	local late
	read -r _ late < <(late_ms)
	if by_log 0; then
		pass "$1: each row is the power of its reading"
	elif [ "$late" -gt 5 ] && by_log 1500; then
		# It was not read again, because the last reading was less than a second ago.
		skip "the machine was busy: rows up to $late ms late"
	else
		fail "$1: each row is the power of its reading"
	fi
}
# NAME: rows without a figure at the end, from five seconds on the run ends: by the rows and the log
patience() {
	ok "$1: it ends when no battery has discharged for five seconds" awk -F'\t' '
		FILENAME != "-" && $3 ~ /BAT.\/uevent$/ { if ($4 !~ /Discharging/) { if (!since) since = $1 } else since = 0; last = $1; next }
		FILENAME != "-" { next }
		{ split($0, row, ",") }
		FNR == 1 { for (i in row) column[row[i]] = i; next }
		{ before = t; t = row[column["mono_ns"]]; if (row[column["watts"]] != "") first = 0; else if (!first) first = t }
		END { print "# " (last - since) / 1e9 " s"; exit !(since && last - first >= 5e9 && before - since < 5e9) }' \
		"$lab_log" - <"$TMP/rows"
}

{
	supply BAT0 <<<$'power_now text 10000000\nstatus at 0 Discharging 2.5 "Not charging"'
	supply BAT1 <<<$'power_now text 9000000\nstatus at 0 "Not charging" 4.5 Discharging'
} >"$TMP/handover.spec"
supply BAT0 <<<$'power_now text 10000000\nstatus at 0 Discharging 2.5 Unknown 3.5 Discharging 5 Unknown' >"$TMP/unknown.spec"
supply BAT0 <<<$'capacity text 80\nstatus text Discharging' >"$TMP/mute.spec"
{
	echo 'power load 15'
	supply BAT0 <<<$'status text Discharging\nenergy_now level @load start=40000000 every=1 step=1000 jump=6:-100000'
} >"$TMP/corrected.spec"
lab_spec laptop-sag <<<'charge_now charge @load volts=v start=4000000 every=1 step=100' >/dev/null
mv "$TMP/own.spec" "$TMP/sag.spec"
{
	echo $'power load steps:25@0,5@7\ntruth watts @load'
	supply BAT0 <<<$'status text Discharging\npower_now rate @load'
} >"$TMP/shift.spec"
simulate shift shift -d 0 --csv --timestamp=mono -- sleep 8
supply BAT0 <<<$'power_now text 10000000\nstatus at 0 Charging 1.5 Discharging' >"$TMP/unplugged.spec"
simulate unplugged unplugged -P battery -d 3 1 2
for machine in energy charge both pen macsmc qcom sbs; do
	simulate "$machine" "laptop-$machine" -d 0 --csv --timestamp=mono 1 4
done
simulate two laptop-two -d 0 -D 1 3
simulate handover handover -d 0 --csv --timestamp=mono 1 7
simulate handover-table handover -d 0 1 7
simulate unknown unknown -d 0 --csv --timestamp=mono 1 20
simulate unknown-table unknown -d 0 1 20
simulate mute mute -d 0 1 2
simulate corrected corrected -d 0 -j 1 12
simulate twojson laptop-two -P battery -d 0 -j 1 1
simulate ucsi laptop-ucsi -d 0 1 3
simulate evil battery-evil -d 0 -D 1 3
simulate mouse desktop-mouse 1 1
simulate mousez desktop-mouse -z 1 2
simulate plugged laptop-plugged -d 0 1 20
simulate vanish laptop-vanish -d 0 -j 1 20
simulate jump laptop-jump -d 0 -j 1 13
simulate sag sag -d 0 -j 1 12
simulate fast laptop-energy -d 0 -j 0.2 15
simulate countdown laptop-energy -d 2 -j 1 2
simulate onmains laptop-mains -P battery -d 1 1 1
simulate defaults laptop-energy -D
simulate -r legacy battery-legacy --root @ROOT@ -d 0 --csv --timestamp=mono 1 3

for machine in energy charge both pen macsmc qcom sbs; do
	take "$machine" 0
	true_rows 0.5 0.5 watts
	is "$(awk -F, 'NR > 1 { print $4 }' "$TMP/rows" | sort -u)" fuel_gauge_rate "$machine: kind of the figure"
done
take shift 0
# One reading at its end would be 5 W.
if lab_read_within BAT0/uevent 350 1; then true_rows 2 2 watts; fi
take legacy 0
true_rows 0.5 0.5 watts

take two 0
is "$(column Watts)|$(column BAT0)|$(column BAT1)" '10.00 10.00 10.00|10.00 10.00 10.00|8.00 8.00 8.00' \
	'a battery that charges has its column, and is not added'
like "$out" 'not added: BAT1' 'and the summary reports it'
like "$out" 'fuel gauge rate' 'and what kind of figure it is'
ok 'one reading a row is no mean, and those of the log are counted' awk -v n="$(lab_reads "$bat0/uevent")" '
	/readings of the power; each value is a single reading\.$/ { for (i = 2; i <= NF; i++) if ($i == "readings") got = $(i - 1) }
	END { print "# " got " of " n; exit !(got >= 3 && got <= n && got >= n - 2) }' "$TMP/rows"
take twojson 0
is "$(jqs '.[0].zones | map([.label, .counted])')" '[["BAT0",true],["BAT1",false]]' 'nor in the header, before the first reading'
take ucsi 0
is "$(column Watts)" '6.00 6.00 6.00' 'it discharges though a charger is there'
like "$out" 'only a part of the power' 'which is reported'
take evil 0
is "$(column Watts)" '12.50 12.50 12.50' 'supplies with hostile bytes beside a good one'
# shellcheck disable=SC2016
ok 'no control byte of theirs comes out' bash -c '! LC_ALL=C grep -q "[^[:print:][:space:]]" "$0" "$1"' "$TMP/rows" "$TMP/msg"
take mouse 3
is "$out" '' 'a mouse is no battery of the system: no row'
like "$err" 'battery: .*discharging.*rapl.*perf.*hwmon' 'each place is named'
take mousez 0
is "$(column Watts)" '- -' '-z: no figure, and no invented one'
like "$out" 'power was not measured' 'and the summary says so'
take onmains 1
like "$err" 'no battery is discharging' 'asked for a battery that does not discharge: message at once'

# --- the source ends ---
take plugged 3
like "$out" ' Average .*Summary:' 'the charger is plugged in: statistics and summary'
like "$out" 'System:  12\.50 Watts' 'the figure until then'
like "$err" 'charger' 'and the message'
is "$(column Watts | tr ' ' '\n' | sort -u)" 12.50 'the rows until then'
take vanish 3
is "$(of_samples '.watts' | jq -c unique)" '[12.5]' 'the battery is taken out: no row is wrong'
is "$(of_summary '[.source_lost, .samples > 0]')" '[true,true]' 'the summary is whole'
like "$err" 'battery was removed' 'and the message'

take handover 0
rows_by_log 'one battery takes over from another, and that is no end'
take handover-table 0
like "$out" 'batteries: BAT0, BAT1' 'both are reported'
unlike "$out" 'not added' 'for both were added'
take unknown 3
rows_by_log 'a status unknown for a reading is no end'
patience 'a status unknown'
like "$err" 'no battery is discharging any more' 'which is reported'
take unknown-table 3
like "$out" 'batteries: BAT0\.' 'the battery that was measured is reported'
take unplugged 0
is "$(column Watts)" '10.00 10.00' 'asked to wait: unplugged in the start delay'
take mute 3
like "$out" 'BAT0 reports neither rate nor level' 'and why'
is "$(column Watts)" '- -' 'neither rate nor level: no figure'

# --- the level ---
take fast 0
is "$(sample_count)" 15 'rows five times a second'
# The first read, at the opening, finds the kind of supply; the first reading follows.
ok 'of a battery that is read at most once a second' awk -F'\t' -v p="$bat0/uevent" '$3 == p { if (!n++) first = $1; last = $1 }
	END { print "# " n " reads in " (last - first) / 1e9 " s"; exit n < 3 || n > (last - first) / 1e9 + 3 }' "$lab_log"
take sag 0
# The time of a change of the level is known as well as that of its reading.
if lab_read_within BAT0/uevent 1200 1; then
	is "$(of_samples '.watts' | jq '.[-1] > 10.4 and .[-1] < 12.4')" true 'charge under a falling voltage: the drop is no power'
fi
is "$(of_samples '.estimate' | jq -c unique)" '[false,true]' 'rows without figure, then estimates'
take jump 0
if lab_read_within BAT0/uevent 1200 1; then
	is "$(of_samples '.watts | select(. != null and (. < 8 or . > 16))')" '[]' 'a gauge that jumps up: no row is wrong'
fi
is "$(of_samples '.watts' | jq '.[-1] != null')" true 'and it restarts'
take corrected 0
if lab_read_within BAT0/uevent 1200 1; then
	is "$(of_samples '.watts | select(. != null and (. < 13 or . > 17))')" '[]' 'a gauge that corrects itself downwards: that is no power'
fi
is "$(of_summary '.samples')" 12 'in any of the rows'
take countdown 0
is "$(of_samples '.watts')" '[12.5,12.5]' '-d: rows after the start delay'
is "$(jqs '.[0] | [.start_delay_s, .delay_s, .count]')" '[2,1,2]' 'in the header'
# The defaults are in the preamble: nobody waits for them here.
kill -INT "${run_pid[defaults]}"
take defaults 0
like "$out" 'Running for 300\.0 seconds \(30 samples at 10\.0 second intervals\)\.' 'battery: 480 s less the start delay, each 10 s'
like "$out" 'start in 180 seconds time' 'after 180 s'
unlike "$out" 'Summary' 'interrupted before: no summary of nothing'

# --- files that stand still ---
uevent() { # NAME PROPERTY...
	local dir=$TMP/still/sys/class/power_supply/$1
	shift
	mkdir -p "$dir"
	printf 'POWER_SUPPLY_%s\n' "$@" >"$dir/uevent"
}
still() { # ARGUMENT...
	run timeout 60 "$POWERSTAT" --root="$TMP/still" -N --no-procs -j "$@" 0.1 2
}
mkdir -p "$TMP/still/proc" "$TMP/still/sys/class/powercap/intel-rapl:0"
printf 'cpu  100 0 100 10000 0 0 0 0 0 0\n' >"$TMP/still/proc/stat"
echo package-0 >"$TMP/still/sys/class/powercap/intel-rapl:0/name"
echo 262143328850 >"$TMP/still/sys/class/powercap/intel-rapl:0/max_energy_range_uj"
echo 1000000 >"$TMP/still/sys/class/powercap/intel-rapl:0/energy_uj"
uevent BAT0 TYPE=Battery STATUS=Discharging POWER_NOW=12000000
still -D
is "$status,$(jq -c 'select(.type == "header") | [.source, .start_delay_s]' <<<"$out")" '0,["battery",0]' \
	'-D on battery: with columns of RAPL it starts at once'
uevent BAT0 TYPE=Battery STATUS=Discharging CHARGE_NOW=3000000
still
is "$(jq -r 'select(.type == "header").source' <<<"$out")" rapl 'a charge without a voltage does not hide RAPL'
uevent BAT0 TYPE=Battery STATUS=Discharging CURRENT_AVG=-161508 VOLTAGE_AVG=4117300 VOLTAGE_OCV=16000
still -d 0
is "$(jq -c 'select(.type == "summary") | [.source, .watts_average]' <<<"$out")" '["battery",0.664976]' 'averages of the gauge'
uevent BAT0 TYPE=Battery STATUS=Discharging CURRENT_NOW=500000 VOLTAGE_MIN_DESIGN=7400000
still -d 0
is "$(jq -c 'select(.type == "sample") | [.watts, .kind]' <<<"$out" | sort -u)" '[3.7,"estimate"]' 'the design voltage gives an estimate'
done_testing
