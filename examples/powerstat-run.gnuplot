#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# Power, temperature, frequency and load of one run, below one another, as a PNG or SVG picture:
#	sudo powerstat -R -D -t -f --csv=run.csv 0.5 120
#	./powerstat-run.gnuplot run.csv run.png
# A panel whose columns the run had not (-t, -f; a machine without cpufreq) is left out, and so is
# what has no values, such as a zone that cannot be read.
# Each value is drawn over the time that it is the mean of; what could not be measured is a gap.
if (ARGC < 2) exit error 'Usage: powerstat-run.gnuplot FILE.csv FILE.png|FILE.svg'
set datafile separator ','
set datafile columnheaders

# The names of the columns; the first ones are always the same.
stats ARG1 using 0 nooutput
if (!exists('STATS_records') || STATS_records == 0) exit error 'no samples in '.ARG1
columns = STATS_columns
array name[columns]
do for [i = 1:columns] { stats ARG1 every ::::0 using (name[i] = columnhead(i), 0) nooutput }
ends(s, tail) = strlen(s) > strlen(tail) && s[strlen(s) - strlen(tail) + 1:] eq tail
domains = ''; zones = ''; freq = ''; coolest = NaN; hottest = NaN
do for [i = 1:columns] {
	if (ends(name[i], '_w')) { domains = domains.' '.i }
	if (ends(name[i], '_c') || name[i] eq 'cpu_freq_khz') {
		stats ARG1 using (valid(i) ? 1 : 0) nooutput
		if (STATS_sum > 0) {
			if (ends(name[i], '_c')) {
				zones = zones.' '.i
				stats ARG1 using (valid(i) ? column(i) : NaN) nooutput
				if (!(coolest <= STATS_min)) { coolest = STATS_min }
				if (!(hottest >= STATS_max)) { hottest = STATS_max }
			} else { freq = 'yes' }
		}
	}
	if (name[i] eq 'watts') { watts = i }
}
label(i) = name[int(i)][1:strlen(name[int(i)]) - 2]
cell(i) = valid(int(i)) ? column(int(i)) : NaN

# Seconds since the start, in the middle of the sample.
middle(dummy) = column('mono_ns') * 1e-9 - column('dt_s') / 2 - start
stats ARG1 using (column('mono_ns') * 1e-9 - column('dt_s')) nooutput
start = STATS_min
stats ARG1 using (column('mono_ns') * 1e-9) nooutput
span = STATS_max - start
figure = 'no power was measured'
top = 0
stats ARG1 using (valid(watts) && column('watts') > top ? (top = column('watts'), 0) : 0) nooutput
stats ARG1 using (valid(watts) ? column('dt_s') : 0) nooutput
covered = STATS_sum
if (covered > 0) {
	stats ARG1 using (column('watts') * column('dt_s')) nooutput
	figure = sprintf('%.2f W in the mean, %.1f J in %.1f s', STATS_sum / covered, STATS_sum, covered)
}
print figure

panels = 1 + (covered > 0) + (zones ne '') + (freq ne '')
height = 60.0 + 220 * panels
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
eval 'set terminal '.kind(ARG2).sprintf(' noenhanced size 1000, %d', height)
set output ARG2
set multiplot layout panels, 1 title ARG1.': '.figure noenhanced \
	margins 0.08, 0.77, 55 / height, 1 - 40 / height spacing 30 / height
set key at graph 1.02, graph 1 left top vertical Left reverse noenhanced samplen 2
set colorsequence podo # colours that can be told apart with any colour vision; blue is the first, not black
set linetype 1 linecolor rgb '#0072b2'
set linetype 6 linecolor rgb 'black'
set grid
set xrange [0:span]
set style fill solid noborder

if (covered > 0) {
	set ylabel 'W'
	set yrange [0:*]
	if (top == 0) { set yrange [0:1] }
	boxes = "ARG1 using (middle(0)):(column('watts')):(column('dt_s')) with boxes lc rgb '#ecccaa' title 'watts'"
	lines = ", for [i in domains] '' using (middle(0)):(cell(i)) with lines lw 1.5 title label(i)"
	eval 'plot '.boxes.(domains eq '' ? '' : lines)
}
if (zones ne '') {
	set ylabel '°C'
	set yrange [*:*]
	if (coolest == hottest) { set yrange [coolest - 1:hottest + 1] }
	plot for [i in zones] ARG1 using (middle(0)):(cell(i)) with lines lw 1.5 title label(i)
}
if (freq ne '') {
	set ylabel 'GHz'
	set yrange [0:*]
	plot ARG1 using (middle(0)):(column('cpu_freq_min_khz') * 1e-6):(column('cpu_freq_max_khz') * 1e-6) \
		with filledcurves lc rgb '#c8c8e8' title 'minimum to maximum', \
		'' using (middle(0)):(column('cpu_freq_khz') * 1e-6) \
		with lines lw 1.5 lc rgb '#202080' title 'geometric mean'
}
user(dummy) = column('user_pct') + column('nice_pct')
busy(dummy) = user(0) + column('sys_pct') + column('irq_pct') + column('softirq_pct')
set ylabel '% of all CPUs'
set yrange [0:100]
set xlabel 'seconds'
plot ARG1 using (middle(0)):(busy(0) + column('iowait_pct')):(column('dt_s')) \
	with boxes lc rgb '#b0b0b0' title 'waiting for devices', \
	'' using (middle(0)):(busy(0)):(column('dt_s')) with boxes lc rgb '#d55e00' title 'kernel', \
	'' using (middle(0)):(user(0)):(column('dt_s')) with boxes lc rgb '#56b4e9' title 'programs'
unset multiplot
