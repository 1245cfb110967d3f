#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 600
# Faults: if one allocation or one system call fails, or memory is short, no tool crashes or hangs, no
# record or row is torn, and an output with less than that of a run without a fault is reported by the
# exit status, a message or a row of losses.  A few points; with FAULTS=all (make check-faults) every
# allocation and system call of each mode, from the start to the end.  Arguments: only these tools.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/lab.sh"
need_cmd jq strace prlimit
[ -e "$HELPERS/failalloc.so" ] || skip_all 'needs failalloc.so (make helpers)'
[ $# = 0 ] || tools=("$@")
able_tools
parallel=$(($(nproc) * 2))
few=4 # points of each kind and mode in the short form

# Modes of a tool, as options; a first word @SPEC: on that simulated machine.  No names of users (-x),
# because the name service of glibc 2.36 uses memory that it did not get (nss_database_get).
modes() { # TOOL
	case $1 in
	forkstat) printf '%s\n' --summary '-R 0.1 -E -i -g -S' --source=perf "--source=proc -u $(id -u)" ;;
	cpustat) printf '%s\n' '-g -D -T -x' "-m 2 -W -l -u $(id -u)" '-H -G comm -r REPORT' '--source=proc -g -G parent' ;;
	eventstat) printf '%s\n' '-x --summary -S -r REPORT' '--wakeups --histogram --summary' '-i -c -w -C -r REPORT' '--method=perf -g comm --summary' '--method=perf -g process -l' ;;
	pagemon) printf '%s\n' --summary '-m -S' -x '--method=read -m' ;;
	powerstat) printf '%s\n' --power=none '@rapl-2x2 -R -a -s -J -D' '@laptop-energy -d 0 -J -D -m' ;;
	power-calibrate) printf '%s\n' '--summary -o REPORT --gnuplot=REPORT-plot' ;;
	*) echo --summary ;;
	esac
}
# What a run says at its start in any case.
notes='^power(stat|-calibrate): power source: |^power-calibrate: [0-9]+ tests of '
# The command of each run: 10 programs, then CPU time for three intervals.
# shellcheck disable=SC2016
busy='for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true $i; done
	i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done; exit 0'

# Calls that the kernel does not let fail, or not in this way: brk returns the old break, wait4 and
# waitid need no memory.
infallible='^(brk|wait4|waitid|exit_group|exit|rt_sigreturn|restart_syscall)$'

