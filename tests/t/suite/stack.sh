#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# Every tool shows its rows with a stack of 64 KiB (stressors: t/stressors/each.sh).
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
able_tools

small() { # TOOL
	has_command "$1" || return
	# shellcheck disable=SC2016 # the inner shell's
	brief_sh "$1" 'ulimit -c 0; ulimit -s 64; exec "$@"'
	is "$status" 0 "$1: a stack of 64 KiB"
	num "$(wc -l <"$TMP/out")" -ge 1 "$1: its rows"
}
each_tool small
done_testing
