#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The latencies of cyclic: each wake-up is counted, in every format; a stall is seen where it was.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq mlr pgrep

# The percentiles of the last run that do not lie in the bin of the histogram in which that many values end.
wrong_percentiles() {
	# shellcheck disable=SC2016 # those of jq
	of cyclic '.histogram as $h | .metrics[] | select(.name | endswith(" %")) | . as $m |
		((.name | rtrimstr(" %") | tonumber) / 100 * $h.count | ceil) as $rank |
		reduce $h.bins[] as $b ({n: 0}; if .n < $rank then {n: (.n + $b.count), bin: $b} else . end) | .bin |
		select($m.value < (.low_s * 1e9 | round) or $m.value >= (.high_s * 1e9 | round)) |
		"\($m.name): \($m.value) is not in \(.low_s) to \(.high_s)"'
}

# The CPUs that this shell may use, a line each.
allowed_cpus() {
	local range
	for range in $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , ' '); do
		seq "${range%-*}" "${range#*-}"
	done
}
# The affinities of the instances, in the order of their start.
affinity() {
	local pid
	for pid in $(pgrep -P "$bg_pid" | sort -n); do
		sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$pid/status"
	done | xargs
}

run "$STRESSORS" --cyclic 2 --cyclic-ops 503 -t 600 --cyclic-dist=10us --json="$TMP/rows" --csv="$TMP/csv"
is "$status" 0 'exit status'
ops=$(of cyclic .ops)
is "$(of cyclic '.histogram.of')" 'wake-ups by latency' 'JSON: what the histogram is of'
is "$(of cyclic '.histogram.count') $(of cyclic '[.histogram.bins[].count] | add') $(metric cyclic samples)" "$ops $ops $ops" 'all wake-ups are in it'
is "$(of cyclic '[.histogram.bins[] | .low_s, .high_s] | . == sort')" true 'bins are in order, and none is over another'
# shellcheck disable=SC2016 # those of mlr
is "$(mlr --icsv --ojson filter '$type == "bin"' "$TMP/csv" | jq -c '[.[] | [.low_s, .high_s, .n]]')" \
	"$(of cyclic '[.histogram.bins[] | [.low_s, .high_s, .count]] | tojson')" 'CSV has the same'
is "$(grep -c '^Histogram (of [0-9,]* wake-ups by latency)$' <<<"$out")" 1 'the report has a histogram'
is "$(awk '$2 == "-" { n += $4 } END { print n }' <<<"$out")" "$ops" 'with all wake-ups'
is "$(awk '$2 == "-" && $3 - $1 < 0.0095' <<<"$out" | awk '$1 * 100 == int($1 * 100) && $3 * 100 == int($3 * 100)')" '' 'no bin of the grid is narrower than 10 us'
# The extremes are exact; a bin holds each of them.
is "$(jq -c 'select(.type == "result") | (.metrics | map({(.name): (.value / 1e9)}) | add) as $m | .histogram.bins |
	[.[0].low_s <= $m.minimum, $m.minimum < .[0].high_s, .[-1].low_s <= $m.maximum, $m.maximum < .[-1].high_s]' "$TMP/rows")" \
	'[true,true,true,true]' 'minimum and maximum are in the first and the last bin'

is "$(wrong_percentiles)" '' 'percentiles are those of the histogram of both instances'
is "$(of cyclic '.histogram.bins as $b | .metrics[] | select(.name == "mode").value / 1e9 |
	. as $m | [$b[] | select(.low_s <= $m and $m < .high_s)][0] |
	(.count / (.high_s - .low_s)) as $d | all($b[]; .count / (.high_s - .low_s) <= $d * 1.000001)')" true \
	'the mode is in the bin with the most values for its width'
is "$(of cyclic '[.metrics[] | select(.name | test("^m(in|ax)imum")).instance | . == 0 or . == 1] | tojson')" \
	'[true,true,true,true]' 'minimum and maximum name their instance'

# Instances are pinned, each to a CPU of its own; each CPU has its maximum, in every format.
is "$(of cyclic '.histogram | ([.cpus[].count] | add) == .count')" true 'all wake-ups are of a CPU'
is "$(of cyclic '([.histogram.cpus[].max_s] | max) as $m | .metrics[] | select(.name == "maximum").value / 1e9 - $m | fabs < 1e-9')" \
	true 'the highest maximum of a CPU is the maximum'
