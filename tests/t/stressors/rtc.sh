#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor rtc: without a clock, or without permission, it is skipped; with one it changes nothing.  A virtual
# machine has a clock: tests/vm/stressors.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq

stress --rtc 2 --rtc-ops=5
if [ ! -e /dev/rtc0 ]; then
	is "$status $(of rtc '"\(.status) \(.reason)"')" '4 skip there is no /dev/rtc0' 'no clock'
	skip 'a clock: there is no /dev/rtc0' 3
	done_testing
fi
[ "$(of rtc .status)" != skip ] || skip_all "$(of rtc .reason)"
is "$status $(of rtc '[.status, .ops] | @csv')" '0 "pass",10' 'two instances take turns'
num "$(metric rtc parts)" -ge 4 'parts that work'
before=$(cat /sys/class/rtc/rtc0/wakealarm 2>/dev/null)
stress --rtc 1 --rtc-ops=5
is "$status $(of rtc .status)" '0 pass' 'one instance'
is "$(cat /sys/class/rtc/rtc0/wakealarm 2>/dev/null)" "$before" 'the alarm is as it was'
done_testing