# The run under test, with every output; the wrapper's words in $wrap.
trial() { # DIR TOOL MODE
	local words brief outer=() machine ending=()
	read -r -a words <<<"${3//REPORT/$1/report}"
	if [[ ${words[0]} == @* ]]; then
		# strace waits for all its children, and those of run would be its own.
		outer=("$TOP/tests/lab/run" "$TOP/tests/lab/trees/${words[0]#@}.spec" "$1/log" -- sh -c '"$@"; exit' sh)
		words=(--interval=0.1 "${words[@]:1}")
	else
		read -r -a brief < <(brief_options "$2")
		words=(${brief[@]+"${brief[@]}"} "${words[@]}")
		machine "$2"
		[ ${#machine[@]} = 0 ] || outer=("${machine[@]}" sh -c '"$@"; exit' sh)
	fi
	! has_command "$2" || ending=(-- sh -c "$busy")
	timeout -k 2 60 ${outer[@]+"${outer[@]}"} "${wrap[@]}" "$BUILD/bin/$2" "${words[@]}" --json="$1/json" \
		--csv="$1/csv" --prom="$1/prom" ${ending[@]+"${ending[@]}"} >"$1/table" 2>"$1/msg" </dev/null
}

# Rows whose number is a matter of the machine: which tasks arm timers, which CPUs are woken.
declare -A machine_rows=([eventstat]='\|^table:  *0 \([^T]\|T[^o]\)\|^table:  *CPU ' # not "0 Total events"
	# prefixes of figures, exponents, words on the quality of a line
	[power-calibrate]='\|% x 0\|Watts)\|Watt-seconds)\|is about\|R^ *0\|linear\|follow a line')

# DIR: what a run shows, without the figures: its kinds of lines.  Without BPF, names of a busy machine
# differ from run to run.  A row of losses is a report; there need be none.  The children of the command
# take less than the 10 ms in which their parent's cutime counts: there may be a row of them, or none.
shape() {
	local all=true
	[[ $mode != *--source=* ]] || all=false
	jq -c --argjson names $all 'walk(if type == "number" then 0 elif type == "string" and test("^[0-9]{4}-") then "T" else . end) |
		if .event == "lost" or .kind == "exited" then empty elif .type == "timers" or .type == "total" then .type elif .type == "wakeups" or .type == "wakeup_total" then empty elif .type == "event" then [.event, if $names then .argv else null end] elif .type == "summary" then
		[paths(type != "object") | map(if type == "number" then 0 else . end)] | unique else keys end' "$1/json"
	# A histogram needs two different values; a log of events has those of the whole machine; a figure
	# that was not read is missing in its sample; the last interval is partial, or too short to be shown;
	# how many readings there are in a sample is a matter of the machine's load.  For a few processes the
	# kernel does not call the program that reads their CPU time (taskexit.h).
	sed -E 's/([0-9])(us|ms|s|min|h)\>/\1/g; s/; a figure is .*//; s/; of [0-9]+ not known$//; s/ (reading|estimate|sample|restart)s\b/ \1/g; s/ +\(partial [0-9.]+ s\)//; s/ *(-|[0-9.:]+)/ 0/g; s/ 0 (us|ms|s|min|h)\>/ 0/g; s/( 0)+ */ 0 /g; s/^/table: /' "$1/table" | grep -a '[A-Z]' | grep -v "Range\|Histogram\|pid=${machine_rows[$tool]:-}"
	[ ! -e "$1/prom" ] || sed -n '/cpu_ratio\|idle_exits/d; s/^# TYPE/prom:/p' "$1/prom"
	[ ! -e "$1/report" ] || sed -n '1s/,.*/: report/p' "$1/report"
	head -n 1 "$1/csv"
}
# DIR: the number of rows of each kind, if the load determines it
rows() {
	jq -r 'select(.type == "event" and (.event == "exec" or .event == "exit")) | .event' "$1/json" | sort | uniq -c
	jq -r 'select((.type == "event" or .type == "sample" or .type == "test") and .event != "lost") | .event // "sample"' "$1/json" | sort -u
}

torn() { # DIR: prints lines that are no whole rows
	local f
	jq -e . "$1/json" >/dev/null 2>&1 || [ ! -s "$1/json" ] || echo "no JSON value: $(tail -c 100 "$1/json")"
	sed 's/"[^"]*"//g' "$1/csv" 2>/dev/null | awk -F, 'NR == 1 { n = NF } NF != n { print "CSV, torn: " $0 }'
	for f in "$1"/{json,csv,table,prom,report}; do
		[ ! -s "$f" ] || [ -z "$(tail -c 1 "$f")" ] || echo "no whole line at the end of $f"
	done
}

# NAME DIR STATUS: prints the errors
verdict() {
	local status=$3 missing
	if [ "$status" = 124 ]; then
		echo "$1: hangs"
	elif [ "$status" -gt 128 ]; then
		echo "$1: killed by signal $((status - 128))"
	fi
	torn "$2" | sed "s|^|$1: |"
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

# What every run without a fault shows.
reference=$TMP/reference
learn() { # TOOL MODE
	local i bad=0 wrap=(env)
	rm -rf "$reference"
	for i in 1 2 3; do
		mkdir -p "$reference/$i"
		trial "$reference/$i" "$1" "$2" || grep -qE "$no_result" "$reference/$i/msg" || bad=1
		shape "$reference/$i" | sort -u >"$reference/$i/shape"
	done
	comm -12 "$reference"/{1,2}/shape | comm -12 - "$reference/3/shape" >"$reference/shape"
	rows "$reference/1" >"$reference/rows"
	is "$bad$(torn "$reference/1")" 0 "$1 $2: without a fault"
}

# In the background: one point.
point() { # NAME TOOL MODE WRAPPER...
	local dir=$TMP/points/$BASHPID wrap=("${@:4}")
	mkdir -p "$dir"
	trial "$dir" "$2" "$3"
	verdict "$1" "$dir" $? >"$dir.bad"
	rm -rf "$dir"
}
points=0
pool() {
	while (($(jobs -rp | wc -l) >= parallel)); do wait -n; done
	points=$((points + 1))
	point "$@" &
}
judged() { # NAME: of the points since the last call
	wait
	local bad
	bad=$(cat "$TMP"/points/*.bad 2>/dev/null)
	rm -rf "$TMP/points"
	if [ -z "$bad" ] && [ "$points" -gt 0 ]; then pass "$1: $points points"; else fail "$1: $points points" "$bad"; fi
	points=0
}
# COUNT: prints all of 1..COUNT, or a few of them, the same in each run
points_of() {
	if [ "${FAULTS-}" = all ] || [ "$1" -le "$few" ]; then
		seq 1 "$1"
	else
		seq "$(($1 / few / 2 + 1))" $(($1 / few)) "$1"
	fi
}

# STATUS: of a trial in $TMP/count without a fault
went_well() { [ "$1" = 0 ] || grep -qE "$no_result" "$TMP/count/msg"; }
preload=LD_PRELOAD=$HELPERS/failalloc.so
allocations() { # TOOL MODE
	local n=0 more i wrap=(env "$preload" FAIL_COUNT=9)
	mkdir -p "$TMP/count"
	trial "$TMP/count" "$1" "$2" 9>"$TMP/n"
	ok "$1 $2: with the counter of allocations" went_well $?
	read -r n <"$TMP/n"
	for i in $(points_of "$n"); do
		for more in 0 1; do
			pool "allocation $i (all after it: $more)" "$1" "$2" env "$preload" FAIL_AT="$i" FAIL_MORE=$more
		done
	done
	judged "$1 $2: allocations fail"
}

calls() { # TOOL MODE
	local call n k=0 every=1 wrap=(strace -qq -o "$TMP/trace")
	mkdir -p "$TMP/count"
	trial "$TMP/count" "$1" "$2"
	ok "$1 $2: under strace" went_well $?
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
		pool "$call $n" "$1" "$2" strace -qq -o /dev/null -e trace="$call" -e inject="$call:error=ENOMEM:when=$n"
	done <"$TMP/calls"
	judged "$1 $2: system calls fail"
}

# TOOL MODE: a run under $wrap lacks nothing but idle time of the machine
enough() {
	rm -rf "$TMP/limit" && mkdir "$TMP/limit"
	if trial "$TMP/limit" "$1" "$2"; then
		[ -z "$(verdict '' "$TMP/limit" 0)" ] && ! grep -qvE "$notes" "$TMP/limit/msg"
	else
		grep -qE "$no_result" "$TMP/limit/msg"
	fi
}
# The address space shrinks from what is enough.
limits() { # TOOL MODE
	local low=1024 high=4194304 step mid wrap # KiB
	while ((high - low > 64)); do
		mid=$(((low + high) / 2))
		wrap=(prlimit --as=$((mid * 1024)) --)
		if enough "$1" "$2"; then
			high=$mid
		else
			low=$mid
		fi
	done
	for step in $(points_of 64); do
		pool "RLIMIT_AS=$((high - step * 32))K" "$1" "$2" prlimit --as=$(((high - step * 32) * 1024)) --
	done
	judged "$1 $2: the address space is short"
}

if ! strace -qq -o /dev/null -e inject=getppid:error=EPERM true 2>"$TMP/err"; then
	skip "no strace here: $(head -n 1 "$TMP/err")"
	calls() { :; }
fi
lack=$(lab_lacks)
for tool in "${tools[@]}"; do
	while read -r mode; do
		if [[ $mode == @* && $lack ]]; then
			skip "$tool $mode: $lack"
			continue
		fi
		if [[ $mode == *--source=perf* ]] && ! have_cap perfmon && ! have_cap sys_admin; then
			skip "$tool $mode: needs CAP_PERFMON"
			continue
		fi
		learn "$tool" "$mode"
		allocations "$tool" "$mode"
		calls "$tool" "$mode"
		[ "${FAULTS-}" != all ] || limits "$tool" "$mode"
	done < <(modes "$tool")
done
done_testing