# shellcheck disable=SC2016 # those of mlr
is "$(mlr --icsv --ojson filter '$type == "cpu"' "$TMP/csv" | jq -c '[.[] | [.cpu, .n, (.value / 1e9 | . * 1e9 | round)]]')" \
	"$(of cyclic '[.histogram.cpus[] | [.cpu, .count, (.max_s * 1e9 | round)]] | tojson')" 'CSV has the CPUs'
mapfile -t cpus < <(allowed_cpus)
is "$(of cyclic '[.histogram.cpus[].cpu] | tojson')" "$(printf '%s\n' "${cpus[@]:0:2}" | jq -cs .)" 'they are the first ones'
bg "$STRESSORS" --cyclic 2 -t 600 -q --taskset="${cpus[0]}" --json="$TMP/rows" --interval=0.1
wait_for has_line "$TMP/rows" '"type":"interval".*"ops":[1-9]'
is "$(affinity)" "${cpus[0]} ${cpus[0]}" '--taskset with one CPU: both run there'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$(of cyclic '[.histogram.cpus[].cpu] | tojson')" "[${cpus[0]}]" 'which is the only one of the result'
rm -f "$TMP/rows"
bg "$STRESSORS" --cyclic 2 -t 600 -M --json="$TMP/rows" --yaml="$TMP/yaml" --interval=0.1 >"$TMP/out"
wait_for has_line "$TMP/rows" '"type":"interval".*"ops":[1-9]'
is "$(affinity)" "${cpus[0]} ${cpus[1]:-${cpus[0]}}" 'each instance has a CPU of its own'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$(sed -n '/^Stressor *CPU *Samples *Maximum ns$/,/^$/s/^cyclic *//p' "$TMP/out" | tr -s ' ')" \
	"$(of cyclic '.histogram.cpus[] | "\(.cpu) \(.count) \(.max_s * 1e9 | round)"')" 'the report has the CPUs'
is "$(sed -n 's/^ *cpu-\([0-9]*\)-maximum-ns: /\1 /p' "$TMP/yaml")" \
	"$(of cyclic '.histogram.cpus[] | "\(.cpu) \(.max_s * 1e9 | round)"')" 'YAML has the CPUs'
is "$(sed -n 's/^ *99-9-percentile-ns: //p' "$TMP/yaml")" "$(metric cyclic '99.9 %')" 'YAML: the key of a percentile'
is "$(awk '$1 == "cyclic" && $2 == "samples" { print $3 }' "$TMP/out")" "$(metric cyclic samples)" 'the report has no needless decimals'
rm -f "$TMP/rows"

run "$STRESSORS" --cyclic 1 --cyclic-ops 5
unlike "$out" Histogram 'no histogram unless it is asked for'

# A stall: one of two instances is stopped for 300 ms; it is the maximum, it came after the first interval, and the
# periods of that time are missed.
rm -f "$TMP/rows"
bg "$STRESSORS" --cyclic 2 --cyclic-sleep=1ms -t 600 --json="$TMP/rows" --interval=0.2 -q
wait_for has_line "$TMP/rows" '"type":"interval"'
pid=$(pgrep -P "$bg_pid" | sort -n | tail -n 1)
kill -STOP "$pid"
wait_for is_stopped "$pid"
ops=$(last_ops cyclic)
sleep 0.3
kill -CONT "$pid"
# shellcheck disable=SC2317 # called by wait_for
goes_on() { [ "$(last_ops cyclic)" -gt $((ops + 50)) ]; }
wait_for goes_on
kill -INT "$bg_pid"
reap "$bg_pid"
num "$(metric cyclic maximum)" -ge 299000000 'a stall of 300 ms is the maximum'
is "$(of cyclic '.histogram.bins[-1] | .high_s > 0.299 and .count == 1')" true 'and the last bin'
is "$(of cyclic '[.metrics[] | select(.name | startswith("maximum")).instance] | tojson')" '[1,1,1]' 'and of the instance that was stopped'
is "$(of cyclic '.metrics[] | select(.name == "maximum at").value > 0.2')" true 'and when it was'
is "$(wrong_percentiles)" '' 'percentiles of instances that differ'
num "$(metric cyclic 'missed periods')" -ge 298 'the periods of the stall are missed'
# No period is counted twice: per mille of the periods that two instances have in the time of the run.  How many there
# are at least depends on when the instances got a CPU for the last time.
num "$(of cyclic '(.metrics | map({(.name): .value}) | add) as $m | ($m.samples + $m["missed periods"]) / (2 * .wall_s) | floor')" -le 1000 \
	'measured and missed periods: no more than the run has'
done_testing
