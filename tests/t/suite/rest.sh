#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 4
# The rest of an interval at the end of a run, in every tool with samples or rates of intervals: at least half an
# interval is a sample of its own, with its true length; a shorter rest is not shown.  These rules hold for late samples,
# too: less than half an interval at the end is not shown, and only a sample after a late one is shorter than that.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq
able_tools

interval=0.4
command_line() { # TOOL DURATION: $command
	command=("$BUILD/bin/$1" --json="$TMP/json" --interval="$interval" --duration="$2")
	case $1 in
	powerstat) command+=(--power=none) ;;
	stressors) command+=(--nop=1) ;;
	esac
}
lengths() { # FILE: the length of each sample in seconds, and "partial"
	jq -rs 'map(select(.type | IN("sample", "rate", "interval"))) |
		(map(.t_s // 0) | [., [0] + .[:-1]] | transpose | map(.[0] - .[1])) as $between | to_entries[] |
		"\(.value.dt_s // .value.interval_s // $between[.key]) \(if .value.partial then "partial" else "" end)"' "$1"
}
# INTERVAL DURATION: reads lengths; prints the rules that they break
broken() {
	awk -v interval="$1" -v duration="$2" '
		{ dt[NR] = $1; sum += $1 }
		$2 != "" { partial = NR; if ($1 < interval / 2 || $1 >= interval) print "partial: " $1 }
		END {
			if (!NR) print "no samples"
			if (partial && partial != NR) print "partial: " partial " of " NR
			if (NR > 1 && dt[NR] < interval / 2 && dt[NR - 1] < 1.2 * interval) print "the last: " dt[NR]
			if (duration - sum > interval / 2 + 0.001) print "not shown: " duration - sum
		}'
}
rest() { # TOOL
	local duration marks
	[[ $1 != @(pagemon|power-calibrate) ]] || return # instants, and tests of a fixed length
	for duration in 1.2 1.3 1.5; do
		command_line "$1" $duration
		run "${command[@]}"
		is "$status" 0 "$1: --duration=$duration"
		is "$(lengths "$TMP/json" | broken $interval $duration)" '' "$1: --duration=$duration: the lengths of the samples"
		[[ $1 == @(cpustat|eventstat) ]] || continue
		marks=$(grep -ci 'partial' "$TMP/out")
		is "$marks" "$(lengths "$TMP/json" | grep -c partial)" "$1: --duration=$duration: marked in the table"
	done
}
each_tool rest
done_testing
