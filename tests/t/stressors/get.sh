#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor get: values that do not agree are found, whoever runs it and wherever.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare

stress --get 2 --get-ops=50
is "$status $(of get '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
left_out=$(of get '.reason // ""' | grep -o '(' | wc -l)
is "$(metric get parts)" $((18 - left_out)) 'the parts that work are those that are not left out'
is "$(metric get 'time per part' | awk '{ print ($1 > 0) }')" 1 'a time'

# COMMAND...: it starts the stressor
by() {
	rm -f "$TMP/rows"
	run "$@" "$STRESSORS" --get 1 --get-ops=3 -t 600 --json="$TMP/rows"
	result="$status $(of get '.status, (.reason // "" | sub("^left out.*"; ""))' | xargs)"
}
by nice -n 3
is "$result" '0 pass' 'another nice value'
if unshare -rpf true 2>/dev/null; then
	by unshare -rpf
	is "$result" '0 pass' 'another pid namespace, without its /proc'
else
	skip 'another pid namespace: not permitted'
fi
mkdir "$TMP/gone"
# shellcheck disable=SC2016 # the inner shell's
by bash -c 'cd "$1" && rmdir "$1" && shift && exec "$@"' sh "$TMP/gone"
is "$result" '0 pass' 'a working directory that is removed'
like "$(of get .reason)" 'getcwd \(No such file or directory\)' 'getcwd is left out'
if [ "$(id -u)" = 0 ]; then
	by setpriv --groups 5,6,7
	is "$result" '0 pass' 'some groups'
	by setpriv --groups "$(seq -s , 1 3000)"
	is "$result" '0 pass' 'many groups'
else
	skip 'groups: needs root' 2
fi

if can_inject; then
	# CALL INJECT: each such call has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --get 1 --get-ops=1 -t 600 --json="$TMP/rows"
		result="$status $(of get '.status, .reason' | xargs)"
	}
	with getpgid retval=1
	like "$result" '^2 fail getpgid: getpgid gives 1 instead of [0-9]+$' 'a wrong number'
	with getresgid retval=0
	like "$result" "^2 fail getresgid: getgid gives $(id -g) instead of 4294967295\$" 'a call that does nothing'
	with getgroups error=EINVAL
	is "$result" '2 fail getgroups: Invalid argument' 'an error'
	with getitimer error=ENOSYS
	like "$result" '^0 pass left out: .*getitimer \(Function not implemented\)' 'a call that is absent'
fi
done_testing
