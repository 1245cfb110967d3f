#!/usr/bin/gnuplot -c
# SPDX-License-Identifier: GPL-2.0-or-later
# A thermal run: power, temperatures, frequency and ops/s over the time, below one another, as a PNG or SVG picture.
#	sudo powerstat -R -t -f --csv=power.csv 0.5 -- sh -c 'sleep 10
#	    stressors --cpu 0 --cpu-method fma -t 60 --interval 0.5 --csv=stress.csv; sleep 20'
#	./stressors-thermal.gnuplot power.csv stress.csv thermal.png 10
# The last argument is how many seconds of the command go before stressors (default 0).  The time of the load
# is grey.  Ops/s are in percent of the highest interval of each stressor: less at a higher temperature, beside
# a lower frequency, is throttling.  Panels of what the machine has not are left out.
if (ARGC < 3) exit error 'Usage: stressors-thermal.gnuplot POWER.csv STRESS.csv FILE.png|FILE.svg [SECONDS]'
set datafile separator ','
set datafile columnheaders

# ---- powerstat: the columns that have values ----
stats ARG1 using 0 nooutput
if (!exists('STATS_records') || STATS_records == 0) exit error 'no samples in '.ARG1
columns = STATS_columns
array name[columns]
do for [i = 1:columns] { stats ARG1 every ::::0 using (name[i] = columnhead(i), 0) nooutput }
ends(s, tail) = strlen(s) > strlen(tail) && s[strlen(s) - strlen(tail) + 1:] eq tail
zones = ''; freq = ''; watts = 0; clock = 0
coolest = NaN; hottest = NaN
do for [i = 1:columns] {
	if (name[i] eq 'mono_ns') { clock = i }
	if (name[i] eq 'watts') { watts = i }
	if (ends(name[i], '_c') || name[i] eq 'cpu_freq_khz') {
		stats ARG1 using (valid(i) ? 1 : 0) nooutput
		if (STATS_sum > 0) {
			if (ends(name[i], '_c')) { zones = zones.' '.i } else { freq = 'yes' }
		}
	}
}
if (!clock || !watts) exit error ARG1.' is not the CSV of powerstat'
label(i) = name[int(i)][1:strlen(name[int(i)]) - 2]
cell(i) = valid(int(i)) ? column(int(i)) : NaN
stats ARG1 using (column('mono_ns') * 1e-9 - column('dt_s')) nooutput
start = STATS_min
stats ARG1 using (column('mono_ns') * 1e-9 - start) nooutput
span = STATS_max
# Seconds since the start, in the middle of the sample.
middle(dummy) = column('mono_ns') * 1e-9 - column('dt_s') / 2 - start

# ---- stressors: names, highest rates, one stage ----
names = ''; rows = 0; setup = 0; length = 0; stages = ''; after = 0
is(type) = strcol('type') eq type
quoted(s) = '"'.s.'"'
stats ARG2 using (is('interval') ? (rows = rows + 1, \
	names = strstrt(names, quoted(strcol('stressor'))) ? names : names.' '.quoted(strcol('stressor')), \
	stages = after ? 'several' : stages, 0) : is('result') ? (after = 1, \
	setup = column('setup_s') > setup ? column('setup_s') : setup, \
	length = column('wall_s') > length ? column('wall_s') : length, 0) : 0) nooutput
if (rows == 0) exit error 'no intervals in '.ARG2.': stressors --interval=TIME --csv=FILE'
if (stages ne '') exit error 'several stages in '.ARG2.': one run without --seq for each picture'
array highest[words(names)]
array ops[words(names)]
array rate[words(names)]
of(i, type) = is(type) && strcol('stressor') eq word(names, i) && strcol('ops_per_s') ne ''
do for [i = 1:words(names)] {
	highest[i] = 0
	ops[i] = NaN
	stats ARG2 using (of(i, 'interval') && column('ops_per_s') > highest[i] ? (highest[i] = column('ops_per_s'), 0) : 0) nooutput
	stats ARG2 using (of(i, 'result') ? (ops[i] = column('ops_per_s'), 0) : 0) nooutput
	if (highest[i] == 0) { highest[i] = 1 }
	rate[i] = ops[i] >= 0 ? sprintf('%.6g ops/s', ops[i]) : 'no rate'
}
begin = (ARGC > 3 ? ARG4 + 0 : 0) + setup
end = begin + length

# ---- what is in the title, and printed ----
# Mean power of the samples that are wholly between two times; NaN without any.
mean_power(from, to) = sprintf("stats ARG1 using (valid(watts) && column('mono_ns') * 1e-9 - start <= %f && \
	column('mono_ns') * 1e-9 - start - column('dt_s') >= %f ? (sum_j = sum_j + column('watts') * column('dt_s'), \
	sum_s = sum_s + column('dt_s'), 0) : 0) nooutput", to, from)
