#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 9
# How a run of powerstat ends and what can come between: signals, sources that go, readers that
# go or are slow, a stop of a second.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need

# --- signals ---
simulate stopped rapl-one -R --csv --timestamp=mono 0.1 0
for signal in INT TERM HUP; do simulate "sig$signal" rapl-one -R -j 0.3 0; done
for signal in INT TERM; do simulate "wait$signal" rapl-one -R -d 60 1 5; done
lab_spec rapl-vanish <<<'/sys/devices/virtual/powercap/intel-rapl until 2' >/dev/null
mv "$TMP/own.spec" "$TMP/vanishes.spec"
simulate vanish vanishes -R -j 0.2 100
simulate late rapl-one -R -j 0.1 0
simulate wall rapl-one -R -j 0.2 10
# Runs without a value: a counter whose unit is wrong, beside one that stands still; a meter of 4.3 MW.
cat >"$TMP/valueless.spec" <<-END
	include "$LAB/trees/cpus.inc"
	# True: unknown; the counter rises by 4100 W on a processor of 6 W.
	zone intel-rapl:0 package-0 lin 4100 range=137438953471
	constraint_0_max_power_uw text 6000000
	zone intel-rapl:1 package-1 lin 0 range=137438953471
END
cat >"$TMP/unknown.spec" <<-END
	include "$LAB/trees/cpus.inc"
	/sys/class/hwmon/hwmon1/name text power_meter
	/sys/class/hwmon/hwmon1/power1_average text 4294967295000
END
simulate valueless valueless -R -j 0.3 4
simulate value-less valueless -R -z 0.3 2
simulate unknown unknown -P hwmon 0.3 2
simulate worthless valueless -R -j 0.3 -- sh -c 'sleep 0.7; exit 9'
# A COMMAND that outlives the run: it goes on, and leaves a mark when it is let.
stay() { # NAME MACHINE OPTION...
	mkfifo "$TMP/$1.go"
	simulate "$@" -- sh -c 'read -r _ <"$0.go"; echo whole >"$0.done"; exit 9' "$TMP/$1"
}
stay counted rapl-one -R -j 0.2 3
stay lasted rapl-one -R -j --duration=1.1 0.5
stay termed rapl-one -R -j 0.2
stay lost vanishes -R -j 0.2
goes_on() { # NAME
	echo 1<>"$TMP/$1.go" # does not wait for a reader that has exited
	ok "$1: the COMMAND went on" wait_for has_line "$TMP/$1.done" whole
}
for signal in INT TERM HUP; do
	rows_of "sig$signal" 2
	kill "-$signal" "${run_pid[sig$signal]}"
	take "sig$signal" 0
	is "$(jqs '.[-1] | [.type, .samples >= 2]')" '["summary",true]' "SIG$signal: a summary"
done
for signal in INT TERM; do
	wait_for has_line "$TMP/wait$signal.msg" 'power source'
	wait_for has_line "$TMP/wait$signal.rows" 'Running'
	kill "-$signal" "${run_pid[wait$signal]}"
	take "wait$signal" 0
	unlike "$out" 'Summary|Average' "SIG$signal in the start delay: no summary"
done

# Stopped for a second: the samples in between are missed and reported, and do not come in a burst.
rows_csv() { [ "$(wc -l <"$TMP/$1.rows")" -ge "$2" ]; }
wait_for rows_csv stopped 4
rows_of late 3
kill -STOP "${run_pid[stopped]}" "${run_pid[late]}"
for name in stopped late; do wait_for is_stopped "${run_pid[$name]}"; done
stop_us=${EPOCHREALTIME/./}
sleep 1
continue_us=${EPOCHREALTIME/./}
kill -CONT "${run_pid[stopped]}" "${run_pid[late]}"
n=$(wc -l <"$TMP/stopped.rows")
wait_for rows_csv stopped $((n + 4))
late=$(wc -l <"$TMP/late.rows")
more_late() { [ "$(wc -l <"$TMP/late.rows")" -ge $((late + 4)) ]; }
wait_for more_late
kill -INT "${run_pid[stopped]}" "${run_pid[late]}"
take stopped 0
true_rows 100 0.5 watts
mono_ns() { awk -v us="$1" 'NR == 1 { printf "%.0f", us * 1000 - ($3 - $2) }' "$lab_log"; } # US since 1970, by the log's first line
ok 'one row covers the stop, with the power of all of its time' awk -F, -v stop="$(mono_ns "$stop_us")" -v go="$(mono_ns "$continue_us")" \
	'NR > 1 && $2 - $3 * 1e9 <= stop && $2 >= go { n++; if ($NF < 17.1 || $NF > 18.9) n += 100 } END { exit n != 1 }' "$TMP/rows"
