#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor fcntl: its commands reach the kernel, those that are absent are named, a wrong result is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq
mkdir "$TMP/work"
cd "$TMP/work" || exit 2

stress --fcntl 2 --fcntl-ops=50
is "$status $(of fcntl '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
left_out=$(of fcntl '.reason // ""' | grep -o '(' | wc -l)
is "$(metric fcntl parts)" $((25 - left_out)) 'the parts that work are those that are not left out'
is "$(metric fcntl 'time per part' | awk '{ print ($1 > 0) }')" 1 'a time'
is "$(ls -A)" '' 'nothing is left'

if can_inject; then
	# COMMAND... of a run, as strace has seen them
	run strace -f -qq -o "$TMP/trace" -e trace=fcntl "$STRESSORS" --fcntl 1 --fcntl-ops=1 -t 600 -q
	expect_exit 0 'under strace'
	seen=$(sed -n 's/.*fcntl([0-9]*, \(F_[A-Z_]*\).*/\1/p' "$TMP/trace" | sort -u)
	is "$(tr ' ' '\n' <<<'F_ADD_SEALS F_DUPFD F_DUPFD_CLOEXEC F_GETFD F_GETFL F_GETLK F_GETSIG F_GET_SEALS F_OFD_GETLK F_OFD_SETLK
F_OFD_SETLKW F_SETFD F_SETFL F_SETLK F_SETLKW F_SETOWN F_SETOWN_EX F_SETPIPE_SZ F_SETSIG' | sort | comm -23 - <(echo "$seen"))" '' \
		'each command is called'

	# COMMAND INJECT...: a run in which the first call of this command by the instance has another result than the kernel's.
	# The supervisor makes fewer calls than come before it.
	with() {
		local n
		n=$(awk -v command="$1" '$2 ~ /^fcntl/ { n[$1]++ } $3 ~ "^" command { print n[$1]; exit }' "$TMP/trace")
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace=fcntl -e inject="fcntl:$2:when=$n" "$STRESSORS" --fcntl 1 --fcntl-ops=1 -t 600 \
			--json="$TMP/rows"
		result="$status $(of fcntl '.status, .reason' | xargs)"
	}
	with F_SETPIPE_SZ error=EINVAL
	like "$result" '^0 pass left out: F_SETPIPE_SZ \(Invalid argument\)' 'a command that is absent is named'
	with F_SETPIPE_SZ error=EIO
	is "$result" '2 fail F_SETPIPE_SZ: Input/output error' 'another error is a failure'
	with F_SETPIPE_SZ error=ENOMEM
	is "$result" '3 no-resource F_SETPIPE_SZ: Cannot allocate memory' 'a lack is none'
	with F_GETPIPE_SZ retval=7
	is "$result" "2 fail F_SETPIPE_SZ: 7 bytes instead of $(getconf PAGESIZE)" 'a wrong result is a failure'
	with F_OFD_GETLK retval=0
	like "$result" '^2 fail F_SETLK: ' 'so is a lock that is not as it was set'
fi
done_testing
