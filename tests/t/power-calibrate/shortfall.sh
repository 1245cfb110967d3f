#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# heavy
# seconds: 6
# needs: root
# A load that does not get its CPU: beside a competitor of higher priority the row has its own load, and the result
# says how much was measured.  A CPU limit of the cgroup is reported at the start.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
limited=$(lab_spec calibrate-clock <<'END'
/sys/fs/cgroup/cpu.max text "50000 100000"
END
)
bg taskset -c 0 nice -n -20 sh -c 'while :; do :; done'
competitor=$bg_pid
for _ in 1 2 3 4; do
	rm -f "$TMP/json" "$TMP/yaml"
	simulate short "$limited" "${short[@]}" --json="$TMP/json" -o "$TMP/yaml"
	take short
	[ "$status" = 1 ] || break
done
code=$status
kill "$competitor"
reap "$competitor" 2>/dev/null
like "$err" 'power-calibrate: the cgroup of this process is limited to 0\.5 CPUs; ' 'a CPU limit: a message'
own=$(jq 'select(.type == "test" and .cpus == 1) | .own_cpus' "$TMP/json")
ok "the load got less than a CPU: $own" jq -ne "$own < 0.9"
like "$out" $'\n *100% x 1 \\(0\\.[0-9]+\\) ' 'the row is marked'
like "$out" $'\n *0% x 0  ' 'the idle machine is not'
is "$(jq -r --slurpfile schema "$BUILD/schema/power-calibrate.schema.json" --argjson check false -f "$TOP/tests/lib/schema.jq" \
	"$TMP/json")" '' 'JSON: records as in the schema'
is "$(jq 'select(.type == "header") | .machine.cpu_limit' "$TMP/json")" 0.5 'JSON: the limit'
if [ "$code" = 1 ]; then
	skip "no result: $(messages | head -n 1)" 3
else
	like "$out" $'\nThe load got less CPU time than requested in 1 of 2 tests \\(CPU limit of the cgroup: 0.5 CPUs\\): at most 0\\.[0-9]+ of 1 busy' \
		'text: a remark'
	is "$(jq -c 'select(.type == "result") | .load_shortfall | [.tests, .requested_cpus]' "$TMP/json") $(
		jq 'select(.type == "result") | .load_shortfall.own_cpus' "$TMP/json")" "[1,1] $own" 'JSON: the shortfall'
	like "$(cat "$TMP/yaml")" 'load-shortfall: \{tests: 1, requested-cpus: 1, own-cpus: 0' 'YAML: the shortfall'
fi
done_testing
