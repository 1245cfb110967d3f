#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# quiet
# seconds: 5
# Storms at full speed: nothing lost, nothing wrong, in order; programs with all arguments, or counted.  How
# many have them: shares.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

storm 'exec, 1 generator' -n 2000 exec
is "${V[sent]}" 6000 'three events of each'
storm 'exec, 2 generators' -n 6000 -g 2 exec
storm fork -n 2000 fork
storm vfork -n 2000 vfork
storm thread -n 2000 thread
storm 'mix, 2 generators' -n 6000 -g 2 mix

# The other sources of names: nothing is lost or wrong with them either, only less known.
source_of_names() { # SOURCE
	follow --source="$1" --json="$TMP/json" -- "$HELPERS/load" -n 1000 -o "$TMP/truth" exec
	run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
	for counter in lost exec_wrong fork_name_wrong parent_wrong order extra; do
		like "$out" "(^|"$'\n'")$counter=0("$'\n'"|$)" "--source=$1: $counter=0"
	done
}
source_of_names proc
if [ -n "${NO_TRACING-}" ]; then
	skip "$NO_TRACING" 8
else
	source_of_names perf
	# perf's rings hold 250 execs of each CPU, fewer than a busy machine makes before it runs the tool.
	is "$(($(sed -n 's/^exec_full=//p' "$TMP/out") + $(jqs '.[-1].lost.arguments' "$TMP/json")))" 1000 \
		'--source=perf: each exec without all arguments is counted'
	follow --realtime --source=perf -- "$HELPERS/load" -n 2000 -o "$TMP/truth" exec
	judge '--source=perf, which runs at once: nothing lost, wrong or out of order'
fi
follow -j -- "$HELPERS/load" -n 3000 -g 2 -o "$TMP/truth" mix
judge 'JSON: nothing lost, wrong or out of order' --format json
is "$(jqs '.[-1].lost | .kernel + .output')" 0 'JSON: the summary counts no losses'
num $((${V[exec_full]:-0} + $(jqs '.[-1].lost.arguments'))) -ge "${V[execs]:-0}" 'JSON: each exec without all arguments is counted'
done_testing