sum_j = 0; sum_s = 0
eval mean_power(begin, end)
loaded = sum_s > 0 ? sprintf('%.2f W', sum_j / sum_s) : 'no power measured'
sum_j = 0; sum_s = 0
eval mean_power(-1, begin)
before = sum_s > 0 ? sprintf(', %.2f W before', sum_j / sum_s) : ''
what = ''
do for [i = 1:words(names)] { what = what.(i > 1 ? ', ' : '').word(names, i).' '.rate[i] }
heat = ''
do for [i in zones] {
	stats ARG1 using (cell(i)) nooutput
	if (!(coolest <= STATS_min)) { coolest = STATS_min }
	if (!(hottest >= STATS_max)) { hottest = STATS_max }
	heat = heat.sprintf('; %s %.1f to %.1f °C', label(i), STATS_min, STATS_max)
}
print sprintf('load from %.1f to %.1f s: %s%s%s; %s', begin, end, loaded, before, heat, what)

# ---- the picture ----
panels = 2 + (zones ne '') + (freq ne '')
if (sum_s == 0 && loaded[1:2] eq 'no') { panels = panels - 1 }
height = 75.0 + 200 * panels
# A file FILE.svg gets SVG, any other file PNG.
kind(file) = strstrt(file.'|', '.svg|') ? "svg background 'white'" : strstrt(GPVAL_TERMINALS, ' pngcairo ') ? 'pngcairo' : 'png'
eval 'set terminal '.kind(ARG3).sprintf(' noenhanced size 1000, %d', height)
set output ARG3
set multiplot layout panels, 1 title sprintf("stressors: %s, %.0f s\n%s under load%s", what, length, loaded, before) noenhanced \
	margins 0.08, 0.77, 55 / height, 1 - 55 / height spacing 25 / height
set key at graph 1.02, graph 1 left top vertical Left reverse noenhanced samplen 2
set colorsequence podo # colours that can be told apart with any colour vision; blue is the first, not black
set linetype 1 linecolor rgb '#0072b2'
set linetype 6 linecolor rgb 'black'
set grid
set tics front
set offsets graph 0, graph 0, graph 0.06, graph 0
set xrange [0:span > end ? span : end]
set format x ''
set object 1 rectangle from begin, graph 0 to end, graph 1 behind fillcolor rgb '#ececec' fillstyle solid noborder
set label 1 'load' at (begin + end) / 2, graph 0.08 center textcolor rgb '#909090'

if (loaded[1:2] ne 'no') {
	set ylabel 'power, W'
	# The rest before the end of the command can be too short for a counter.
	stats ARG1 using (column('dt_s')) nooutput
	longest = STATS_max; top = 0
	drawn(dummy) = column('dt_s') > longest / 2 ? cell(watts) : NaN
	stats ARG1 using (drawn(0) > top ? (top = drawn(0), 0) : 0) nooutput
	set yrange [0:*]
	if (top == 0) { set yrange [0:1] }
	plot ARG1 using (middle(0)):(drawn(0)) \
		with lines lw 2 lc rgb '#d95f02' title 'watts'
	unset label 1
}
if (zones ne '') {
	set ylabel 'temperature, °C'
	set offsets graph 0, graph 0, graph 0.06, graph 0.06
	set yrange [*:*]
	if (coolest == hottest) { set yrange [coolest - 1:hottest + 1] }
	plot for [i in zones] ARG1 using (middle(0)):(cell(i)) with lines lw 2 title label(i)
}
if (freq ne '') {
	set ylabel 'frequency, GHz'
	set offsets graph 0, graph 0, graph 0.06, graph 0
	set yrange [0:*]
	plot ARG1 using (middle(0)):(column('cpu_freq_min_khz') * 1e-6):(column('cpu_freq_max_khz') * 1e-6) \
		with filledcurves lc rgb '#c8c8e8' title 'minimum to maximum', \
		'' using (middle(0)):(column('cpu_freq_khz') * 1e-6) \
		with lines lw 2 lc rgb '#202080' title 'geometric mean'
}
set ylabel 'ops/s, % of (highest)'
set offsets
set yrange [0:105]
set xlabel 'seconds'
set format x '%g'
# In the middle of the interval, which began where the one before ended.
at(i) = (t = column('t_s'), last = t > last ? last : 0, m = (last + t) / 2, last = t, begin + m)
last = 0
set datafile missing NaN # the rows of other stressors do not interrupt the line
plot for [i = 1:words(names)] ARG2 using (of(i, 'interval') ? at(i) : NaN): \
	(column('ops_per_s') / highest[i] * 100) with linespoints lw 2 pt 7 ps 0.4 lc i \
	title sprintf('%s (%.4g ops/s)', word(names, i), highest[i])
unset multiplot
