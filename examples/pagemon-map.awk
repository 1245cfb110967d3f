#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of a process over time, for pagemon-map.gnuplot:
#	pagemon --csv -x -i 0.2 --duration=20 PID >runs.csv; awk -f pagemon-map.awk runs.csv >map.txt
# A line for each run: begin and end in seconds, begin and end in MiB, and a number for its state: 1 file,
# 2 anonymous, 3 huge, 4 in swap.  The MiB are those of all pages that were ever there, end to end by address.
function hex(s,   i, v) {
	v = 0
	for (i = 3; i <= length(s); i++)
		v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return v
}
function kind(state) {
	return state ~ /swap/ ? 4 : state ~ /huge/ ? 3 : state ~ /anon/ ? 2 : state ~ /file/ ? 1 : 0
}
# Sorts the begins of all runs, with their ends.
function sift(at, last,   child, v, e) {
	v = from[at]
	e = to[at]
	while ((child = 2 * at) <= last) {
		if (child < last && from[child + 1] > from[child])
			child++
		if (from[child] <= v)
			break
		from[at] = from[child]
		to[at] = to[child]
		at = child
	}
	from[at] = v
	to[at] = e
}
function sort_ranges(   i, v) {
	for (i = int(n / 2); i >= 1; i--)
		sift(i, n)
	for (i = n; i > 1; i--) {
		v = from[1]; from[1] = from[i]; from[i] = v
		v = to[1]; to[1] = to[i]; to[i] = v
		sift(1, i - 1)
	}
}
# Where an address is, with all gaps left out: the last range that begins at or before it.
function place(address,   low, high, middle) {
	low = 1
	high = ranges
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (begin[middle] <= address)
			low = middle
		else
			high = middle - 1
	}
	return (before[low] + address - begin[low]) / 1048576
}
BEGIN { FS = "," }
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	if (!column["state"] || !column["start"]) {
		print "pagemon-map.awk: these are no rows of pagemon --csv -x" >"/dev/stderr"
		failed = 1
		exit 1
	}
	next
}
kind($(column["state"])) {
	n++
	from[n] = first[n] = hex($(column["start"]))
	to[n] = last[n] = hex($(column["end"]))
	state[n] = kind($(column["state"]))
	time[n] = $(column["mono_ns"])
	if (times == 0 || time[n] != when[times])
		when[++times] = time[n]
	snapshot[n] = times
}
END {
	if (failed)
		exit 1
	if (!n) {
		print "pagemon-map.awk: no rows" >"/dev/stderr"
		exit 1
	}
	sort_ranges()
	for (i = 1; i <= n; i++) {
		if (ranges && from[i] <= end[ranges]) {
			if (to[i] > end[ranges])
				end[ranges] = to[i]
			continue
		}
		begin[++ranges] = from[i]
		end[ranges] = to[i]
	}
	for (i = 2; i <= ranges; i++)
		before[i] = before[i - 1] + end[i - 1] - begin[i - 1]
	when[times + 1] = times > 1 ? 2 * when[times] - when[times - 1] : when[1] + 1e9
	for (i = 1; i <= n; i++)
		printf "%.3f %.3f %.6f %.6f %d\n", (time[i] - when[1]) / 1e9, (when[snapshot[i] + 1] - when[1]) / 1e9,
			place(first[i]), place(last[i] - 1) + 1 / 1048576, state[i]
}
