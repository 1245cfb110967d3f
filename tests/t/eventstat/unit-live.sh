#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 50
# timeout: 240
# The unit tests of what counts timers and wakeups, with those of their cases that need a quiet machine.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"

for name in timercount timerperf wakecause taskexit; do
	CHECK_LIVE=1 "$BUILD/unit/libsysmon/test_$name" >"$TMP/tap" 2>"$TMP/err"
	status=$?
	reason='' plan=''
	while IFS= read -r line; do
		case $line in
		'# not tested: '*) reason=${line#*: } ;;
		ok*) if [ -n "$reason" ]; then skip "$name: $reason"; else pass "${line#* - }"; fi ;;
		'not ok'*) fail "${line#* - }" ;;
		1..*) plan=${line#1..} ;;
		esac
		case $line in *ok\ *) reason='' ;; esac
	done <"$TMP/tap"
	is "$(grep -c '^\(not \)\?ok' "$TMP/tap") $((status > 1)) $(cat "$TMP/err")" "$plan 0 " "$name ran to its end"
done
done_testing
