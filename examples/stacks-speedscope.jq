#!/usr/bin/jq -nRf
# SPDX-License-Identifier: GPL-2.0-or-later
# Folded stacks as a file of speedscope, which shows them in the browser (also "Sandwich": time of each program):
#	forkstat -j -e exit -- make | ./forkstat-stacks.jq | ./stacks-speedscope.jq >build.speedscope.json
# The format is described by https://www.speedscope.app/file-format-schema.json.
[inputs | capture("^(?<stack>.+) (?<us>[0-9]+)$") | {frames: (.stack / ";"), us: (.us | tonumber)}] |
(map(.frames[]) | unique) as $names |
([$names | to_entries[] | {key: .value, value: .key}] | from_entries) as $place |
{
	"$schema": "https://www.speedscope.app/file-format-schema.json",
	exporter: "sysmon-tools",
	shared: {frames: ($names | map({name: .}))},
	profiles: [{
		type: "sampled",
		name: "processes",
		unit: "microseconds",
		startValue: 0,
		endValue: (map(.us) | add // 0),
		samples: map(.frames | map($place[.])),
		weights: map(.us)
	}]
}
