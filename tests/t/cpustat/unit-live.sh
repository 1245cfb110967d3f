#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# Unit tests of cpustat with the cases that the short suite leaves out.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
[ -x "$BUILD/unit/cpustat/test_sampler_sim" ] || skip_all 'needs the unit tests: make unit'

run env CHECK_LIVE=1 "$BUILD/unit/cpustat/test_sampler_sim"
printf '%s\n' "$out" # its TAP, with the plan
exit "$status"
