#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 600
# Faults: if one allocation or one system call of the supervisor or of the instances fails, or memory is short,
# stressors does not crash or hang, leaves no process, tears no row, and says what is missing: by the exit status
# and a message or the reason of a result.  A few allocations and one call of each name;
# with FAULTS=all every allocation and system call.
# Arguments: only the modes with these numbers, from 0.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq strace prlimit pgrep setsid
[ -e "$HELPERS/failalloc.so" ] || skip_all 'needs failalloc.so (make helpers)'
parallel=$(($(nproc) * 2))
few=3 # allocations of each mode in the short form

printf 'run sequential\ncpu 2\ncpu-method crc\nvm 1 # a comment\nvm-bytes = 1m\n' >"$TMP/job"
small='--max-memory=16m --cpu-method=int --memrate-method=read64 --heapsort-size=1k --mergesort-size=1k --qsort-size=1k --radixsort-size=1k --vm-bytes=64k'
modes=(
	"--all 1 -t 0.2 $small -M --perf --tz --json=DIR/json --csv=DIR/csv --yaml=DIR/yaml"
	"--switch 1 --switch-method eventfd --fork 1 --fork-method vfork --pipe 2 --pipe-method vmsplice -t 0.2 --interval=0.05 --times --json=DIR/json"
	"--switch 1 --switch-method futex --fork 1 --fork-method clone --job=$TMP/job -t 0.1 --csv --json=DIR/json"
)
[ "${FAULTS-}" != all ] || modes+=("--seq --fork 1 --fork-method posix_spawn --cyclic 2 --stream 1 -t 0.1 $small --json=DIR/json --yaml=-")

# The error of a call; for those not here ENOMEM.
declare -A errors=([clone]=EAGAIN [clone3]=EAGAIN [fork]=EAGAIN [vfork]=EAGAIN [pipe2]=EMFILE [eventfd2]=EMFILE [signalfd4]=EMFILE
	[openat]=EMFILE [perf_event_open]=EMFILE [dup]=EMFILE [write]=ENOSPC [read]=EIO [prctl]=EINVAL [ioctl]=EIO
	[sched_setaffinity]=EPERM [sched_setscheduler]=EPERM [mlockall]=EPERM)
# Calls that the kernel does not let fail, or not in this way (ioctl: that an event counts); and those whose failure
# leaves undone what the kernel always does, such as to close a file.
infallible='^(brk|wait4|waitid|exit_group|exit|rt_sigreturn|restart_syscall|close|kill|ioctl|getpid|getppid|gettid|get[eu]*[ug]id|getrusage|clock_.*|uname|sysinfo|rt_sigaction|rt_sigprocmask|set_robust_list|set_tid_address|rseq|arch_prctl|execve)$'

# The run under test with the wrapper $wrap, in a session of its own; all its files in DIR.  Its words in $options.
trial() { # DIR MODE
	local options code
	read -r -a options <<<"${2//DIR/$1}"
	setsid -w timeout -k 2 30 "${wrap[@]}" "$STRESSORS" "${options[@]}" >"$1/out" 2>"$1/msg" </dev/null &
	wait $!
	code=$?
	wait_for -t 2 none_left $! || echo "processes are left: $(pgrep -a -s $! | xargs)" >"$1/left"
	pkill -KILL -s $!
	return $code
}
# shellcheck disable=SC2317 # called by wait_for
none_left() { # SESSION: no process but those that wait to be reaped
	local pid
	for pid in $(pgrep -s "$1"); do
		! grep -qs '^State:.[^ZX]' "/proc/$pid/status" || return 1
	done
}

# DIR MODE: without a fault it passes; on a busy machine a stressor may not get to an op in the first tries
passes() {
	for _ in 1 2 3 4 5; do
		rm -rf "$1" && mkdir -p "$1"
		trial "$1" "$2" && return
		grep -q 'no op ended' "$1/json" || return
	done
	return 1
}

torn() { # DIR: prints what are no whole rows
	local f
	jq -e . "$1/json" >/dev/null 2>&1 || [ ! -s "$1/json" ] || echo "no JSON value: $(tail -c 100 "$1/json")"
	sed 's/"[^"]*"//g' "$1/csv" 2>/dev/null | awk -F, 'NR == 1 { n = NF } NF != n { print "CSV, torn: " $0 }'
	for f in "$1"/{json,csv,yaml,out}; do
		[ ! -s "$f" ] || [ -z "$(tail -c 1 "$f")" ] || echo "no whole line at the end of ${f##*/}"
	done
}

