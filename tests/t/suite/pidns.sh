#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The unit tests that look for their own pids among those of the kernel pass, or are skipped with the reason, in a pid
# namespace of their own, as in a privileged container.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
unshare -pf --mount-proc true 2>/dev/null || skip_all 'needs a pid namespace of its own'

for name in eventstat/tasks forkstat/execbpf forkstat/exitcpu libsysmon/cnproc_live libsysmon/taskexit libsysmon/taskwalk \
	libsysmon/tasktable_walk libsysmon/timercount libsysmon/timerperf libsysmon/wakecause; do
	program=$BUILD/unit/${name%/*}/test_${name#*/}
	if [ ! -x "$program" ]; then
		skip "$name is not built here"
		continue
	fi
	run unshare -pf --mount-proc "$program"
	is "$status $(grep '^not ok' "$TMP/out")" '0 ' "$name in a pid namespace"
done
done_testing
