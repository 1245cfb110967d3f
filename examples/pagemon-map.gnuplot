#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of a process over time, as a PNG or SVG picture:
#	pagemon --csv -x -i 0.2 --duration=20 PID >runs.csv
#	awk -f pagemon-map.awk runs.csv >map.txt; ./pagemon-map.gnuplot map.txt map.png
# From left to right the time, from below the pages that were ever there, end to end by address.  White: the page was
# not there then.  Without the second argument it is drawn as text.
if (ARGC < 1) exit error 'Usage: pagemon-map.gnuplot FILE [FILE.png|FILE.svg]'
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
if (ARGC > 1) {
	eval 'set terminal '.kind(ARG2).' noenhanced size 1000, 700'
	set output ARG2
} else {
	set terminal dumb
}
set title 'Pages of the process'
set xlabel 'seconds'
set ylabel 'MiB that were ever there, by address'
set xrange [0:*]
set yrange [0:*]
set style fill solid noborder
set key outside top center horizontal
kind(k) = column(5) == k ? column(3) : NaN
# Colours that can be told apart with any colour vision
array name[4] = ['file or shared', 'anonymous', 'huge', 'in swap']
array colour[4] = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7']
plot for [k = 1:4] ARG1 using 1:(kind(k)):1:2:3:4 with boxxyerror lc rgb colour[k] title name[k]
