#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# A histogram of the lifetimes of processes on a logarithmic axis:
#	forkstat --csv=rows.csv -e exit -D 60 >/dev/null; ./lifetimes.gnuplot rows.csv
# The second argument is a gnuplot terminal (default: dumb, text), the third the output file.
set datafile separator ','
set terminal (ARGC > 1 ? ARG2 : 'dumb')
if (ARGC > 2) set output ARG3
set title 'Lifetimes of processes'
set xlabel 'milliseconds (powers of ten)'
set ylabel 'exits'
set style fill solid
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
	smooth frequency with boxes