# DIR: what a run shows, one item a line
shape() {
	jq -r 'select(.type == "result") | "result \(.stressor)", "metric \(.stressor) \(.metrics[]?.name)", "figure \(.stressor) \(.figures[]?.name)"' "$1/json"
	jq -r 'select(.type != "result" and .type != "interval") | .type' "$1/json"
	[ ! -e "$1/csv" ] || sed -n 's/^\([a-z]*,[a-z]*\),.*/csv \1/p' "$1/csv"
	[ ! -e "$1/yaml" ] || sed -n 's/^\([^:]*\):.*/yaml \1/p' "$1/yaml"
	sed -n 's/^ *\([a-zA-Z]*\).*/out \1/p' "$1/out"
}

# DIR: messages that a run without a fault does not have
messages() { grep -vxF -f "$reference/msg" "$1/msg"; }

# NAME DIR STATUS: prints the errors
verdict() {
	local missing
	if [ "$3" = 124 ] || [ "$3" = 137 ]; then
		echo "$1: hangs"
	elif [ "$3" -gt 128 ]; then
		echo "$1: killed by signal $(($3 - 128)): $(messages "$2")"
	fi
	[ ! -e "$2/left" ] || echo "$1: $(cat "$2/left")"
	torn "$2" | sed "s|^|$1: |"
	# What is not from the loader: "stressors: WHAT: why", but for memory there is no what.
	messages "$2" | grep -v "^$STRESSORS: error while loading\|^cannot allocate TLS data\|^stressors: [^: ][^:]*: .\|^stressors: out of memory$\|^stressors: standard output is closed$\|^Try 'stress" | sed "s|^|$1: a message that does not name what failed: |"
	jq -r 'select(.type == "result" and .status != "pass" and .status != "interrupted" and (.reason // "") == "") | .stressor' "$2/json" 2>/dev/null |
		sed "s|^|$1: no reason: |"
	if [ "$3" != 0 ]; then
		[ -n "$(messages "$2")" ] || jq -se 'any(.type == "result" and .status != "pass" and .status != "skip")' "$2/json" >/dev/null 2>&1 ||
			echo "$1: status $3 without a message or a result"
		return
	fi
	jq -r 'select(.type == "result" and .status != "skip" and (.status != "pass" or .ops == 0)) | "\(.stressor) \(.status) \(.ops)"' "$2/json" |
		sed "s|^|$1: status 0 with: |"
	jq -se '.[0].type == "header" and .[-1].type == "summary" and .[-1].exit == 0' "$2/json" >/dev/null ||
		echo "$1: status 0, and the rows are not complete"
	[ -z "$(messages "$2")" ] || return
	missing=$(shape "$2" | sort -u | comm -13 - "$reference/shape" | without_reason "$2")
	[ -z "$missing" ] || echo "$1: not reported: missing: $(xargs <<<"$missing")"
}
# DIR: of the lines of a shape, those of stressors whose results give no reason
without_reason() {
	jq -r 'select(.type == "result" and .reason).stressor' "$1/json" >"$1/reported"
	if [ -s "$1/reported" ]; then grep -vw '^yaml\|^out' | grep -vwF -f "$1/reported"; else cat; fi
}

reference=$TMP/reference
learn() { # MODE: what every run without a fault shows
	local i bad='' wrap=(env)
	rm -rf "$reference"
	for i in 1 2 3; do
		passes "$reference/$i" "$1" || bad+="$(cat "$reference/$i/msg") $(jq -r 'select(.type == "result" and .status != "pass")' "$reference/$i/json")"
		shape "$reference/$i" | sort -u >"$reference/$i/shape"
	done
	comm -12 "$reference"/{1,2}/shape | comm -12 - "$reference/3/shape" >"$reference/shape"
	cp "$reference/1/msg" "$reference/msg"
	is "$bad$(torn "$reference/1")$(cat "$reference"/?/left 2>/dev/null)" '' "$1: without a fault"
	num "$(grep -c ^result "$reference/shape")" -ge 3 "$1: results"
}

