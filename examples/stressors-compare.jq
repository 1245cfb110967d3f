#!/usr/bin/jq -rRnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Is one kernel slower than another?  Run the same on both, five times or more, into a file each:
#	for i in 1 2 3 4 5; do stressors --seq 1 -t 10 --json; done >old.json
#	./stressors-compare.jq old.json new.json
# A line for each rate and metric: the median of the old and of the new runs, the change, and the spread: the
# distance of the lowest and the highest run, the larger of old and new, in percent of the old median.
# A change that is larger than the spread is marked: faster, slower, or differs where the unit tells neither.
# With five runs each, noise alone marks one line of 250, with seven one of 5000.
# A single run has no spread, so nothing is marked.  Results that did not pass do not count; they are listed.

# Names are untrusted: no control characters.
def clean: tostring | gsub("[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]"; "?");
def figure: # four significant digits or more
	if . == null then "-"
	elif . == 0 then "0"
	else pow(10; [0, 3 - (fabs | log10 | floor)] | max) as $p | . * $p | round / $p | tostring end;
def percent($sign):
	if . == null then "-"
	elif fabs >= 1e6 then "huge"
	else (fabs * 10 | round) as $tenths |
		"\(if . < 0 and $tenths > 0 then "-" else $sign end)\($tenths / 10 | floor).\($tenths % 10)%" end;
def median: if length == 0 then null else sort | .[(length - 1) / 2 | floor] / 2 + .[length / 2 | floor] / 2 end;
def spread: if length < 2 then null else max - min end;
def part($whole): if . == null or $whole == null or $whole == 0 then null else . / $whole * 100 | fabs end;
def verdict($change; $unit):
	if $unit | test("/s$") then (if $change > 0 then "faster" else "slower" end)
	elif $unit | test("^[mun]s$") then (if $change > 0 then "slower" else "faster" end)
	else "differs" end;
# The lines of an array of rows, the columns from $left on to the right.
def table($left):
	(transpose | map(map(length) | max)) as $width |
	.[] | [to_entries[] | .key as $i | .value |
		(" " * ($width[$i] - length) // "") as $blanks |
		if $i < $left then . + $blanks else $blanks + . end] | join("  ") | sub(" +$"; "");
def runs:
	"\(length) run\(if length == 1 then "" else "s" end), " + (map("\(.release | clean), \(.machine | clean), " +
		"\(.cpus | clean) CPUs") | unique | join("; "));

# Lines that are no JSON, such as the last one of a run that was killed, are left out.
[inputs | {file: input_filename, r: (fromjson? | objects)}] as $all |
(reduce $all[].file as $f ([]; if index([$f]) then . else . + [$f] end)) as $files |
if $files | length != 2 then
	"Usage: stressors-compare.jq OLD NEW, each the output of stressors --json, of one run or more\n" | halt_error(1)
else . end |
[$all[] | {new: (.file == $files[1])} + .r] as $records |
[$records[] | select(.type == "result" and (.stressor | type) == "string")] as $results |
[$results[] | select(.status == "pass") | .new as $new | .stressor as $stressor |
	[0, "ops, real time", "/s", .ops_per_s], [1, "ops, CPU time", "/s", .ops_per_cpu_s],
	(.metrics | arrays | .[] | objects | [2, (.name | clean), (.unit // "" | clean), .value]) |
	select(.[3] | type == "number" and (isnormal or . == 0)) |
	{key: [($stressor | clean), .[0:3][]], new: $new, value: .[3]}] as $values |

"old: \([$records[] | select(.type == "run" and (.new | not))] | runs)",
"new: \([$records[] | select(.type == "run" and .new)] | runs)",
"",
([["stressor", "metric", "unit", "old", "new", "change", "spread", ""]] + [$values | group_by(.key)[] |
	.[0].key as [$stressor, $_, $metric, $unit] |
	map(select(.new | not).value) as $olds | map(select(.new).value) as $news |
	($olds | median) as $old | ($news | median) as $new |
	(if $old == null or $new == null or $old == 0 then null else ($new - $old) / ($old | fabs) * 100 end) as $change |
	(if ($olds | length) < 2 or ($news | length) < 2 then null else [$olds, $news | spread] | max end | part($old)) as $spread |
	[$stressor, $metric, $unit, ($old | figure), ($new | figure), ($change | percent("+")), ($spread | percent("")),
		if $new == null then "only old"
		elif $old == null then "only new"
		elif $change != null and $spread != null and ($change | fabs) > $spread then verdict($change; $unit)
		else "" end]] | table(3)),
($results | map(select(.status != "pass")) | group_by([.stressor, .new, .status])[] |
	"\(.[0].stressor | clean): \(.[0].status | clean) in \(length) of the \(if .[0].new then "new" else "old" end) runs" +
	([.[].reason | strings][0] // "" | if . == "" then "" else ": \(clean)" end))
