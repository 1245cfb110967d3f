#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# heavy
# seconds: 8
# How a run of power-calibrate ends: by itself, by a signal with the result of what there is, by SIGKILL.  The
# loads never outlive it, and the files of an earlier run survive.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
long=(-R -n 0 -s 101 -r 1 --settle=0 0.1) # until a signal ends it

# A complete run, and its records.
at_once=20
begin() { # NAME OPTION...: in the background, until a signal ends it
	echo earlier >"$TMP/$1.yaml"
	simulate "$1" calibrate-clock "${long[@]}" -o "$TMP/$1.yaml" "${@:2}"
}
simulate whole calibrate-clock "${short[@]}" --json="$TMP/json" --csv
simulate constant calibrate-constant "${short[@]}"
for name in SIGINT SIGTERM SIGHUP stopped; do begin "$name" --json; done
for name in text group SIGKILL; do begin "$name"; done
echo earlier >"$TMP/earlier.yaml"
sed 's/5@1$/5@1,15@3,5@4/' "$(lab_tree calibrate-clock)" >"$TMP/slower.spec"

take whole
like "$status" '^[01]$' 'a complete run'
ok "the machine's clock begins with the first reading" awk -F'\t' '
	$1 == "start" { start = $2; starts++ } $3 ~ /energy_uj$/ && !n++ { late = $1 - start } END { exit starts != 2 || late > 1e6 || late < 0 }' "$lab_log"
is "$(jq -r .type "$TMP/json" | sort -u | grep -vx result | tr '\n' ' ')" 'header reading summary test ' 'JSON has all kinds of records'
is "$(wc -l <"$TMP/rows") $(sort -u "$TMP/rows" | wc -l)" '3 3' 'CSV: a heading and a row for each test, none twice'
is "$(jq -r --slurpfile schema "$BUILD/schema/power-calibrate.schema.json" --argjson check false -f "$TOP/tests/lib/schema.jq" \
	"$TMP/json")" '' 'JSON: records as in the schema'

# A constant power is no result.  What is read of a counter late, on a busy machine, is some noise, whose slope may be
# above 0: then the interval says it.
take constant 1
like "$err" 'no result: |the 95% confidence interval contains 0, so' 'constant power: a message'
unlike "$out$err" '[^a-z](nan|inf)[^a-z]' 'constant power: no figure that is none'

# shellcheck disable=SC2317 # called by wait_for
two_tests() { [ "$(grep -cE '^ *[0-9.]+% x |"type":"test"' "$TMP/$1.rows")" -ge 2 ]; }
measured() { # NAME: returns when there are two tests, with its loads in $loads
	wait_for two_tests "$1"
	mapfile -t loads < <(loads_of "${run_pid[$1]}")
	is "${#loads[@]}" 1 "$1: a load for each CPU"
}
gone() { # NAME: the loads end; how long after the tool is reported
	local ms
	wait_for ended "${loads[@]}"
	ms=$(((${EPOCHREALTIME/./} - ended_us) / 1000))
	ok "$1: the loads have ended ($ms ms)" ended "${loads[@]}"
}
partial() { # NAME: the result of what there is has its own file
	if [ -e "$TMP/$1.yaml.partial" ]; then
		like "$err" "power-calibrate: the run is incomplete; its result is in $TMP/$1.yaml.partial\$" "$1: the message"
		like "$(cat "$TMP/$1.yaml.partial")" 'complete: false.*one-busy-cpu-watts' "$1: the result so far"
	else
		like "$err" 'power-calibrate: the run is incomplete: no file was written$' "$1: the message"
		like "$err" 'no result: |contains 0, so no effect' "$1: the reason"
	fi
}
signalled() { # NAME SIGNAL...: ends it; $status, $ended_us
	kill -"$2" "${run_pid[$1]}"
	take "$1" 2>/dev/null
	ended_us=${EPOCHREALTIME/./}
	gone "$1"
	is "$(cat "$TMP/$1.yaml")" earlier "$1: the earlier file is as it was"
	[ "$2" = KILL ] || partial "$1"
}
for signal in INT TERM HUP; do
	measured "SIG$signal"
	signalled "SIG$signal" "$signal"
	is "$status" $((128 + $(kill -l "$signal"))) "SIG$signal: exit status"
	is "$(jq -r .type "$TMP/rows" | tail -n 1)" summary "SIG$signal: the records are complete"
done
# With the result of what there is: as a record, and as text.
if has_line "$TMP/rows" '"type":"result"'; then
	is "$(of_result '[.complete, .tests >= 2, .readings > 10]')" '[false,true,true]' 'a result of what there is'
else
	skip "no certain result: $(messages | head -n 1)"
fi
measured text
signalled text INT
is "$status" 130 'SIGINT, text: exit status'
if [[ $err == *'no result: '* ]]; then
	skip "$(messages | head -n 1)" 2
else
	like "$out" $'\n''For all CPUs:'$'\n''  Power \(Watts\) = ' 'SIGINT, text: the result'
	like "$out" 'Incomplete: [0-9]+ of 101 tests were done' 'SIGINT, text: it says of how much'
fi
is "$(grep -c 'CPU load  User' "$TMP/rows")" 1 'SIGINT, text: no line twice'
# After four tests (full load, idle, idle, full load) there is a result, however busy the real machine is.  It replaces
# no earlier file.
# shellcheck disable=SC2317 # called by wait_for
fifth_test() { grep -q '"type":"reading".*"test":5' "$TMP/$1.rows"; }
uncertain() { grep -qE ': (the 95% confidence interval contains 0|no result: )' <<<"$err"; }
for name in earlier fresh; do
	for _ in 1 2 3 4; do
		simulate "$name" slower -R -n 0 -s 2 -r 1 --settle=0 0.1 --seed=1 --target-ci=0.01 --json -o "$TMP/$name.yaml"
		wait_for fifth_test "$name"
		kill -TERM "${run_pid[$name]}"
		take "$name"
		uncertain || break
	done
	is "$status" 143 "$name: exit status"
	if uncertain; then
		skip "$name: no certain result: $(messages | head -n 1)" 3
		continue
	fi
	file=$TMP/$name.yaml
	[ "$name" = fresh ] || { is "$(cat "$file")" earlier 'an earlier file is as it was' && file+=.partial; }
	is "$(messages)" "power-calibrate: the run is incomplete; its result is in $file" "$name: the message"
	like "$(cat "$file")" $'\n    complete: false\n.*one-busy-cpu-watts' "$name: the result so far"
	is "$(ls "$TMP/$name".yaml* | tail -n 1)" "$file" "$name: no other file"
done
# From a terminal the signal goes to the whole process group.
measured group
kill -INT "${loads[@]}" "${run_pid[group]}"
take group
ended_us=${EPOCHREALTIME/./}
is "$status" 130 'SIGINT to the loads, too: exit status'
unlike "$(cat "$TMP/msg")" 'the load of CPU' 'the loads leave it to the tool'
gone group

measured SIGKILL
signalled SIGKILL KILL
is "$status" 137 'SIGKILL'

# Stopped for longer than a test: the run goes on, and ends.
measured stopped
kill -STOP "${run_pid[stopped]}"
wait_for is_stopped "${run_pid[stopped]}"
n=$(wc -l <"$TMP/stopped.rows")
kill -CONT "${run_pid[stopped]}"
# shellcheck disable=SC2317 # called by wait_for
more() { [ "$(wc -l <"$TMP/stopped.rows")" -gt $((n + 2)) ]; }
ok 'stopped and continued: more records' wait_for more
signalled stopped TERM
is "$status" 143 'stopped and continued: exit status'
done_testing
