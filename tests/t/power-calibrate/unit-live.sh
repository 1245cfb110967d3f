#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# seconds: 25
# Unit tests of the load, the regression and the level of a battery, with the cases that measure time and all of the
# random ones.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
export CHECK_LIVE=1
for name in workers regress fuelgauge powerpmu; do
	run "$BUILD/unit/libsysmon/test_$name"
	while read -r result number test; do
		[ "$result $number" = 'not ok' ] && fail "$name: ${test#* - }"
		[ "$result" != ok ] || pass "$name: ${test#- }"
	done < <(grep -E '^(not )?ok ' "$TMP/out")
	expect_exit 0 "$name: exit status 0"
done
done_testing
