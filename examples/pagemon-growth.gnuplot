#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# Which mappings of a process grow, stacked, as a PNG or SVG picture:
#	pagemon --csv -m -i 1 --duration=60 PID >mappings.csv
#	awk -f pagemon-growth.awk mappings.csv >growth.txt; ./pagemon-growth.gnuplot growth.txt growth.png
# Without the second argument it is drawn as text.
if (ARGC < 1) exit error 'Usage: pagemon-growth.gnuplot FILE [FILE.png|FILE.svg]'
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
if (ARGC > 1) {
	eval 'set terminal '.kind(ARG2).' noenhanced size 1000, 600'
	set output ARG2
} else {
	set terminal dumb
}
stats ARG1 using 1 skip 1 nooutput
columns = STATS_columns
if (columns < 2) exit error 'no columns'
set title 'Memory by mapping'
set xlabel 'seconds'
set ylabel 'MiB in memory and in swap'
set xrange [0:*]
set yrange [0:*]
set style fill solid noborder
set colorsequence podo # colours that can be told apart with any colour vision; blue is the first, not black
set linetype 1 linecolor rgb '#0072b2'
set linetype 6 linecolor rgb 'black'
set linetype columns - 1 linecolor rgb '#b0b0b0' # others
set key outside right top reverse Left
above(k) = sum [i = k:columns] column(i)
if (STATS_max == 0) set xrange [0:1] # one snapshot
stats ARG1 using (above(2)) skip 1 nooutput
if (STATS_max == 0) set yrange [0:1]
plot for [k = 2:columns] ARG1 using 1:(above(k)) with filledcurves x1 title columnheader(k)