take late 0
is "$(of_summary '.missed >= 8')" true 'missed samples are counted'
is "$(jqs 'map(select(.type == "note") | .text | test("^[0-9]+ samples? missed: woken too late$")) | any')" true 'and reported'
slots=$(($(of_samples .mono_ns | jq '.[-1]') - $(awk 'NR == 1 { print $2 }' "$lab_log")))
# The last sample can be the rest of a slot.
num "$(of_summary '.samples + .missed')" -le $((slots / 100000000 + 1)) 'a sample or a missed one in each slot since the start: no burst after the stop'

# --- the source goes ---
take vanish 3
is "$(of_summary '[.source_lost, .samples > 0, (.watts_average > 14.8 and .watts_average < 15.2)]')" '[true,true,true]' 'the module is removed: the summary of what was'
like "$err" 'RAPL zones were removed' 'and a message'

# --- no value ---
# The watts depend on the busy machine, the limit does not.
why='pkg-0 rose by [34][0-9]{3} W, the limit is 2000 W; pkg-1: the energy counter has never advanced from 0 J'
take valueless 3
like "$err" "powerstat: no sample has a power value: $why\$" 'a run without a value: the reason on standard error'
like "$(of_summary '[.samples, .reason]')" "^\[4,\"$why\"\]\$" 'and in the summary'
take value-less 0
like "$out" "CPU: no power value was available: $why" '-z: status 0, with the reason'
take unknown 3
like "$err" 'value: power_meter-power1 reports 4294967 W, the limit is 1000000 W' "a meter's value for unknown"
take worthless 3
is "$(of_summary 'has("reason")')" true 'instead of the status of the COMMAND'

# --- a COMMAND that has not ended ---
rows_of termed 2
kill -TERM "${run_pid[termed]}"
take termed 143
is "$(jqs '.[-1].type')" '"summary"' 'terminated before its COMMAND: with a summary'
goes_on termed
take counted 0
is "$(sample_count)" 3 'COUNT samples end the run'
goes_on counted
take lasted 0
is "$(slots_shown 0.4)" 2 'so does the duration'
goes_on lasted
take lost 3
is "$(of_summary .source_lost)" true 'the source went during a COMMAND'
goes_on lost

# --- outputs ---
machine=$(lab_tree rapl-one)
run "$LAB/run" "$machine" "$lab_log" -- bash -c '"$0" -R 0.2 0 | head -n 6; echo "${PIPESTATUS[0]}" >"$1"' "$POWERSTAT" "$TMP/pipe"
is "$status $(wc -l <"$TMP/out")" '0 6' 'a reader that goes: it ends'
like "$(cat "$TMP/pipe")" '^(0|141)$' 'quietly'
unlike "$err" 'write|pipe' 'without a message'

# First bytes at once, each row as it is made.  A reader that the machine has no time for is late, but not always.
lab_log=$TMP/fifo.log
mkfifo "$TMP/fifo"
bg "$LAB/run" "$machine" "$lab_log" -- bash -c '"$0" -R --csv --timestamp=mono 0.3 5 >"$1"' "$POWERSTAT" "$TMP/fifo"
writer=$bg_pid
exec 7<"$TMP/fifo"
while IFS= read -r -u 7 line; do printf '%s %s\n' "${EPOCHREALTIME/./}" "$line"; done >"$TMP/read"
exec 7<&-
reap "$writer"
ok 'a row can be read before the next one is sampled' awk -v offset="$(mono_ns 0)" '
	{ split($2, row, ",") } row[2] ~ /^[0-9]+$/ { if (n++ && read_ns < row[2]) early++; read_ns = $1 * 1000 + offset }
	END { print "# " early + 0 " of " n - 1; exit n != 5 || !early }' "$TMP/read"

# A reader that reads only when the run has ended: samples do not wait for it.
bg "$LAB/run" "$machine" "$lab_log" -- bash -c '"$0" -R -j 0.1 12 >"$1"' "$POWERSTAT" "$TMP/fifo"
writer=$bg_pid
exec 7<"$TMP/fifo"
reap "$writer"
cat <&7 >"$TMP/slow"
exec 7<&-
is "$status $(jq -sc 'map(select(.type == "sample")) | length' "$TMP/slow")" '0 12' 'a slow reader gets all rows that the pipe can hold'

# --- the wall clock has no say ---
take wall 0
ok 'times are those of CLOCK_MONOTONIC' test "$(of_samples '.mono_ns' | jq '. == sort and (.[-1] - .[0] > 1.6e9)')" = true
is "$(jqs 'map(select(.type == "sample")) as $s | [range(1; $s | length) as $i | (($s[$i].mono_ns - $s[$i - 1].mono_ns) / 1e9 - $s[$i].dt_s) | . < 1e-6 and . > -1e-6] | unique')" '[true]' 'dt is the time since the row before'
done_testing
