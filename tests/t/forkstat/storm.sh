#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# needs: root
# Storms at full speed: nothing lost, nothing wrong, in order, programs with all arguments.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

storm() { # NAME LOAD-ARGUMENT...
	local name=$1
	shift
	follow -- "$HELPERS/load" "$@" -o "$TMP/truth" "$mode"
	expect_exit 0 "$name"
	unlike "$(cat "$TMP/msg")" '(kernel|output|arguments) [1-9]' "$name: no message of its own losses" # names can be others'
	judge "$name: nothing lost, wrong or out of order"
}
full() { # PERCENT NAME: of the execs with all arguments
	num "$((100 * ${V[exec_full]:-0}))" -ge "$(($1 * ${V[execs]:-1}))" \
		"$2: arguments of ${V[exec_full]:-0} of ${V[execs]:-0} execs, at least $1 %"
}

mode='exec'
storm 'exec, 1 generator' -n 6000
is "${V[sent]}" 18000 'three events of each'
full 98 'small environment'
storm 'exec, 2 generators' -n 6000 -g 2
full 98 'small environment, 2 generators'
storm 'exec, ordinary environment' -n 2000 -E 2000
full 75 'ordinary environment'
storm 'exec, 200/s' -n 100 -r 200
full 95 '200/s'
storm 'exec, bursts' -n 1000 -b 100
full 98 'bursts'
mode=fork
storm fork -n 8000
mode=vfork
storm vfork -n 4000
mode=thread
storm thread -n 4000
mode=mix
storm 'mix, 2 generators' -n 6000 -g 2
full 98 mix

# The other sources of names: nothing is lost or wrong with them either, only less known.
mode='exec'
for source in proc perf; do
	follow --source=$source --json="$TMP/json" -- "$HELPERS/load" -n 2000 -o "$TMP/truth" exec
	run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
	for counter in lost exec_wrong fork_name_wrong parent_wrong order extra; do
		like "$out" "(^|"$'\n'")$counter=0("$'\n'"|$)" "--source=$source: $counter=0"
	done
done
# perf's rings hold 250 execs of each CPU, fewer than a busy machine makes before it runs the tool.
is "$(($(sed -n 's/^exec_full=//p' "$TMP/out") + $(jqs '.[-1].lost.arguments' "$TMP/json")))" 2000 \
	'--source=perf: each exec without all arguments is counted'
follow --realtime --source=perf -- "$HELPERS/load" -n 3000 -o "$TMP/truth" exec
judge '--source=perf, which runs at once: nothing lost, wrong or out of order'
full 98 '--source=perf'
mode=mix
follow -j -- "$HELPERS/load" -n 3000 -g 2 -o "$TMP/truth" mix
judge 'JSON: nothing lost, wrong or out of order' --format json
is "$(jqs '.[-1].lost')" '{"kernel":0,"output":0,"arguments":0,"names":0}' 'JSON: the summary counts no losses'
full 98 JSON
done_testing
