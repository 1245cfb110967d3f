#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Energy of each minute, of the whole run, and what kind of figures they are:
#	powerstat -d 0 --json 5 0 | ./powerstat-minutes.jq
# Tab-separated: minute (UTC), joules, mean and maximum watts, seconds measured, kinds.  Energy is
# watts times time, so a sample without a figure is in neither.  Reads line by line.
def round2: . * 100 | round / 100;
def line($name): [$name, (.j | round2), (.j / .s | round2), (.max | round2), (.s | round2),
	(.kinds | keys | join(" "))];
reduce (inputs | select(.type == "sample" and .watts != null)) as $s ({};
	reduce ($s.time[0:16], "all") as $key (.;
		.[$key] |= {
			j: (.j + $s.watts * $s.dt_s),
			s: (.s + $s.dt_s),
			max: ([.max // $s.watts, $s.watts] | max),
			kinds: (.kinds + {($s.kind): true})
		})) |
if . == {} then "no power was measured" else
	((to_entries | map(select(.key != "all")) | sort_by(.key) | .[]) as $e | $e.value | line($e.key)),
	(.all | line("all")) |
	@tsv
end
