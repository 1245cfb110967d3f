#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 12
# The JSON records of each tool are those of its schema, which is made of TOOL/records.c and the column tables: no
# key, type or word that is not in it.  Changed records must be refused.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/lab.sh"
need_cmd jq
able_tools
lack=$(lab_lacks)

# Options of runs that show every kind of record; a first word @SPEC: on that simulated machine.
modes() { # TOOL
	case $1 in
	forkstat) printf '%s\n' '-R 0.1 -E -x -S --parent -k --loginuid --env=PATH --keep-privileges' --failed '--source=proc --timestamp=epoch' ;;
	cpustat) printf '%s\n' '-m 2 -W -x -g -D' '-G cgroup -g' '-G comm' '-H -l --timestamp=mono' ;;
	eventstat) printf '%s\n' '-x --tick --self --summary' '-g process -l --timestamp=mono' '-g comm' '-g function -k' '-g cgroup' -i \
		--method=perf '--wakeups --summary --histogram' '--wakeups --woke -g cgroup' ;;
	power-calibrate)
		printf '%s\n' '-e --timestamp=mono --summary' '--target-ci=50% --max-time=2 --quiet' --duration=1
		return
		;;
	pagemon) printf '%s\n' '-m --smaps --timestamp=mono' -x --smaps "--pid=$executes" '--method=read -m' ;;
	powerstat) printf '%s\n' '-s -J -c' '-i 99 -p --timestamp=delta' '@rapl-2x2 -R -D -J' \
		'@laptop-energy -d 0 -J -D' '@laptop-level -d 0 --baseline=0.2' '@rapl-2x2 -R --baseline=0.2 --repeat=2' '@thermal -t -P none' '@cpufreq -f -g -P none' ;;
	stressors)
		printf '%s\n' '--perf --tz --timestamp=mono' '--cyclic=1 --cyclic-policy=other --cyclic-dist=1ms --taskset=0' '--seq --nop=2' '--coverage --nop=1 --nop-ops=1'
		return
		;;
	esac
	echo --summary
	echo --duration=1 # of all processes
}
# Processes that start, end by a signal, rename themselves, and use the CPU.
bg bash -c 'while :; do bash -c "kill -9 \$\$"; "$1/hostile" comm; "$1/hostile" argv; sleep 0.1; done' sh "$HELPERS" >/dev/null 2>&1
# One that executes a program again and again.
again='sleep 0.05; exec bash -c "$0" "$0"'
bg bash -c "$again" "$again"
executes=$bg_pid
check() { jq -r --slurpfile schema "$BUILD/schema/$1.schema.json" --argjson check "$2" -f "$TOP/tests/lib/schema.jq" "${@:3}"; } # TOOL CHECK ARGUMENT...
conforms() { # TOOL NAME: the records in $TMP/out, of a storm of other tests the first thousand and the last
	sed -n '1,1000p; $p' "$TMP/out" >"$TMP/records"
	is "$(check "$1" false "$TMP/records" | sort | uniq -c | head -n 5)" '' "$1 $2: records as in the schema"
	jq -r .type "$TMP/out" >>"$TMP/types"
}

without_command() { # TOOL OPTION...
	program "$1"
	run "${program[@]}" "${@:2}"
	without_notes
}
leave_out() { # REASON: the two tests of a mode
	skip "$1" 2
	left_out=$1
}
run_mode() { # TOOL OPTION...
	case $2 in
	@*)
		if [ -z "$lack" ]; then
			ending "$1"
			lab "$(lab_tree "${2#@}")" "$BUILD/bin/$1" --json --interval=0.1 "${@:3}" ${ending[@]+"${ending[@]}"}
		else
			leave_out "$*: $lack"
			return
		fi
		;;
	--duration*) without_command "$1" --json "${@:2}" ;;
	*) brief "$1" --json "${@:2}" ;;
	esac
	# Where forkstat cannot run, there are no process events for others.
	if [ "$status" = 3 ] && [[ " ${tools[*]} " != *' forkstat '* ]]; then
		leave_out "$*: ${err##*$'\n'}"
		return
	fi
	if [ "$status" = 4 ] && [ "$2" = --failed ]; then
		leave_out "$*: ${err##*$'\n'}"
		return
	fi
	if [ "$status" = 1 ] && [ "$2" = --coverage ]; then
		leave_out "$*: ${err##*$'\n'}"
		return
	fi
	if [ "$2" = --method=perf ] && [ -n "${NO_TRACING-}" ]; then
		leave_out "$*: $NO_TRACING"
		return
	fi
	# A second is too short for a battery that reports only its level.
	local want=0
	[ "$2" != @laptop-level ] || want=3
	is "$status" "$want" "$*: exit status $want"
	conforms "$1" "${*:2}"
}

refused() { # TOOL FILTER NAME: the header, changed so, does not conform
	isnt "$(head -n 1 "$TMP/out" | jq -c "$2" | check "$1" false)" '' "$1: $3 is refused"
}

# Rows of losses: the buffer of the socket holds a few events.
lost() {
	brief_bg forkstat --json --buffer=4096 --source=proc
	wait_for [ -s "$TMP/rows" ]
	kill -STOP "$bg_pid"
	for _ in {1..50}; do /bin/true; done
	kill -CONT "$bg_pid"
	wait_for has_line "$TMP/rows" '"event":"lost"'
	kill -INT "$bg_pid"
	reap "$bg_pid"
	mv "$TMP/rows" "$TMP/out"
	conforms forkstat 'rows of losses'
}

records() { # TOOL
	local words
	lab_log=$TMP/lab.log
	is "$(check "$1" true -n)" '' "$1: the schema is strict, and all of it is checked"
	: >"$TMP/types"
	left_out=''
	while read -r -a words; do run_mode "$1" "${words[@]}"; done < <(modes "$1")
	refused "$1" '.schema = "1"' 'a wrong type'
	refused "$1" '.version = 1' 'another wrong type'
	refused "$1" '.tool = "other"' 'a wrong word'
	refused "$1" '.new = 1' 'an unknown key'
	refused "$1" 'del(.start)' 'a record with a key missing'
	refused "$1" '.type = "new"' 'an unknown record'
	[ "$1" != forkstat ] || lost
	if [ -n "$left_out" ]; then
		skip "$1: every kind of record: $left_out"
		return
	fi
	# A note of powerstat is about a suspend or a sample missed; a machine that is never idle has no wake-ups;
	# pagemon loses a process only when that executes what its user may not read, and waits for one only if it
	# cannot be opened; interim records answer a signal.
	is "$(jq -r '.oneOf[]["$ref"][8:]' "$BUILD/schema/$1.schema.json" | grep -vxE 'note|wakeups|wakeup_total|lost|waiting|interim' |
		sort | comm -23 - <(sort -u "$TMP/types"))" '' "$1: every kind of record was there"
}
each_tool records
done_testing
