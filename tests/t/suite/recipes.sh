#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/*: the recipes that suite/examples.sh does not test.
# seconds: 2
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/picture.sh"
recipes=$TOP/examples

# --- pictures --------------------------------------------------------------------------
if ! have_cmd gnuplot; then
	skip 'pictures: need gnuplot, which is not installed' 5
	done_testing
fi
is_svg() { grep -q '^<svg' "$1" && grep -q '^</svg>' "$1"; } # FILE

# Two samples of half a second, eight seconds apart, and the same with a record for the samples without timers.
printf 'time,mono_ns,dt_s,starts,expiries,idle_expiries,comm,func\nt,%d,0.5,9,9,5,a,f\nt,%d,0.5,9,9,5,a,f\n' \
	1000000000 9000000000 >"$TMP/wake.csv"
run gnuplot -c "$recipes/eventstat-wakeups.gnuplot" "$TMP/wake.csv" "$TMP/wake.png"
is "$status $out$err $(png_size "$TMP/wake.png")" '0 1.2 wakeups per second in 8.5 s 1000 500' \
	'eventstat-wakeups.gnuplot: the span begins with the first sample and ends with the last'
awk '{ print } NR == 2 { print "t,5000000000,4,0,0,0,," }' "$TMP/wake.csv" >"$TMP/empty.csv"
run gnuplot -c "$recipes/eventstat-wakeups.gnuplot" "$TMP/empty.csv" "$TMP/wake.svg"
is "$status $out$err $(grep -c '>?<' "$TMP/wake.svg")" '0 1.2 wakeups per second in 8.5 s 0' 'an empty sample has no cause'
ok 'it is drawn as SVG' is_svg "$TMP/wake.svg"

printf 'time,mono_ns,event,pid,duration_s,process_end,cmd\nt,2,exit,7,0.0005,1,true\nt,3,exit,8,0.5,1,sh\n' >"$TMP/rows.csv"
run gnuplot -c "$recipes/lifetimes.gnuplot" "$TMP/rows.csv" "$TMP/rows.png"
is "$status $out$err $(png_size "$TMP/rows.png")" '0  1000 500' 'lifetimes.gnuplot: PNG'
run gnuplot -c "$recipes/lifetimes.gnuplot" "$TMP/rows.csv" "$TMP/rows.svg"
ok 'lifetimes.gnuplot: SVG' is_svg "$TMP/rows.svg"
done_testing
