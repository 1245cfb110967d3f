# shellcheck shell=bash
# shellcheck disable=SC2034 # names that the tests read
# SPDX-License-Identifier: GPL-2.0-or-later
# tap: the library of the black-box tests, tests/t/*.sh (bash).  A test begins with
#     . "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# and ends with done_testing.  From the environment (with defaults for runs by hand):
# TOP the source tree, BUILD the build directory, FORKSTAT the program, HELPERS the helper
# programs.  TMP is the test's directory, in memory if possible, on a disk if the test has set
# BIG_TMP=1 before; at exit it is removed, and processes started by `bg` are killed.
set -u
TOP=$(cd "${TOP:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
BUILD=$(cd "${BUILD:-$TOP/build/default}" 2>/dev/null && pwd) || BUILD=$TOP/build/default
FORKSTAT=${FORKSTAT:-$BUILD/bin/forkstat}
HELPERS=${HELPERS:-$BUILD/helpers}
RUN_LIMIT=${RUN_LIMIT:-120}
export TOP BUILD FORKSTAT HELPERS TZ=UTC LC_ALL=C.UTF-8
PATH=$PATH:$TOP/build/peers/bin # promtool, see tools/deps.sh

tap_tmp() { # makes the directory and prints its path; programs can be run in it
	local base dir
	for base in ${BIG_TMP:+"${TMPDIR:-/tmp}"} /dev/shm "${TMPDIR:-/tmp}" /tmp; do
		dir=$(mktemp -d "$base/sysmon-test.XXXXXX" 2>/dev/null) || continue
		printf '#!/bin/sh\n' >"$dir/probe"
		chmod 755 "$dir" "$dir/probe"
		if "$dir/probe" 2>/dev/null; then
			rm "$dir/probe"
			printf '%s\n' "$dir"
			return
		fi
		rm -rf "$dir"
	done
	return 1
}
TMP=$(tap_tmp) || exit 2
tap_count=0 tap_failed=0
status=0 out='' err=''

# bash's own list has only children that were not reaped: the number of a reaped one may belong to a
# stranger, because a run uses up all numbers several times.
tap_cleanup() {
	local pid
	for pid in $(jobs -p); do
		kill -CONT "$pid" 2>/dev/null
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$TMP"
}
trap tap_cleanup EXIT

diag() { # TEXT: every line as a diagnostic, control bytes made visible
	printf '%s\n' "$*" | LC_ALL=C cat -v | sed 's/^/# /'
}

pass() { # NAME
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

fail() { # NAME [DIAGNOSTIC]
	tap_count=$((tap_count + 1)) tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$1"
	[ -z "${2-}" ] || diag "$2"
	return 1
}

skip() { # REASON [COUNT]: number of tests not run
	local i
	for ((i = 0; i < ${2:-1}; i++)); do
		tap_count=$((tap_count + 1))
		printf 'ok %d # SKIP %s\n' "$tap_count" "$1"
	done
}

skip_all() { # REASON: the whole script
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

ok() { # NAME COMMAND...: the command's status is 0
	local name=$1 rc
	shift
	"$@"
	rc=$?
	if [ "$rc" = 0 ]; then pass "$name"; else fail "$name" "status $rc: $*"; fi
}

is() { # GOT WANT NAME
	if [ "$1" = "$2" ]; then pass "$3"; else fail "$3" "got:  $1
want: $2"; fi
}

isnt() { # GOT UNWANTED NAME
	if [ "$1" != "$2" ]; then pass "$3"; else fail "$3" "got the unwanted: $1"; fi
}

like() { # GOT ERE NAME
	if [[ $1 =~ $2 ]]; then pass "$3"; else fail "$3" "got:  $1
want a match of: $2"; fi
}

unlike() { # GOT ERE NAME
	if [[ ! $1 =~ $2 ]]; then pass "$3"; else fail "$3" "got:  $1
matches: $2"; fi
}

# NUMBER OP NUMBER NAME: integers, OP of test(1): -lt -le -eq -ge -gt -ne
num() {
	if test "$1" "$2" "$3" 2>/dev/null; then pass "$4"; else fail "$4" "$1 $2 $3 is false"; fi
}

plan() { # COUNT, instead of done_testing's count
	printf '1..%d\n' "$1"
	tap_planned=1
}

done_testing() {
	[ -n "${tap_planned-}" ] || printf '1..%d\n' "$tap_count"
	[ "$tap_failed" = 0 ]
	exit
}

# Runs a program (not a function) to its end: $status, $out, $err and the files $TMP/out and
# $TMP/err (for bytes that a variable cannot hold).  Status 124: over RUN_LIMIT seconds.
run() {
	timeout -k 2 "$RUN_LIMIT" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	status=$?
	out=$(tr -d '\0' <"$TMP/out")
	err=$(tr -d '\0' <"$TMP/err")
}

expect_exit() { # CODE [NAME], of the last run
	if [ "$status" = "$1" ]; then
		pass "${2:-exit status $1}"
	else
		fail "${2:-exit status $1}" "exit status $status, want $1
stdout: $out
stderr: $err"
	fi
}
expect_out() { is "$out" "$1" "${2:-standard output}"; }
expect_err() { is "$err" "$1" "${2:-standard error}"; }

expect() { # NAME CODE STDERR COMMAND...: runs it; exact status, exact stderr, in one test
	local name=$1 code=$2 text=$3
	shift 3
	run "$@"
	if [ "$status" = "$code" ] && [ "$err" = "$text" ]; then
		pass "$name"
	else
		fail "$name" "exit status $status, want $code
stderr: $err
want:   $text"
	fi
}

# PID: of a child of bg: it executes its program, or has ended.  Before that it is a copy of this shell, and then env.
mapfile -d '' -t tap_words <"/proc/$$/cmdline"
bg_executes() {
	local argv_of=()
	[ -e "/proc/$1/exe" ] || return 0
	mapfile -d '' -t argv_of <"/proc/$1/cmdline"
	[ "${#argv_of[@]}" != 0 ] && [ "${argv_of[*]}" != "${tap_words[*]}" ] && [ "${argv_of[1]-}" != --default-signal=HUP,INT,QUIT ]
}

# PROGRAM...: in the background, pid in $bg_pid, killed at the end of the test.  It is executed when bg returns, so that
# what observes it sees the program.  The shell starts it with SIGINT ignored, which env undoes.
bg() {
	env --default-signal=HUP,INT,QUIT "$@" &
	bg_pid=$!
	wait_for bg_executes "$bg_pid"
}

reap() { # PID: waits for it; $status
	wait "$1"
	status=$?
}

# [-t SECONDS] COMMAND...: polls until the command succeeds; 1 after the time-out (60 s, because
# the machine may be busy).  Tests wait only with this function: a fixed sleep is a race.
wait_for() {
	local secs=60 end
	if [ "$1" = -t ]; then
		secs=$2
		shift 2
	fi
	end=$((${EPOCHREALTIME/./} + secs * 1000000))
	until "$@" >/dev/null 2>&1; do
		[ "${EPOCHREALTIME/./}" -lt "$end" ] || return 1
		sleep 0.01
	done
}

# FILE ERE: a line matches.  The expression is not an argument of grep: a row that shows that grep
# would match.
has_line() { grep -qaE -f - -- "$1" <<<"$2"; }
has_exited() { ! kill -0 "$1" 2>/dev/null; } # PID
is_stopped() { grep -q "^State:.T" "/proc/$1/status"; } # PID

# NAME: true if this process has the capability, named as in capabilities(7), in lower case.
have_cap() {
	local bit names=(chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap
		linux_immutable net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner
		sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice
		sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap
		mac_override mac_admin syslog wake_alarm block_suspend audit_read perfmon bpf)
	for bit in "${!names[@]}"; do
		[ "${names[bit]}" = "$1" ] || continue
		(((0x$(awk '$1 == "CapEff:" { print $2 }' /proc/self/status) >> bit) & 1))
		return
	done
	echo "no capability $1" >&2
	return 2
}
need_cap() { # NAME...: skips the whole script without them
	local c
	for c; do have_cap "$c" || skip_all "needs CAP_${c^^}"; done
}

have_root() { [ "$(id -u)" = 0 ]; }
have_cmd() { command -v "$1" >/dev/null 2>&1; }
# Starts the test again, in a mount namespace that has tracefs, where it is not mounted and can be.  To be called
# before the first check.
try_tracefs() {
	[ ! -d /sys/kernel/tracing/instances ] && [ -z "${NO_TRACING-}${OWN_TRACEFS-}" ] &&
		unshare --mount true 2>/dev/null || return 0
	tap_cleanup
	# shellcheck disable=SC2016
	exec env OWN_TRACEFS=1 unshare --mount sh -c \
		'mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; exec bash "$0"' "$0"
}
need_tracefs() { # skips the whole script without it
	try_tracefs
	[ -d /sys/kernel/tracing/instances ] || skip_all "${NO_TRACING:-needs a mounted tracefs}"
}
need_root() { have_root || skip_all "needs root"; }
need_cmd() { # COMMAND...
	local c
	for c; do
		have_cmd "$c" || skip_all "needs $c, which is not installed"
	done
}

# NAME...: helper programs that an ordinary user executes: if a directory above them is closed to
# others, $HELPERS becomes a directory in $TMP with copies.
open_helpers() {
	as_nobody test -x "$HELPERS/$1" && return
	mkdir -p "$TMP/helpers"
	(cd "$HELPERS" && cp "$@" "$TMP/helpers/")
	HELPERS=$TMP/helpers
}

# Runs a program as an ordinary user without capabilities: as user nobody if the test runs as root.
as_nobody() {
	if have_cap setuid; then
		setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
	else
		"$@"
	fi
}

# Several programs at the same time, judged one after the other.
declare -A run_pid=()
# NAME COMMAND...: in the background; its output is in $TMP/NAME.rows and $TMP/NAME.msg, its pid is ${run_pid[NAME]}.
launch() {
	bg "${@:2}" >"$TMP/$1.rows" 2>"$TMP/$1.msg"
	run_pid[$1]=$bg_pid
}
# NAME: selects the output so far: $out, $err, and copies of the files, $TMP/rows and $TMP/msg.
run_output() {
	cp "$TMP/$1.rows" "$TMP/rows"
	cp "$TMP/$1.msg" "$TMP/msg"
	out=$(tr -d '\0' <"$TMP/rows")
	err=$(tr -d '\0' <"$TMP/msg")
}
use() { run_output "$1"; } # NAME; lab.sh selects the machine, too
take() { # NAME [CODE]: waits for its end and selects its output; $status, which one check compares with CODE
	reap "${run_pid[$1]}"
	use "$1"
	[ -z "${2-}" ] || expect_exit "$2" "$1: exit status $2"
}
