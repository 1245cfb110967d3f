#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# Storms at full speed: nothing lost, nothing wrong, in order, programs with all arguments.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_root

storm() { # NAME LOAD-ARGUMENT...
	local name=$1
	shift
	follow -- "$HELPERS/load" "$@" -o "$TMP/truth" "$mode"
	expect_exit 0 "$name"
	is "$err" '' "$name: no message"
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

# The original's source of names: nothing is lost or wrong with it either, only less known.
mode='exec'
follow --source=proc -- "$HELPERS/load" -n 2000 -o "$TMP/truth" exec
run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
for counter in lost exec_wrong fork_name_wrong parent_wrong order extra; do
	like "$out" "(^|"$'\n'")$counter=0("$'\n'"|$)" "--source=proc: $counter=0"
done
follow --source=perf -- "$HELPERS/load" -n 3000 -o "$TMP/truth" exec
judge '--source=perf: nothing lost, wrong or out of order'
full 98 '--source=perf'
mode=mix
follow -j -- "$HELPERS/load" -n 3000 -g 2 -o "$TMP/truth" mix
judge 'JSON: nothing lost, wrong or out of order' --format json
full 98 JSON
done_testing
