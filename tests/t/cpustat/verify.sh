#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The tests of cpustat themselves: verifycpu finds planted errors.  The loads' truth: loads.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"

# Task 7: 10 % of 10 ms periods, from 1 s to 5 s; its child 8 of 3 ms is reaped at 2.5 s.
awk 'BEGIN {
	for (i = 0; i < 400; i++) {
		t = 1000000000 + i * 10000000
		printf "step\t%.0f\t7\t0\t%.0f\n", t, i * 1000000
		printf "step\t%.0f\t7\t0\t%.0f\n", t + 1000000, (i + 1) * 1000000
	}
	printf "child\t2500000000\t8\t7\t3000000\n"
	for (i = 0; i <= 50; i++) printf "root\t%.0f\t0\t0\t%.0f\n", i * 100000000, i * 20000000
}' >"$TMP/truth"
row() { # T-MS CPU-NS KIND PID
	printf '{"type":"task","time":"x","mono_ns":%d,"dt_s":1.000000000,"kind":"%s","cpu_pct":%s,"pid":%d,"cpu_ns":%d,"comm":"x\\"kind\\":"}\n' \
		"$1"000000 "$3" "$(awk -v c="$2" 'BEGIN { printf "%.4f", c / 1e7 }')" "$4" "$2"
}
sample() { printf '{"type":"sample","time":"x","mono_ns":%d,"dt_s":1.000000000,"sample":1}\n' "$1"000000; }
{
	row 2500 100000000 process 7
	sample 2500
	row 3500 100000000 process 7
	row 3500 20000000 process 99
	sample 3500
	row 4500 100000000 process 7
	row 4500 3000000 exited 7
	sample 4500
} >"$TMP/good"
figures() { for k; do printf '%s ' "${V[$k]-none}"; done; }
cp "$TMP/good" "$TMP/rows"
judge --pid 7
is "$(figures samples covered shown cpu_us truth_us mean_mpct sd_mpct err_sd_mpct err_max_mpct)" \
	'3 3 3 300000 300000 10000 0 0 0 ' 'true rows'
is "$(figures children_us children_truth_us tree_us tree_truth_us rows_us root_us span_us)" \
	'3000 3000 303000 303000 323000 600000 3000000 ' 'true sums'
is "$(figures hidden_us)" '0 ' 'no time without a row'
planted() { # SED NAME KEY... WANT
	sed -e "$1" "$TMP/good" >"$TMP/rows"
	judge --pid 7
	is "$(figures "${@:3:$#-3}")" "${*: -1} " "planted: $2"
}
planted '1d' 'a sample without its row' covered shown mean_mpct sd_mpct hidden_us '3 2 6667 4714 100000'
planted '3s/100000000,"comm/200000000,"comm/' 'double the time' cpu_us truth_us '400000 300000'
planted '3s/"cpu_pct":10/"cpu_pct":16/' 'a false percentage' mean_mpct err_sd_mpct err_max_mpct '12000 2828 6000'
planted '7d' 'lost children' children_us tree_us '0 300000'
planted '2s/}$//' 'a line cut short' bad_lines 1
planted '3s/"process"/"thread"/' 'a row of another kind' shown 2
run "$HELPERS/verifycpu" --pid 3 "$TMP/truth" "$TMP/good"
expect_exit 2 'a task that the truth does not know'

run "$HELPERS/cpuspawn" nosuch
expect_exit 2 'an unknown mode'
run "$HELPERS/cpuload" duty 0
expect_exit 2 'no percentage'
done_testing
