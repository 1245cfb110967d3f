# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# faults: functions of the two scripts that let allocations and system calls fail, one in each run; sourced after tap.sh.
# The run is described by variables of the script ($tool, $mode), named $what in the tests.  The script defines
#     trial DIR                  one run under the words in $wrap, its files in DIR; its exit status
#     passes DIR                 the same in a new DIR, without a fault: false if it did not end well
#     shape DIR                  prints what the run shows, one item a line, without figures
#     verdict NAME DIR STATUS    prints what is wrong with a run that had a fault
#     enough DIR                 a run that lacks nothing
# A few points of each kind, $few, the same in each run.  With FAULTS=all every one, in an order that FAULT_SEED decides
# (drawn, if it is not given), until FAULT_SECONDS are over for the points of this kind (10; 0: no limit).
need_cmd jq strace prlimit
preload=LD_PRELOAD=$HELPERS/failalloc.so
[ -e "${preload#*=}" ] || skip_all 'needs failalloc.so (make helpers)'
parallel=$(($(nproc) * 2))
points=0 untried=0 kind_end=0
seed=${FAULT_SEED:-$RANDOM}
kind_seconds=${FAULT_SECONDS:-10}
reference=$TMP/reference

# DIR FILE...: prints what are no whole rows in the run's json, csv and the files
torn() {
	local f
	jq -e . "$1/json" >/dev/null 2>&1 || [ ! -s "$1/json" ] || echo "no JSON value: $(tail -c 100 "$1/json")"
	sed 's/"[^"]*"//g' "$1/csv" 2>/dev/null | awk -F, 'NR == 1 { n = NF } NF != n { print "CSV, torn: " $0 }'
	for f in json csv "${@:2}"; do
		[ ! -s "$1/$f" ] || [ -z "$(tail -c 1 "$1/$f")" ] || echo "no whole line at the end of $f"
	done
}

# What every run without a fault shows: $reference/shape.  Prints which did not end well.
learn() {
	local i wrap=(env)
	rm -rf "$reference"
	for i in 1 2; do
		passes "$reference/$i" || echo "run $i: $(cat "$reference/$i/msg")"
		shape "$reference/$i" | sort -u >"$reference/$i/shape"
	done
	comm -12 "$reference"/{1,2}/shape >"$reference/shape"
}

# In the background: one point.
point() { # NAME WRAPPER...
	local dir=$TMP/points/$points wrap=("${@:2}")
	mkdir -p "$dir"
	trial "$dir"
	verdict "$1" "$dir" $? >"$dir.bad"
	rm -rf "$dir"
}
pool() {
	((points + untried > 0)) || kind_end=$((SECONDS + kind_seconds))
	if [ "${FAULTS-}" = all ] && ((kind_seconds > 0 && SECONDS >= kind_end)); then
		untried=$((untried + 1))
		return
	fi
	while (($(jobs -rp | wc -l) >= parallel)); do wait -n; done
	points=$((points + 1))
	point "$@" &
}
judged() { # NAME: of the points since the last call
	wait
	local bad what_ran
	bad=$(cat "$TMP"/points/*.bad 2>&1)
	rm -rf "$TMP/points"
	what_ran="$points$([ $untried = 0 ] || echo " of $((points + untried))") points"
	if [ -z "$bad" ] && [ "$points" -gt 0 ]; then pass "$1: $what_ran"; else fail "$1: $what_ran (FAULT_SEED=$seed)" "$bad"; fi
	points=0 untried=0
}
drawn() { # the lines of standard input in the order of the run
	if [ "${FAULTS-}" = all ]; then shuf --random-source=<(yes "$seed"); else cat; fi
}
some() { # COUNT: prints all of 1..COUNT, or a few of them
	if [ "${FAULTS-}" = all ] || [ "$1" -le "$few" ]; then
		seq 1 "$1" | drawn
	else
		seq "$(($1 / few / 2 + 1))" $(($1 / few)) "$1"
	fi
}

# A run whose allocations are counted, in $TMP/n.
count_allocations() {
	local wrap=(env "$preload" FAIL_COUNT=9)
	ok "$what: with the counter of allocations" passes "$TMP/count" 9>"$TMP/n"
}
fail_allocations() { # COUNT
	local i more
	for i in $(some "$1"); do
		for more in 0 1; do
			pool "allocation $i (all after it: $more)" env "$preload" FAIL_AT="$i" FAIL_MORE=$more
		done
	done
	judged "$what: allocations fail"
}
fail_call() { # NAME CALL N ERROR STRACE-OPTION...
	pool "$1" strace -qq -o /dev/null "${@:5}" -e trace="$2" -e inject="$2:error=$4:when=$3"
}

# The address space shrinks from what is enough, in steps of so many KiB.
limits() { # STEP
	local low=1024 high=4194304 mid step wrap # KiB
	while ((high - low > 64)); do
		mid=$(((low + high) / 2))
		wrap=(prlimit --as=$((mid * 1024)) --)
		rm -rf "$TMP/limit" && mkdir "$TMP/limit"
		if enough "$TMP/limit"; then high=$mid; else low=$mid; fi
	done
	for step in $(some 64); do
		pool "RLIMIT_AS=$((high - step * $1))K" prlimit --as=$(((high - step * $1) * 1024)) --
	done
	judged "$what: the address space is short"
}

can_inject() { # or says why not, as a skipped test
	strace -qq -o /dev/null -e inject=getppid:error=EPERM true 2>"$TMP/err" && return
	skip "no strace here: $(head -n 1 "$TMP/err")"
	return 1
}
