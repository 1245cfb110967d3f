#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# Does the line fit?  Readings, line, its 95% band and the residuals, as a PNG or SVG picture:
#	power-calibrate -R --gnuplot watts; ./power-calibrate-picture.gnuplot watts.dat watts.png
# Without the second argument a picture is drawn as text.
# The residuals should lie around 0 without a pattern: a curve over the load is "not linear", a wave
# over the time is something that changes for another reason than the load.
if (ARGC < 1) exit error 'Usage: power-calibrate-picture.gnuplot FILE.dat [FILE.png|FILE.svg]'
data = ARG1
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
if (ARGC > 1) {
	eval 'set terminal '.kind(ARG2).' noenhanced size 1000, 750 font "sans,12"'
	set output ARG2
} else {
	set terminal dumb noenhanced 100, 50
}
# Columns: t_s cpus level_pct own_cpus other_cpus watts adjusted_w residual_w ops cycles instructions used
stats data index 0 using 2 nooutput name 'cpus_'
stats data index 0 using ($12 > 0 ? $8 : NaN) nooutput name 'res_'
stats data index 0 using ($12 > 0 ? $7 : NaN) nooutput name 'used_'
stats data index 0 using 12 nooutput name 'all_'
stats data index 0 using 1 nooutput name 'all_t_'
stats data index 1 using 1:2 nooutput name 'line_'
rejected = all_records - res_records
used(k) = column(12) > 0 ? column(k) : NaN
# Rejected readings can be far off: then they are at the edge.
lowest = used_min < line_min_y ? used_min : line_min_y
highest = used_max > line_max_y ? used_max : line_max_y
margin = highest > lowest ? 0.08 * (highest - lowest) : 1
bottom = lowest - margin
top = highest + margin
edge(w) = w > top ? top : w < bottom ? bottom : w
out(k) = column(12) > 0 ? NaN : edge(column(k))
set colorsequence podo # colours that can be told apart with any colour vision
set grid linecolor rgb '#e0e0e0' linetype 1
set tics nomirror
set border 3
set style line 1 linecolor rgb '#2060a0' linewidth 2
set style line 2 linecolor rgb '#c03030' pointtype 2 linewidth 1.5
set style fill solid 0.35 noborder
set multiplot
set origin 0, 0.45
set size 1, 0.55
set title sprintf('One busy CPU: %.2f W, idle: %.2f W  (%d readings used, %d rejected)', line_slope, line_intercept, \
	res_records, rejected)
set xlabel 'load, busy CPUs'
set ylabel 'power without other load and drift, W'
# Rejected readings are mostly at the top.
set key bottom right Left reverse samplen 2
if (line_slope < 0) set key bottom left
set yrange [bottom:top]
load = line_max_x > 0 ? line_max_x : 1
set xrange [-0.03 * load : 1.03 * load]
plot data index 1 using 1:3:4 with filledcurves fillcolor rgb '#4090e0' title '95% band of the line', \
	data index 1 using 1:2 with lines linestyle 1 title 'line', \
	for [n = 0 : int(cpus_max)] data index 0 using (column(2) == n ? column(4) : NaN):(used(7)) \
		with points pointtype 6 linecolor n + 1 \
		title (n == 0 ? 'idle' : sprintf('on %d CPU%s', n, n == 1 ? '' : 's')), \
	data index 0 using 4:(out(7)) with points linestyle 2 title (rejected ? 'rejected (far ones at the edge)' : '')
unset key
set origin 0, 0
set size 0.5, 0.45
set title 'Residuals over the load'
set ylabel 'W'
set yrange [res_min < 0 ? 1.3 * res_min : -0.001 : res_max > 0 ? 1.3 * res_max : 0.001]
plot 0 with lines linestyle 1, data index 0 using 4:(used(8)) with points pointtype 6 linecolor rgb '#404040'
set origin 0.5, 0
set title 'Residuals over the time'
set xlabel 'time, s'
set xrange [0 : all_t_max]
plot 0 with lines linestyle 1, data index 0 using 1:(used(8)) with points pointtype 6 linecolor rgb '#404040'
unset multiplot
