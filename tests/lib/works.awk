# SPDX-License-Identifier: GPL-2.0-or-later
# works.awk: counts the timers of delayed works that expired in a trace of timer_expire_entry and
# workqueue_queue_work: "COUNT FUNCTION" for each work's function.  The callback of the timer queues the work on its
# CPU at once, so that the next event of the CPU names the function.
#	awk -v from=SECONDS -v to=SECONDS -f works.awk TRACE
{
	for (i = 1; i <= NF && $i !~ /^\[[0-9]+\]$/; i++)
		;
	cpu = $i
	for (; i <= NF && $i !~ /^[0-9]+[.][0-9]+:$/; i++)
		;
	time = $i + 0
}
/ timer_expire_entry: / { due[cpu] = / function=delayed_work_timer_fn / ? time : 0 }
/ workqueue_queue_work: / && due[cpu] > from && due[cpu] <= to && match($0, / function=[^ ]+/) {
	n[substr($0, RSTART + 10, RLENGTH - 10)]++
	due[cpu] = 0
}
END {
	for (f in n)
		print n[f], f
}
