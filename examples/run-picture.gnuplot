#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the rows of several tools below one another, on one time axis:
#	./run-picture.gnuplot DIRECTORY run.svg
# The directory has power.csv of powerstat, cpu.csv of cpustat, processes.csv of "forkstat -e fork,exit", timers.csv of
# eventstat and memory.csv of pagemon, or some of them; a panel without rows is left out.  All tools count time in
# CLOCK_MONOTONIC.  run-picture writes the directory.
if (ARGC < 2) exit error 'Usage: run-picture.gnuplot DIRECTORY FILE.png|FILE.svg'

# Prints "MIDDLE LENGTH A B" for each sample of a CSV file, in seconds: the sums of two columns over its rows.  Rows without
# dt_s are instantaneous.  The columns precede all quoted ones, so a comma always ends a field.
sums = '\
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
$at["mono_ns"] != last { \
	out(); last = $at["mono_ns"]; dt = "dt_s" in at ? $at["dt_s"] : 0; n = x = y = 0 \
} \
$at[a] != "" { n++; x += $at[a]; y += $at[b] } \
END { out() } \
function out() { if (n) printf "%.4f %.4f %.6g %.6g\n", last / 1e9 - dt / 2, dt, x, y }'
table(file, a, b) = sprintf("awk -F, -v a=%s -v b=%s '%s' '%s/%s' 2>/dev/null", a, b, sums, ARG1, file)
# Prints the outline "TIME 0 LIVING NaN" of the number of processes that live, in steps: the highest number in each 20 ms.
# "TIME 0 LIVING NUMBER" on it is a failed process, which left NUMBER of them.
living = sprintf("awk -F, '%s' '%s/processes.csv' 2>/dev/null", '\
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
{ slot = int($at["mono_ns"] / 2e7); if (slot != last) { out(); last = slot; top = n; failures = 0 } } \
$at["event"] == "fork" && ++n > top { top = n } \
$at["event"] == "exit" && $at["process_end"] == 1 { \
	n--; if ($at["status"] > 0 || $at["signal"] > 0) { when[++failures] = $at["mono_ns"] / 1e9; left[failures] = n } \
} \
END { out() } \
function out(    i) { \
	if (!last) return; \
	step(last / 50, top); \
	for (i = 1; i <= failures; i++) printf "%.4f 0 %d %d\n", when[i], top, left[i]; \
	step((last + 1) / 50, n) \
} \
function step(t, to) { \
	if (to != height) printf "%.2f 0 %d NaN\n%.2f 0 %d NaN\n", t, height, t, to; \
	height = to \
}', ARG1)

array rows[5]
rows[1] = table('power.csv', 'watts', 'watts')
rows[2] = table('cpu.csv', 'usr_pct', 'sys_pct')
rows[3] = living
rows[4] = table('timers.csv', 'idle_expiries', 'expiries')
rows[5] = table('memory.csv', 'file_kb', 'anon_kb')

# "BEGIN END MAXIMUM" of each panel, empty without rows; the time axis is common.
range = " | awk '".'\
{ from = $1 - $2 / 2; to = $1 + $2 / 2; if (NR == 1 || from < begin) begin = from; if (NR == 1 || to > end) end = to } \
$3 > top { top = $3 } \
$4 > top { top = $4 } \
END { if (NR) printf "%.4f %.4f %g", begin, end, top }'."'"
array ranges[5]
begin = NaN; end = NaN; panels = 0; last = 0
do for [i = 1:5] {
	ranges[i] = system(rows[i].range)
	if (ranges[i] ne '') {
		panels = panels + 1
		last = i
		if (!(begin <= word(ranges[i], 1))) { begin = word(ranges[i], 1) + 0 }
		if (!(end >= word(ranges[i], 2))) { end = word(ranges[i], 2) + 0 }
	}
}
if (panels == 0) exit error 'no rows in '.ARG1
if (end == begin) { end = begin + 1 }

set colorsequence podo
height = 60.0 + 180 * panels
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
eval 'set terminal '.kind(ARG2).sprintf(' noenhanced size 1000, %d', height)
set output ARG2
set multiplot layout panels, 1 margins 0.08, 0.78, 55 / height, 1 - 15 / height spacing 25 / height
set key at graph 1.02, graph 1 left top vertical Left reverse noenhanced samplen 2
set grid
set xrange [0:end - begin]
set style fill solid noborder
set offsets 0, 0, graph 0.05, 0
set format x ''
since(dummy) = column(1) - begin
rate(n) = column(n) / column(2)

do for [i = 1:5] {
	if (ranges[i] ne '') {
		source = '< '.rows[i]
		set yrange [0:*]
		if (word(ranges[i], 3) == 0) { set yrange [0:1] }
		if (i == last) {
			set xlabel 'seconds'
			set format x '%g'
		}
		if (i == 1) {
			set ylabel 'W of the machine'
			plot source using (since(0)):3:2 with boxes lt 2 title 'power'
		}
		if (i == 2) {
			set ylabel '% of a CPU'
			plot source using (since(0)):($3 + $4):2 with boxes lt 7 title 'kernel', \
				'' using (since(0)):3:2 with boxes lt 3 title 'programs'
		}
		if (i == 3) {
			set ylabel 'processes'
			plot source using (since(0)):3 with filledcurves y=0 lt 4 title 'living', \
				'' using (since(0)):4 with points lt 7 pt 7 ps 0.6 title 'failed'
		}
		if (i == 4) {
			set ylabel 'timers per second'
			plot source using (since(0)):(rate(4)):2 with boxes lt 3 title 'expired', \
				'' using (since(0)):(rate(3)):2 with boxes lt 6 title 'on idle CPUs'
		}
		if (i == 5) {
			set ylabel 'MB of the command'
			plot source using (since(0)):($4 / 1024) with linespoints lt 2 lw 1.5 pt 7 ps 0.4 title 'anonymous', \
				'' using (since(0)):($3 / 1024) with linespoints lt 6 lw 1.5 pt 7 ps 0.4 title 'files'
		}
	}
}
unset multiplot
