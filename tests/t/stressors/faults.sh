#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 1800
# Faults: if one allocation or one system call of the supervisor or of the instances fails, or memory is short,
# stressors does not crash or hang, leaves no process, tears no row, and says what is missing: by the exit status
# and a message or the reason of a result.  As many points as FAULT_SECONDS allow (tests/lib/faults.sh); with
# FAULTS=few a few allocations and one call of each name.
# Arguments: only the modes with these numbers, from 0.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd ps setsid
FAULTS=${FAULTS:-all}
few=3 # allocations of each mode in the short form

printf 'run sequential\ncpu 2\ncpu-method crc\nvm 1 # a comment\nvm-bytes = 1m\n' >"$TMP/job"
small='--max-memory=32m --cpu-method=int --memrate-method=read64 --heapsort-size=1k --mergesort-size=1k --qsort-size=1k --radixsort-size=1k --dir-dirs=64 --shm-sysv-bytes=64k --shm-sysv-segs=1 --vm-bytes=64k --hdd-bytes=64k --msync-bytes=64k'
# Few ops of those that make many calls: the tracer handles the calls of all processes one after the other.
small+=' --stack-bytes=64k --stack-ops=4 --brk-bytes=64k --brk-ops=40 --bigheap-bytes=64k --bigheap-ops=4'
small+=' --mmap-bytes=64k --mmap-ops=20 --mremap-bytes=64k --mremap-ops=12 --madvise-bytes=64k --madvise-ops=40'
small+=' --flock-ops=20 --hdd-ops=40 --io-ops=20 --msync-ops=20 --timer-ops=20 --futex-ops=40 --mutex-ops=40'
small+=' --sem-ops=40 --poll-ops=20 --yield-ops=40 --timerfd-ops=20 --nanosleep-ops=40 --sem-sysv-ops=40'
small+=' --eventfd-ops=40 --msg-ops=40 --mq-ops=40 --signal-ops=20 --sigq-ops=40 --enosys-ops=20 --sysbadaddr-ops=20'
small+=' --bad-ioctl-ops=20 --exec-ops=4 --pthread-ops=20 --context-ops=1 --rmap-ops=40 --cache-size=64k'
small+=' --malloc-bytes=1k --malloc-max=32 --malloc-ops=100 --mlock-ops=20 --shm-bytes=64k --shm-objs=2 --shm-ops=20'
small+=' --memfd-bytes=1m --memfd-fds=8 --memfd-ops=20 --numa-ops=2 --sock-ops=20 --udp-ops=20 --sockpair-ops=20'
small+=' --splice-ops=20 --vm-splice-ops=20 --sendfile-size=64k --sendfile-ops=20 --io-uring-entries=4'
small+=' --io-uring-ops=20'
# A round of theirs has hundreds of calls: beside all others they would not get through one under strace.
rounds='fcntl,full,get,inotify,key,procfs,sysinfo'
modes=(
	"--all 1 --exclude=$rounds -t 0.4 $small -M --perf --tz --json=DIR/json --csv=DIR/csv --yaml=DIR/yaml"
	"--switch 1 --switch-method eventfd --fork 1 --fork-method vfork --pipe 2 --pipe-method vmsplice -t 0.2 --interval=0.05 --times --json=DIR/json"
	"--all 1 --with=$rounds -t 0.4 --json=DIR/json --csv=DIR/csv"
	"--switch 1 --switch-method futex --fork 1 --fork-method clone --job=$TMP/job -t 0.1 --csv --json=DIR/json"
)
[ "${FAULTS-}" != all ] || modes+=("--seq --fork 1 --fork-method posix_spawn --cyclic 2 --stream 1 -t 0.1 $small --json=DIR/json --yaml=-")

# The error of a call; for those not here ENOMEM.
declare -A errors=([clone]=EAGAIN [clone3]=EAGAIN [fork]=EAGAIN [vfork]=EAGAIN [pipe2]=EMFILE [eventfd2]=EMFILE [signalfd4]=EMFILE
	[openat]=EMFILE [perf_event_open]=EMFILE [dup]=EMFILE [write]=ENOSPC [read]=EIO [prctl]=EINVAL [ioctl]=EIO
	[sched_setaffinity]=EPERM [sched_setscheduler]=EPERM [mlockall]=EPERM)
# Calls that the kernel does not let fail, or not in this way (ioctl: that an event counts); and those whose failure
# leaves undone what the kernel always does, such as to close a file; and those that strace does not know.
infallible='^(brk|wait4|waitid|exit_group|exit|rt_sigreturn|restart_syscall|close|kill|ioctl|getpid|getppid|gettid|get[eu]*[ug]id|getrusage|clock_.*|uname|sysinfo|rt_sigaction|rt_sigprocmask|set_robust_list|set_tid_address|rseq|arch_prctl|execve|syscall_0x.*)$'

