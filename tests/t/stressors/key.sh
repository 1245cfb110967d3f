#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor key: the kernel counts its keys, none is left, the quota is no failure, and wrong results are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare

stress --key 2 --key-ops=20
if [ "$(of key .status)" = skip ]; then
	skip_all "$(of key .reason)"
fi
is "$status $(of key '[.status, .ops] | @csv')" '0 "pass",40' 'two instances: no more ops than asked for'
like "$(of key '.reason // "left out: "')" '(^|: )left out: ' 'a note only for what is left out'
num "$(metric key parts)" -ge 20 'parts that work'
is "$(metric key 'time per part' | awk '{ print ($1 > 0) }')" 1 'a time'

# The quota of a user whom nobody else is, and the keys that the kernel counts.
quota=/proc/sys/kernel/keys/maxkeys
if [ "$(id -u)" = 0 ] && [ -r /proc/key-users ] && [ "$(cat $quota 2>/dev/null)" = 200 ]; then
	prepare_user 54321
	rm -f "$TMP/rows"
	: >"$TMP/rows" && chmod 666 "$TMP/rows"
	run "${user[@]}" "$TMP/stressors" --key 4 --key-ops=40 -t 600 --json="$TMP/rows"
	is "$status $(of key '[.status, .ops] | @csv')" '0 "pass",160' 'four instances share the quota of a user'
	ok 'no key of the user is left' wait_for eval "[ -z \"\$(grep ' 54321:' /proc/key-users | awk '{ split(\$4, n, \"/\"); if (n[1]) print }')\" ]"
else
	skip 'the quota of a user: needs root and /proc/key-users' 2
fi

if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=add_key,request_key,keyctl "$STRESSORS" --key 1 --key-ops=1 -t 600 -q
	is "$(grep -c 'KEYCTL_JOIN_SESSION_KEYRING, NULL' "$TMP/trace")" 2 'a session keyring without a name, and another one'
	is "$(grep -o 'KEY_SPEC_USER[A-Z_]*\|KEYCTL_SESSION_TO_PARENT\|KEYCTL_GET_PERSISTENT' "$TMP/trace")" '' 'nothing that outlives the instance'
	# CALL INJECT: such calls have another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --key 1 --key-ops=2 -t 600 --json="$TMP/rows"
		result="$status $(of key '.status, .reason' | xargs)"
	}
	with keyctl error=EPERM
	is "$result" '4 skip keyctl(2) is not permitted here' 'a container without keyctl'
	with keyctl error=ENOSYS
	is "$result" '4 skip this kernel has no keys (CONFIG_KEYS), or they are filtered here' 'a kernel without keys'
	with request_key retval=5
	like "$result" '^2 fail request_key: the key found is 5 instead of [0-9]+$' 'another key is found'
	with add_key error=EDQUOT
	is "$result" '3 no-resource the quota of the user has no room for a key' 'no key at all: no resource'
	with add_key error=EDQUOT:when=3..70
	like "$result" '^0 pass .*parts found no room in the quota of the user|^0 pass left out' 'a quota that is full for some time'
	with keyctl retval=0:when=2
	is "$result" '2 fail KEYCTL_READ: the size of the payload is 0 instead of 64' 'a payload that is not there'
fi
done_testing
