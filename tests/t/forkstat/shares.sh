#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# needs: root
# How many programs have all their arguments in storms at full speed.  That nothing is lost unseen: storm.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

full() { # PERCENT NAME: of the execs with all arguments
	num "$((100 * ${V[exec_full]:-0}))" -ge "$(($1 * ${V[execs]:-1}))" \
		"$2: arguments of ${V[exec_full]:-0} of ${V[execs]:-0} execs, at least $1 %"
}
lost_arguments() { unlike "$(cat "$TMP/msg")" 'arguments [1-9]' "$1: no arguments are lost"; }

storm 'exec, 1 generator' -n 6000 exec
full 98 'small environment'
lost_arguments 'small environment'
storm 'exec, 2 generators' -n 6000 -g 2 exec
full 98 'small environment, 2 generators'
lost_arguments 'small environment, 2 generators'
storm 'exec, ordinary environment' -n 2000 -E 2000 exec
full 75 'ordinary environment'
storm 'exec, 200/s' -n 100 -r 200 exec
full 95 '200/s'
storm 'exec, bursts' -n 1000 -b 100 exec
full 98 'bursts'
storm fork -n 8000 fork
storm thread -n 4000 thread
storm 'mix, 2 generators' -n 6000 -g 2 mix
full 98 mix
follow --realtime --source=perf -- "$HELPERS/load" -n 3000 -o "$TMP/truth" exec
judge '--source=perf, which runs at once: nothing lost, wrong or out of order'
full 98 '--source=perf'
follow -j -- "$HELPERS/load" -n 3000 -g 2 -o "$TMP/truth" mix
judge 'JSON: nothing lost, wrong or out of order' --format json
is "$(jqs '.[-1].lost')" '{"kernel":0,"output":0,"arguments":0,"names":0,"facts":0,"status":0,"truncated":0}' 'JSON: the summary counts no losses'
full 98 JSON
done_testing
