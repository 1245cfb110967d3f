#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# --coverage: the system calls of the instances and their descendants, compared with those that strace counts.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq strace

stress --null 1 --null-ops=10 -t 600 --coverage
case "$status $(cat "$TMP/err")" in
'1 stressors: --coverage: needs '*) skip_all "$(cat "$TMP/err")" ;;
esac

# CALL JQ: of its record
of_call() { jq -r --arg call "$1" "select(.type == \"coverage\" and .call == \$call) | $2" "$TMP/rows"; }
# CALL: its calls and its errors, as strace -f -c has counted them
traced() { awk -v call="$1" '$NF == call { print $4, $5 + 0 }' "$TMP/trace"; }

load=(--full 2 --full-ops=7 --null 1 --null-ops=1000 --fork 1 --fork-ops=20 -t 600)
run strace -f -c -qq -o "$TMP/trace" "$STRESSORS" "${load[@]}" -q
is "$status" 0 'a load under strace'
stress "${load[@]}" --coverage
is "$status$(cat "$TMP/err")" 0 'the same with --coverage'
for call in writev pwrite64 readv; do # the supervisor makes none of these
	is "$(of_call $call '"\(.calls) \(.errors | map(.n) | add // 0)"')" "$(traced $call)" "$call: calls and errors, as strace counts them"
done
is "$(of_call write '.errors | map(.errno) | @csv')" '"ENOSPC"' 'the name of the error'
is "$(of_call exit_group '[.calls, .ok, .errors] | @json')" '[24,0,[]]' 'four instances and 20 children: a call that does not return'
is "$(of_call clone .calls)$(of_call clone3 .calls)$(of_call fork .calls)" 20 'the forks of the stressor, not those of the supervisor'
is "$(jq 'select(.type == "summary").lost_calls' "$TMP/rows")" 0 'nothing is lost'
is "$(jq -s 'map(select(.type == "coverage").number) | . == (sort | unique)' "$TMP/rows")" true 'each call once, by number'
is "$(jq -s 'map(select(.type == "coverage") | select(.ok + (.errors | map(.n) | add // 0) > .calls)) | length' "$TMP/rows")" 0 \
	'no more results than calls'

# In a pid namespace, whose numbers are others: 990 ops more are as many calls more.
if unshare -pf true 2>/dev/null; then
	writes=0
	for ops in 10 1000; do
		run unshare -pf "$STRESSORS" --null 1 --null-ops=$ops -t 600 --coverage --json="$TMP/rows"
		writes=$(($(of_call write .calls) - writes))
	done
	is "$status $writes" '0 990' 'in a pid namespace'
else
	skip 'a pid namespace'
fi

prepare_user 65534
run "${user[@]}" "$TMP/stressors" --null 1 --coverage
is "$status $(cat "$TMP/out" "$TMP/err")" '1 stressors: --coverage: needs root, or CAP_BPF and CAP_PERFMON' 'a user: an error, and nothing runs'
done_testing
