#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# heavy
# seconds: 40
# timeout: 600
# Faults: if one allocation or one system call fails, or memory is short, no tool crashes or hangs, no
# record or row is torn, and an output with less than that of a run without a fault is reported by the
# exit status, a message or a row of losses.  A few points; with FAULTS=all (faults-all.sh) as many as
# FAULT_SECONDS allow (tests/lib/faults.sh), of each mode from the start to the end.  Arguments: only these tools.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/faults.sh"
mapfile -t tools < <(printf '%s\n' "${tools[@]}" | grep -vx stressors) # t/stressors/faults.sh
[ $# = 0 ] || tools=("$@")
able_tools
few=4 # points of each kind and mode in the short form

# Modes of a tool, as options; a first word @SPEC: on that simulated machine.  No names of users (-x),
# because the name service of glibc 2.36 uses memory that it did not get (nss_database_get).
modes() { # TOOL
	case $1 in
	forkstat) printf '%s\n' '--summary -E -i -g' --source=perf "--source=proc -R 0.1 -S -u $(id -u)" ;;
	cpustat) printf '%s\n' "-g -D -T -x -W -l -u $(id -u)" '-m 2 -H -G comm -r REPORT' '--source=proc -g -G parent' ;;
	eventstat) printf '%s\n' '-x --summary -S -r REPORT' '--wakeups --histogram --summary' '-i -c -w -C -r REPORT' '--method=perf -g process -l --summary' ;;
	pagemon) printf '%s\n' '-m -S' -x '--method=read -m --summary' ;;
	powerstat) printf '%s\n' --power=none '@rapl-2x2 -R -a -s -J -D' '@laptop-energy -d 0 -J -D -m' ;;
	power-calibrate) printf '%s\n' '--summary -o REPORT --gnuplot=REPORT-plot' ;;
	*) echo --summary ;;
	esac
}
# What a run says at its start in any case.
notes='^power(stat|-calibrate): power source: |^power-calibrate: [0-9]+ tests of '
# The command of each run: 10 programs, some CPU time, and the time of three intervals.
# shellcheck disable=SC2016
busy='for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true $i; done
	i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; sleep 0.3'

# For pagemon without children, whose rows depend on the time of the snapshot.
# shellcheck disable=SC2016
busy_alone='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'

# Calls that the kernel does not let fail, or not in this way: brk returns the old break, wait4 and
# waitid need no memory.
infallible='^(brk|wait4|waitid|exit_group|exit|rt_sigreturn|restart_syscall)$'

