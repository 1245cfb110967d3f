#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# Wake-ups of idle CPUs over time, by cause, as a PNG or SVG picture:
#	sudo eventstat --wakeups --csv=wake.csv 1 60 >/dev/null; ./eventstat-wakeups.gnuplot wake.csv wake.png
# Without --wakeups the causes are the callbacks of the timers that found a CPU idle.  With a third argument
# they are another column (comm, command, cgroup).  The eight most frequent ones have a colour of their own.
# A box is as wide as its sample is long.  The rate counts from the begin of the first sample to the end of the last.
if (ARGC < 2) exit error 'Usage: eventstat-wakeups.gnuplot FILE.csv FILE.png|FILE.svg [COLUMN]'
by = ARGC > 2 ? ARG3 : ''

# One line for each sample: its middle and its length in seconds, and wakeups per second by cause.
pivot = "awk -v by='".by."' '".'\
function fields(line, f,    n, part) { \
	n = 0; line = line ","; \
	while (line != "") { \
		if (match(line, /^"([^"]|"")*"/)) part = substr(line, 2, RLENGTH - 2); \
		else { match(line, /^[^,]*/); part = substr(line, 1, RLENGTH) } \
		f[++n] = part; line = substr(line, RLENGTH + 2) \
	} \
	return n \
} \
NR == 1 { \
	n = fields($0, name); \
	for (i = 1; i <= n; i++) at[name[i]] = i; \
	value = "wakeups" in at ? "wakeups" : "idle_expiries"; \
	if (by == "" && !("cause" in at)) by = "func"; \
	if ((by != "" && !(by in at)) || !(value in at)) exit; \
	next \
} \
{ \
	fields($0, f); t = f[at["mono_ns"]]; \
	if (t != last) { last = t; end[++samples] = t * 1e-9; long[samples] = f[at["dt_s"]] } \
	if (by != "") cause = f[at[by]]; \
	else { \
		cause = f[at["device"]] != "" ? f[at["device"]] : f[at["func"]] != "" ? f[at["func"]] : f[at["comm"]]; \
		cause = f[at["cause"]] (cause == "" ? "" : " ") cause \
	} \
	if (cause == "") cause = "?"; \
	gsub(/[\t"]/, " ", cause); \
	n = f[at[value]]; count[samples, cause] += n; sum[cause] += n \
} \
END { \
	for (k = 1; k <= 8; k++) { \
		best = ""; \
		for (c in sum) if (sum[c] > 0 && (best == "" || sum[c] > sum[best] || \
			(sum[c] == sum[best] && c < best))) best = c; \
		if (best == "") break; \
		top[k] = best; delete sum[best] \
	} \
	top[k] = "(others)"; \
	for (c in sum) for (i = 1; i <= samples; i++) count[i, "(others)"] += count[i, c]; \
	printf "middle\tlength"; for (j = 1; j <= k; j++) printf "\t%s", top[j]; print ""; \
	for (i = 1; i <= samples; i++) { \
		printf "%.3f\t%.3f", end[i] - long[i] / 2 - (end[1] - long[1]), long[i]; \
		for (j = 1; j <= k; j++) printf "\t%.3f", count[i, top[j]] / long[i]; \
		print "" \
	} \
}'."' '".ARG1."'"

set datafile separator '\t'
set datafile columnheaders
stats '<'.pivot using 0 nooutput
if (!exists('STATS_records') || STATS_records == 0) exit error 'no samples in '.ARG1
columns = STATS_columns
# Sum of the causes up to i: the most frequent one lies below.
upto(i) = sum [k = 3:i] column(k)
stats '<'.pivot using ($1 + $2 / 2) nooutput
span = STATS_max
stats '<'.pivot using (upto(columns) * column(2)) nooutput
print sprintf('%.1f wakeups per second in %.1f s', STATS_sum / span, span)

set colorsequence podo
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
eval 'set terminal '.kind(ARG2).' noenhanced size 1000, 500'
set output ARG2
set title 'Wake-ups of idle CPUs: '.ARG1 noenhanced
set xlabel 'seconds'
set ylabel 'wakeups per second'
set xrange [0:span]
set yrange [0:*]
if (STATS_sum == 0) set yrange [0:1]
set grid ytics
set style fill solid noborder
set key outside right top vertical Left reverse noenhanced samplen 2
set linetype 9 lc rgb '#b0b0b0' # the others
plot for [i = columns:3:-1] '<'.pivot using 1:(upto(i)):2 with boxes \
	lt (i == columns ? 9 : 1 + (i - 2) % 8) title columnheader(i)