# DIR COMMAND...: the command in a session of its own, and what is left of it after 2 s, which is killed.  The number of
# the session stays its own as long as this shell, the first process in it, lives: no stranger is found.
cat >"$TMP/session" <<'END'
"${@:2}"
code=$?
for ((i = 0; i < 200; i++)); do
	ps -s $$ -o pid=,ppid=,stat=,args= >"$1/ps"
	awk -v me=$$ '$1 != me && $2 != me && $3 !~ /^[ZX]/ { $2 = $3 = ""; print }' "$1/ps" >"$1/left"
	[ -s "$1/left" ] || exit $code
	sleep 0.01
done
kill -KILL $(awk '{ print $1 }' "$1/left")
exit $code
END
# The run under test; all its files in DIR.
trial() { # DIR
	local options
	read -r -a options <<<"${mode//DIR/$1}"
	setsid -w bash "$TMP/session" "$1" timeout -k 2 30 "${wrap[@]}" "$STRESSORS" "${options[@]}" \
		>"$1/out" 2>"$1/msg" </dev/null
}

# DIR: without a fault it passes; a stressor that did not get to an op in the time is given twice as much
passes() {
	local t mode=$mode
	for t in 1 2 4 8 16; do
		rm -rf "$1" && mkdir -p "$1"
		trial "$1" && return
		grep -q 'completed no op within the run time' "$1/json" || return
		mode=$(sed -E "s/(.*-t )[0-9.]+/\1$((t * 2)).0/" <<<"$mode")
	done
	return 1
}

# DIR: what a run shows, one item a line
shape() {
	jq -r 'select(.type == "result") | "result \(.stressor)", "metric \(.stressor) \(.metrics[]?.name)", "figure \(.stressor) \(.figures[]?.name)"' "$1/json"
	jq -r 'select(.type != "result" and .type != "interval") | .type' "$1/json"
	[ ! -e "$1/csv" ] || sed -n 's/^[^,]*,\([a-z]*,[a-z]*\),.*/csv \1/p' "$1/csv"
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
	[ ! -s "$2/left" ] || echo "$1: processes are left: $(xargs <"$2/left")"
	torn "$2" yaml out | sed "s|^|$1: |"
	# What is not from the loader, or from the C library of a mutex: "stressors: WHAT: why", but for memory there is no what.
	messages "$2" | grep -v "^$STRESSORS: error while loading\|^The futex facility returned an unexpected error code\.$\|^cannot allocate TLS data\|^stressors: [^: ][^:]*: .\|^stressors: [^ ]*:[0-9]*: [a-z-]*: .\|^stressors: out of memory$\|^stressors: the run continues; \|^stressors: standard output is closed$\|^Try 'stress" | sed "s|^|$1: a message that does not name what failed: |"
	jq -r 'select(.type == "result" and .status != "pass" and .status != "interrupted" and (.reason // "") == "") | .stressor' "$2/json" 2>/dev/null |
		sed "s|^|$1: no reason: |"
	# Memory that was missing is no wrong result.
	[[ $1 != allocation* ]] || jq -r 'select(.type == "result" and .status == "fail") | "\(.stressor) \(.reason)"' "$2/json" 2>/dev/null |
		sed "s|^|$1: failed: |"
	if [ "$3" != 0 ]; then
		[ -n "$(messages "$2")" ] || jq -se --argjson status "$3" 'any(.type == "result" and .status != "pass" and (.status != "skip" or $status == 4))' "$2/json" >/dev/null 2>&1 ||
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

allocations() {
	count_allocations
	# An instance goes on to count from where the supervisor was.
	fail_allocations $(($(tail -n 1 "$TMP/n") + 6))
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
calls() {
	local who call n follow wrap=(strace -ff -qq -o "$TMP/count/trace")
	ok "$what: under strace" passes "$TMP/count"
	# shellcheck disable=SC2046 # no file has a blank in its name
	calls_of $(printf '%s\n' "$TMP"/count/trace.* | sort -V) >"$TMP/calls"
	for who in supervisor instances; do
		# In the short form the first one of each name.
		awk -v who=$who -v all="${FAULTS-}" '$1 == who && (all == "all" || !seen[$2]++)' "$TMP/calls" | drawn >"$TMP/list"
		follow=()
		[ $who = supervisor ] || follow=(-f --seccomp-bpf)
		while read -r _ call n; do
			fail_call "$who: $call $n" "$call" "$n" "${errors[$call]-ENOMEM}" ${follow[@]+"${follow[@]}"} -e signal=none
		done <"$TMP/list"
		judged "$what: calls of $who fail"
	done
}

# DIR: each instance has the same address space as the supervisor
enough() { trial "$1" && [ -z "$(messages "$1")" ]; }

can_inject || calls() { :; }
[ $# != 0 ] || set -- "${!modes[@]}"
for m; do
	mode=${modes[m]} what=$mode
	bad=$(learn)
	cp "$reference/1/msg" "$reference/msg"
	is "$bad$(torn "$reference/1" yaml out)$(cat "$reference"/?/left)" '' "$what: without a fault"
	num "$(grep -c ^result "$reference/shape")" -ge 3 "$what: results"
	allocations
	calls
	[ "${FAULTS-}" != all ] || limits 48
done
done_testing
