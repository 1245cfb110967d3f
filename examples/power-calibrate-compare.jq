#!/usr/bin/jq -rRnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Do two settings, or two machines, differ in the power of a busy CPU?  Measure each into a file:
#	power-calibrate -R --target-ci 1% --json=old.json; ...; power-calibrate -R --target-ci 1% --json=new.json
#	./power-calibrate-compare.jq old.json new.json
# A line for each value: old, new, the difference, and its 95% confidence interval, whose half width is the root
# of the sum of the squares of both half widths.  Marked: more, less, if the interval does not contain 0.
# The last result of each file counts.

# Names are untrusted: no control characters.
def clean: tostring | gsub("[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]"; "?");
def figure: # four decimals; a number that rounds to 0 has no sign
	(fabs * 10000 | round) as $n | ($n % 10000 | tostring) as $rest |
	"\(if . < 0 and $n > 0 then "-" else "" end)\($n / 10000 | floor).\("0" * (4 - ($rest | length)) // "")\($rest)";
# The lines of an array of rows, the columns from $left on to the right.
def table($left):
	(transpose | map(map(length) | max)) as $width |
	.[] | [to_entries[] | .key as $i | .value |
		(" " * ($width[$i] - length) // "") as $blanks |
		if $i < $left then . + $blanks else $blanks + . end] | join("  ") | sub(" +$"; "");
def estimate: objects | select([.value, .low, .high] | all(type == "number" and (isnormal or . == 0)));
def values:
	(.load | objects | {key: "1 busy CPU, W", e: .w_per_cpu}, {key: "idle machine, W", e: .base_w}),
	(.types | arrays | .[] | objects | {key: "1 busy \(.cpu_type | clean) CPU, W", e: .w_per_cpu}),
	(.energy | objects | to_entries[] | .key as $name | .value | objects | {key: "1 \($name | clean), nJ", e: .nj});

[inputs | {file: input_filename, r: (fromjson? | objects | select(.type == "result"))}] as $all |
(reduce $all[].file as $f ([]; if index([$f]) then . else . + [$f] end)) as $files |
if $files | length != 2 then
	"Usage: power-calibrate-compare.jq OLD NEW, each the output of power-calibrate --json, with a result\n" | halt_error(1)
else . end |
[$files[] as $f | [$all[] | select(.file == $f).r][-1] | [values | {key, e: (.e | estimate)}]] as [$old, $new] |
[["", "old", "new", "difference", "low", "high", ""]] + [$old[] | .key as $key | .e as $a |
	$new[] | select(.key == $key) | .e as $b | ($b.value - $a.value) as $change |
	([$a, $b | (.high - .low) / 2] | map(. * .) | add | sqrt) as $half |
	[$key, ($a.value, $b.value, $change, $change - $half, $change + $half | figure),
		if $change > $half then "more" elif -$change > $half then "less" else "" end]] | table(1)
