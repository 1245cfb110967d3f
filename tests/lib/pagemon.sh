# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# pagemon: functions of the black-box tests of pagemon; sourced after tap.sh.
#
#	load_start [OPTION]... MODE   pageload in the background: $LOAD_PID, its lines in $LOAD_OUT
#	load_tell LINE [ERE]          a command for it; waits for a new line that matches
#	load_said ERE                 the last line that matches
#	load_end                      ends it: $status
#	regions                       each region of the truth: NAME START END COUNTS
#	region NAME                   $START and $END, hexadecimal, and $COUNTS
#	truth [START END]             pagetruth's total of the load, as COUNTS
#	count KEY COUNTS              a number of COUNTS ("pages=9 present=3 ...")
#	pm ARGUMENT...                the tool, as run()
# load_start ends the load before it; load_also lets that one run until the test ends, and the functions are then about
# the new one.
PAGEMON=${PAGEMON:-$BUILD/bin/pagemon}
export PAGEMON
LOAD_PID='' LOAD_OUT='' load_job='' load_fd='' load_count=0

# Its standard input is a pipe that this shell keeps open; the load ends with the shell in any case.
load_start() {
	[ -z "$load_job" ] || load_end
	load_also "$@"
}
load_also() {
	local pipe
	load_count=$((load_count + 1))
	LOAD_OUT=$TMP/load.$load_count
	pipe=$LOAD_OUT.in
	mkfifo "$pipe"
	exec {load_fd}<>"$pipe"
	mkdir -p "$LOAD_OUT.files"
	# A copy of its own: pages of a file that a load of another test maps too are not exclusive.
	[ -x "$TMP/pageload" ] || cp "$HELPERS/pageload" "$TMP/pageload"
	# Not bg: the shell gives a command in the background /dev/null, unless the command itself has another file.
	env --default-signal=HUP,INT,QUIT "$TMP/pageload" -d "$LOAD_OUT.files" "$@" <"$pipe" >"$LOAD_OUT" &
	load_job=$! LOAD_PID=$!
	wait_for load_answers '^ready ' 0
	load_lines '^ready ' 0 || fail "start of pageload $*" "$(cat "$LOAD_OUT")"
}
load_gone() { ! kill -0 "$load_job" 2>/dev/null; }
load_said() { grep -aE "$1" "$LOAD_OUT" | tail -n 1; }
load_lines() { [ "$(grep -acE "$1" "$LOAD_OUT")" -gt "$2" ]; }
load_answers() { load_lines "$@" || load_gone; } # waiting for a load that has died would be in vain
load_tell() {
	local ere=${2:-.} before
	before=$(grep -acE "$ere" "$LOAD_OUT")
	printf '%s\n' "$1" >&"$load_fd"
	wait_for load_answers "$ere" "$before"
	load_lines "$ere" "$before" || fail "pageload answers $1" "$(tail -n 3 "$LOAD_OUT")"
}
load_end() {
	kill -TERM "$load_job"
	reap "$load_job"
	exec {load_fd}>&-
	load_job=''
}

regions() { sed -n 's/^region //p' "$LOAD_OUT"; }
region() {
	local name
	read -r name START END COUNTS < <(regions | awk -v name="$1" '$1 == name { line = $0 } END { print line }')
	[ -n "$name" ]
}
lacks() { has_line "$LOAD_OUT" "^missing $1 "; } # NAME: the load does not have it on this machine

truth_of() { # PID [START END]
	"$HELPERS/pagetruth" "$@" | sed -n 's/^total mappings=[0-9]* \(.*\) how=.*/\1/p'
}
truth() { truth_of "$LOAD_PID" "$@"; }
count() { sed -n "s/.*\\b$1=\\([-0-9]*\\).*/\\1/p" <<<"$2"; }

pm() { run "$PAGEMON" "$@"; }
