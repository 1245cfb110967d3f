#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor bad-ioctl: the files that it opens, and what the kernel has answered.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --bad-ioctl 2 --bad-ioctl-ops=3000
is "$status $(of bad-ioctl '[.status, .ops] | @csv')" '0 "pass",6000' 'two instances: no more ops than asked for'
is "$(metric bad-ioctl 'time per call' | awk '{ print ($1 > 0) }')" 1 'a time'
num "$(metric bad-ioctl files)" -ge 10 'files'

if can_inject; then
	run strace -ff -qq -o "$TMP/trace" -e trace=ioctl,openat,open "$STRESSORS" --bad-ioctl 1 --bad-ioctl-ops=1500 -t 600 -q \
		--json="$TMP/rows"
	expect_exit 0 'under strace'
	# A file of each process: the child is the one that opens a terminal.
	child=$(grep -l '^ioctl.*TIOCSPTLCK, \[0\]) *= 0' "$TMP"/trace.*)
	is "$(grep -v ENOENT "$child" | sed -n 's/^open[a-z]*([^"]*"\([^"]*\)".*/\1/p' | grep -v '^/dev/\(null\|zero\|full\|ptmx\)$')" '' \
		'no other file is opened by its name'
	# Those that open the terminal succeed.
	grep '^ioctl' "$child" | grep -v 'TIOCSPTLCK, \[0\]) *= 0\|TIOCGPTPEER, .* = [0-9]' >"$TMP/calls"
	is "$(wc -l <"$TMP/calls")" 1500 'as many as ops'
	is "$(grep -vcE '= -1 (ENOTTY|EINVAL|EFAULT)' "$TMP/calls")" 0 'each is refused'
	for error in ENOTTY EFAULT; do num "$(grep -c "= -1 $error" "$TMP/calls")" -ge 200 "many with $error"; done
	num "$(sed -E 's/^ioctl\([0-9]+, (.*), [^,]*\) += .*/\1/' "$TMP/calls" | sort -u | wc -l)" -ge 50 'different commands'

	# RESULT N: the Nth call of ioctl of each process has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace=ioctl -e inject="ioctl:$1:when=$2" "$STRESSORS" --bad-ioctl 1 --bad-ioctl-ops=500 \
			-t 600 -q --json="$TMP/rows"
		result="$status $(of bad-ioctl '"\(.status) \(.reason)"')"
	}
	with retval=0 9
	like "$result" '^2 fail ioctl 0x[0-9a-f]+ of a pipe with an? .* returns 0$' 'a command that succeeds'
	with error=EPERM 9
	like "$result" '^2 fail ioctl 0x[0-9a-f]+ of a pipe with an? .*: Operation not permitted$' 'another error'
	with error=ENOMEM 9
	like "$result" '^3 no-resource ioctl 0x[0-9a-f]+ of a pipe with .*: Cannot allocate memory$' 'a lack is no failure'
fi
done_testing
