#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor mlock: what the kernel counts as locked, its calls, and the limit of memory that may be locked.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
page=$(getconf PAGESIZE)
user=()
if have_cap setuid; then prepare_user 65534; else cp "$STRESSORS" "$TMP/stressors"; fi
# KIB OPTION...: a run of an ordinary user who may lock so much
limited() {
	# shellcheck disable=SC2016 # the inner shell's
	run bash -c 'ulimit -l "$0" && exec "$@"' "$1" ${user[@]+"${user[@]}"} "$TMP/stressors" --mlock 1 --json -t 600 "${@:2}"
}
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }
value() { result ".metrics[] | select(.name == \"$1\").value"; }

limited 64 --mlock-ops=100
is "$status $(result '[.status, .ops] | @csv')" '0 "pass",100' 'a low limit is no failure'
is "$(value 'pages at the same time')" $((65536 / page)) 'as many pages as it permits'
limited 0
like "$status $(result .reason)" "^3 $page bytes cannot be locked \(ulimit -l\)$" 'none may be locked: no resource'
limited 64 --spoil
is "$status $(result .reason)" '2 a page is not locked' 'a page that is not locked is found'
limit=$(awk '/^Max locked memory/ { print $5 }' /proc/self/limits)
if have_cap ipc_lock; then
	stress --mlock 2 --mlock-ops=3000 -t 600
	is "$status $(of mlock '[.status, .ops] | @csv')" '0 "pass",6000' 'two instances: as many ops as asked for'
	is "$(metric mlock 'pages at the same time')" 512 'with the capability all of them'
	is "$(metric mlock 'time per mlock' | awk '{ print ($1 > 0) }') $(metric mlock 'time per munlock' | awk '{ print ($1 > 0) }')" '1 1' 'times'
	# shellcheck disable=SC2016 # the inner shell's
	run bash -c 'ulimit -l 0 && exec "$@"' sh "$STRESSORS" --mlock 1 --mlock-ops=2000 --json -t 600
	is "$status $(result .status)" '0 pass' 'and no limit holds'
elif [ "$limit" != unlimited ] && [ "$limit" -lt $((512 * page)) ]; then
	skip "only $limit bytes may be locked" 4
fi

# What /proc shows while it is stopped is a multiple of pages, and never more than it declares.
bg_group "$STRESSORS" --mlock 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"mlock".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
most=0
has_locked() {
	local kb
	kill -STOP "$instance"
	wait_for is_stopped "$instance"
	kb=$(awk '$1 == "VmLck:" { print $2 }' "/proc/$instance/status")
	kill -CONT "$instance"
	((kb <= most)) || most=$kb
	((kb > 0))
}
ok 'pages are locked' wait_for has_locked
num "$most" -le $((512 * page / 1024)) 'no more than it says'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of mlock .status)" '130 interrupted' 'a signal ends it'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=mlock,mlock2,munlock,mlockall,munlockall "$STRESSORS" --mlock 1 --mlock-ops=15 -t 600
	is "$status $(sed -E 's/^[0-9]+ +//; s/\(.*MLOCK_ONFAULT\).*/ ONFAULT/; s/\(.*(MCL_[A-Z]*)\).*/ \1/; s/\(.*//' "$TMP/trace" | sort | uniq -c | xargs)" \
		'0 8 mlock 7 mlock2 ONFAULT 4 mlockall MCL_FUTURE 15 munlock 4 munlockall' 'rounds of 1, 2, 4 and 8 pages'
	run strace -f -qq -o /dev/null -e signal=none -e trace=mlock2 -e inject=mlock2:error=ENOSYS "$STRESSORS" --mlock 1 --mlock-ops=10 --json="$TMP/rows" -t 600
	is "$status $(of mlock .status)" '0 pass' 'a kernel without mlock2'
	run strace -f -qq -o /dev/null -e signal=none -e trace=munlock -e inject=munlock:retval=0:when=3 "$STRESSORS" --mlock 1 --json="$TMP/rows" -t 600
	is "$status $(of mlock .reason)" '2 a page is locked after it was unlocked' 'a page that stays locked is found'
else
	skip 'needs strace, and ptrace(2)' 3
fi
done_testing