# In the background: one point.
point() { # NAME MODE WRAPPER...
	local dir=$TMP/points/$BASHPID wrap=("${@:3}")
	mkdir -p "$dir"
	trial "$dir" "$2"
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
# FILE: its lines, or a few of them, the same in each run
some() {
	local n
	n=$(wc -l <"$1")
	if [ "${FAULTS-}" = all ] || [ "$n" -le $few ]; then
		cat "$1"
	else
		awk -v every="$((n / few))" 'NR % every == int(every / 2)' "$1"
	fi
}

allocations() { # MODE
	local n i more wrap=(env "LD_PRELOAD=$HELPERS/failalloc.so" FAIL_COUNT=9)
	ok "$1: with the counter of allocations" passes "$TMP/count" "$1" 9>"$TMP/n"
	n=$(tail -n 1 "$TMP/n")
	# An instance goes on to count from where the supervisor was.
	seq 1 $((n + 6)) >"$TMP/list"
	for i in $(some "$TMP/list"); do
		for more in 0 1; do
			pool "allocation $i (all after it: $more)" "$1" env "LD_PRELOAD=$HELPERS/failalloc.so" FAIL_AT="$i" FAIL_MORE=$more
		done
	done
	judged "$1: allocations fail"
}

# Files of strace -ff: NAME N for the Nth call of that name, of the supervisor after its loader; and for those of an
# instance, if the supervisor's loader makes fewer of them.
calls_of() { # SUPERVISOR INSTANCE...
	awk -v not="$infallible" '
		!/^[a-z_0-9]+\(/ { next }
		{ call = $0; sub(/\(.*/, "", call) }
		FILENAME != file { file = FILENAME; files++; delete n }
		{ n[call]++ }
		call ~ not { next }
		files == 1 && loaded { print "supervisor", call, n[call] }
		files == 1 && !loaded { early[call]++ }
		files == 1 && call == "munmap" { loaded = 1 }
		files > 1 && n[call] > early[call] && n[call] <= 40 && !seen[call, n[call]]++ { print "instances", call, n[call] }' "$@"
}
calls() { # MODE
	local who call n follow wrap=(strace -ff -qq -o "$TMP/count/trace")
	ok "$1: under strace" passes "$TMP/count" "$1"
	# shellcheck disable=SC2046 # no file has a blank in its name
	calls_of $(printf '%s\n' "$TMP"/count/trace.* | sort -V) >"$TMP/calls"
	for who in supervisor instances; do
		# In the short form the first one of each name.
		awk -v who=$who -v all="${FAULTS-}" '$1 == who && (all == "all" || !seen[$2]++)' "$TMP/calls" >"$TMP/list"
		follow=()
		[ $who = supervisor ] || follow=(-f --seccomp-bpf)
		while read -r _ call n; do
			pool "$who: $call $n" "$1" strace -qq -o /dev/null ${follow[@]+"${follow[@]}"} -e signal=none \
				-e trace="$call" -e inject="$call:error=${errors[$call]-ENOMEM}:when=$n"
		done <"$TMP/list"
		judged "$1: calls of $who fail"
	done
}

# The address space, of which each instance has the same, shrinks from what is enough.
limits() { # MODE
	local low=1024 high=4194304 mid step wrap # KiB
	while ((high - low > 64)); do
		mid=$(((low + high) / 2))
		wrap=(prlimit --as=$((mid * 1024)) --)
		rm -rf "$TMP/limit" && mkdir "$TMP/limit"
		if trial "$TMP/limit" "$1" && [ -z "$(messages "$TMP/limit")" ]; then high=$mid; else low=$mid; fi
	done
	seq 1 64 >"$TMP/list"
	for step in $(some "$TMP/list"); do
		pool "RLIMIT_AS=$((high - step * 48))K" "$1" prlimit --as=$(((high - step * 48) * 1024)) --
	done
	judged "$1: the address space is short"
}

if ! strace -qq -o /dev/null -e inject=getppid:error=EPERM true 2>"$TMP/err"; then
	skip "no strace here: $(head -n 1 "$TMP/err")"
	calls() { :; }
fi
[ $# != 0 ] || set -- "${!modes[@]}"
for m; do
	mode=${modes[m]}
	learn "$mode"
	allocations "$mode"
	calls "$mode"
	[ "${FAULTS-}" != all ] || limits "$mode"
done
done_testing
