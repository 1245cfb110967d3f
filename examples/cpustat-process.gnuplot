#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# One process over time, user and system time stacked, as a PNG or SVG picture:
#	cpustat --csv=cpu.csv 0.5 120 >/dev/null; ./cpustat-process.gnuplot cpu.csv PID cpu.png
# Without the third argument it is drawn as text.  A box is as wide as its sample is long; where
# there is none, the process was idle.
if (ARGC < 2) exit error 'Usage: cpustat-process.gnuplot FILE.csv PID [FILE.png|FILE.svg]'
set datafile separator ','
pid = ARG2 + 0
mine(value) = column('pid') == pid && strcol('kind') eq 'process' ? value : NaN
begin(dummy) = column('mono_ns') * 1e-9 - column('dt_s')
rows = 0; top = 0
stats ARG1 using (mine(1) == 1 ? (rows = rows + 1, top = column('cpu_pct') > top ? column('cpu_pct') : top) : 0) nooutput
if (rows == 0) exit error 'no rows of process '.ARG2
stats ARG1 using (begin(0)) nooutput
middle(dummy) = begin(0) + column('dt_s') / 2 - STATS_min
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
if (ARGC > 2) {
	eval 'set terminal '.kind(ARG3).' noenhanced size 1000, 500'
	set output ARG3
} else {
	set terminal dumb
}
set title sprintf('CPU use of process %d', pid)
set xlabel 'seconds'
set ylabel 'percent of a CPU'
set xrange [0:*]
set yrange [0:*]
if (top == 0) set yrange [0:1]
set style fill solid noborder
set key top right
plot ARG1 using (middle(0)):(mine(column('cpu_pct'))):(column('dt_s')) with boxes lc rgb '#d55e00' title 'system', \
	'' using (middle(0)):(mine(column('usr_pct'))):(column('dt_s')) with boxes lc rgb '#56b4e9' title 'user'