# The run under test, with every output; the wrapper's words in $wrap.
trial() { # DIR
	local words brief outer=() machine ending=()
	read -r -a words <<<"${mode//REPORT/$1/report}"
	if [[ ${words[0]} == @* ]]; then
		# strace waits for all its children, and those of run would be its own.
		outer=("$TOP/tests/lab/run" "$TOP/tests/lab/trees/${words[0]#@}.spec" "$1/log" -- sh -c '"$@"; exit' sh)
		words=(--interval=0.1 "${words[@]:1}")
	else
		read -r -a brief < <(brief_options "$tool")
		words=(${brief[@]+"${brief[@]}"} "${words[@]}")
		machine "$tool"
		[ ${#machine[@]} = 0 ] || outer=("${machine[@]}" sh -c '"$@"; exit' sh)
	fi
	! has_command "$tool" || ending=(-- sh -c "$busy")
	[ "$tool" != pagemon ] || ending=(-- sh -c "$busy_alone")
	timeout -k 2 "$RUN_LIMIT" ${outer[@]+"${outer[@]}"} "${wrap[@]}" "$BUILD/bin/$tool" "${words[@]}" --json="$1/json" \
		--csv="$1/csv" --prom="$1/prom" ${ending[@]+"${ending[@]}"} >"$1/table" 2>"$1/msg" </dev/null
}

# Rows whose number depends on the machine or the moment: which tasks arm timers, which CPUs are woken.
declare -A machine_rows=([eventstat]='\|^table:  *0 \([^T]\|T[^o]\)\|^table:  *CPU \|There are no values' # not "0 Total events"
	[cpustat]='\|[ /]true\( \|$\)' # seen while it runs, or not
	[pagemon]='\| file  ' # before its exec, the command has the mappings of pagemon
	# prefixes of figures, exponents, words on the quality of a line
	[power-calibrate]='\|% x 0\|Watts)\|Watt-seconds)\|is about\|R^ *0\|linear\|follow a line')

# DIR: what a run shows, without the figures: its kinds of lines.  Without BPF, names of a busy machine
# differ from run to run.  A row of losses is a report; there need be none.  The children of the command
# take less than the 10 ms in which their parent's cutime counts: there may be a row of them, or none.  Loads of
# runs at the same time share the CPU: a shortfall may be reported, or none.  Only a process that cpustat finds in two
# readings has a time of waiting: on a busy machine one of the 10 programs may.
# forkstat reports as unknown the CPU time of processes whose records come after its end, or never (taskexit.h): that is
# a matter of the kernel, and it may be that of all; known and unknown ones together are all that have exited.
shape() {
	local all=true
	[[ $mode != *--source=* ]] || all=false
	jq -c --argjson names $all 'def with_unknown:
			if (.cpu_s | type) == "object" and .cpu_s.unknown > 0 and .cpu_s.count + .cpu_s.unknown == .events.process_end
			then .cpu_s.total = 0 | .programs[] |= if .cpu_unknown then .cpu_s = 0 | del(.cpu_unknown) else . end
			else . end;
		if .type == "summary" then with_unknown else . end | walk(if type == "number" then 0 elif type == "string" and test("^[0-9]{4}-") then "T" else . end) |
		if .event == "lost" or .kind == "exited" then empty elif .type == "timers" or .type == "total" then .type elif .type == "wakeups" or .type == "wakeup_total" then empty elif .type == "event" then [.event, if $names then .argv else null end] elif .type == "summary" then
		[paths(type != "object") | map(if type == "number" then 0 else . end)] | unique else keys - ["load_shortfall", "wait_pct"] end' "$1/json"
	# The state of a process is that of a moment.  A histogram needs two different values; a log of events has
	# those of the whole machine; a figure that was not read is missing in its sample; the last interval is
	# partial, or too short to be shown; how many readings there are in a sample is a matter of the machine's
	# load.
	sed -E 's/([0-9])(us|ms|s|min|h)\>/\1/g; s/; a figure is .*//; s/^(CPU time of [0-9]+ process)(es)? that exited( is unknown$|: ([0-9.]+)(; unknown for [0-9]+)?$)/\1es that exited: 0/; s/ (reading|estimate|sample|restart)s\b/ \1/g; s/ +\(partial [0-9.]+ s\)//; s/ *(-|[0-9.:]+)/ 0/g; s/ 0 (us|ms|s|min|h)\>/ 0/g; s/( 0)+ */ 0 /g; s/^ 0 [RSDZ] 0 / 0 S 0 /; s/^/table: /' "$1/table" | grep -a '[A-Z]' | grep -v "Range\|Histogram\|Partial sample\|pid=${machine_rows[$tool]:-}"
	[ ! -e "$1/prom" ] || sed -n '/cpu_ratio\|idle_exits/d; s/^# TYPE/prom:/p' "$1/prom"
	[ ! -e "$1/report" ] || sed -n '1s/,.*/: report/p' "$1/report"
	head -n 1 "$1/csv"
}
# DIR: the number of rows of each kind, if the load determines it
rows() {
	jq -r 'select(.type == "event" and (.event == "exec" or .event == "exit")) | .event' "$1/json" | sort | uniq -c
	jq -r 'select((.type == "event" or .type == "sample" or .type == "test") and .event != "lost") | .event // "sample"' "$1/json" | sort -u
}

# NAME DIR STATUS: prints the errors
verdict() {
	local status=$3 missing
	if [ "$status" = 124 ]; then
		echo "$1: hangs"
	elif [ "$status" -gt 128 ]; then
		echo "$1: killed by signal $((status - 128))"
	fi
	torn "$2" table prom report | sed "s|^|$1: |"
	sed -n "s|^[a-z]*: ?: |$1: a message that names nothing: |p" "$2/msg"
	[ "$status" = 0 ] || return
	grep -qvE "$notes" "$2/msg" && return
	grep -q '"event":"lost"\|"lost":{[^}]*:[1-9]' "$2/json" && return
	jq -se '.[0].type == "header" and any(.[]; .type == "summary") and
		(map(select(.type == "sample" or .type == "event" or .type == "test" or .type == "wakeup_sample")) | length) > 0' "$2/json" >/dev/null ||
		echo "$1: not reported: the output is incomplete"
	# For a call there may be another way; for memory there is none.
	[ "${wrap[0]}" != strace ] || return
	missing=$(shape "$2" | sort -u | comm -13 - "$reference/shape")
	[ -z "$missing" ] || echo "$1: not reported: missing: $missing"
	rows "$2" | cmp -s - "$reference/rows" || echo "$1: not reported: rows: $(rows "$2" | tr '\n' ' ')"
}

# DIR: without a fault it passes
passes() {
	rm -rf "$1" && mkdir -p "$1"
	trial "$1" || grep -qE "$no_result" "$1/msg"
}

allocations() {
	local n=0
	count_allocations
	read -r n <"$TMP/n"
	fail_allocations "$n"
}

calls() {
	local call n k=0 every=1 wrap=(strace -qq -o "$TMP/trace")
	ok "$what: under strace" passes "$TMP/count"
	# NAME N: the Nth call of that name, after those of the loader.  Of more than 60, as they are made for
	# each process, the first and the last.
	sed -n 's/^\([a-z_0-9]*\)(.*/\1/p' "$TMP/trace" | awk -v not="$infallible" '
		{ n[$1]++ }
		loaded && $1 !~ not { line[++lines] = $1 " " n[$1] }
		$1 == "munmap" { loaded = 1 }
		END { for (i = 1; i <= lines; i++) { split(line[i], w); if (w[2] <= 30 || w[2] > n[w[1]] - 30) print line[i] } }' \
		>"$TMP/calls"
	[ "${FAULTS-}" = all ] || every=$(($(wc -l <"$TMP/calls") / few + 1))
	while read -r call n; do
		k=$((k + 1))
		((k % every == 0)) || continue
		fail_call "$call $n" "$call" "$n" ENOMEM
	done < <(drawn <"$TMP/calls")
	judged "$what: system calls fail"
}

# DIR: a run under $wrap lacks nothing but idle time of the machine
enough() {
	if trial "$1"; then
		[ -z "$(verdict '' "$1" 0)" ] && ! grep -qvE "$notes" "$1/msg"
	else
		grep -qE "$no_result" "$1/msg"
	fi
}

can_inject || calls() { :; }
lack=$(lab_lacks)
for tool in "${tools[@]}"; do
	while read -r mode; do
		what="$tool $mode"
		if [[ $mode == @* && $lack ]]; then
			skip "$what: $lack"
			continue
		fi
		if [[ $mode == *=perf* && -n ${NO_TRACING-} ]]; then
			skip "$what: $NO_TRACING"
			continue
		fi
		if [[ $mode == *--source=perf* ]] && ! have_cap perfmon && ! have_cap sys_admin; then
			skip "$what: needs CAP_PERFMON"
			continue
		fi
		bad=$(learn)
		rows "$reference/1" >"$reference/rows"
		is "$bad$(torn "$reference/1" table prom report)" '' "$what: without a fault"
		allocations
		calls
		[ "${FAULTS-}" != all ] || limits 32
	done < <(modes "$tool")
done
done_testing
