#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# A histogram of the lifetimes of processes on a logarithmic axis, as a PNG or SVG picture:
#	forkstat --csv=rows.csv -e exit -D 60 >/dev/null; ./lifetimes.gnuplot rows.csv lifetimes.png
# Without the second argument, the histogram is drawn as text.
if (ARGC < 1) exit error 'Usage: lifetimes.gnuplot FILE.csv [FILE.png|FILE.svg]'
set datafile separator ','
set colorsequence podo
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
if (ARGC > 1) {
	eval 'set terminal '.kind(ARG2).' noenhanced size 1000, 500'
	set output ARG2
} else {
	set terminal dumb
}
set title 'Lifetimes of processes'
set xlabel 'milliseconds (powers of ten)'
set ylabel 'exits'
set style fill solid noborder
set boxwidth 0.2
set key off
bin(s) = floor(log10(s * 1000 + 1e-6) * 4) / 4.0
known(dummy) = strcol('process_end') eq '1' && strcol('duration_s') ne ''
exits = 0
stats ARG1 using (known(0) ? (exits = exits + 1) : 0) nooutput
if (exits == 0) exit error 'no lifetimes in '.ARG1
stats ARG1 using (known(0) ? bin(column('duration_s')) : NaN) nooutput
if (STATS_min == STATS_max) set xrange [STATS_min - 0.5:STATS_max + 0.5]
set yrange [0:*]
plot ARG1 using (known(0) ? bin(column('duration_s')) : NaN):(1) \
	smooth frequency with boxes lt 3
