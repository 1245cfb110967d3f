#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The formats of the results: JSON lines, CSV, YAML with stress-ng's keys, text.  All of one run agree.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq mlr

# On a busy machine a short run may have no op, or not two intervals.
intervals() { jq -c 'select(.type == "interval" and .stressor == "nop")' "$TMP/rows" | wc -l; }
for t in 0.4 2 8; do
	rm -f "$TMP"/{rows,csv,yaml}
	run "$STRESSORS" --cpu 2 --nop 1 --switch 1 -t $t --interval 0.1 --seed 5 --metrics --perf --times \
		--json="$TMP/rows" --csv="$TMP/csv" --yaml="$TMP/yaml"
	[ "$status" != 0 ] || [ "$(intervals)" -lt 2 ] || break
done
is "$status" 0 'a run with all formats'
is "$(jq -r --slurpfile schema "$BUILD/schema/stressors.schema.json" --argjson check false -f "$TOP/tests/lib/schema.jq" \
	"$TMP/rows")" '' 'JSON: records as in the schema'
is "$(jq -r .type "$TMP/rows" | uniq | tr '\n' ' ')" 'header run interval result summary ' 'JSON: the records, in order'
num "$(intervals)" -ge 2 'JSON: intervals'
is "$(jq -s 'map(select(.type == "interval" and .stressor == "nop").ops) | . == sort' "$TMP/rows")" true 'JSON: ops grow'
is "$(jq -r 'select(.type == "run").seed' "$TMP/rows")" 5 'JSON: the seed'

# shellcheck disable=SC2016 # $type is mlr's
is "$(mlr --icsv --ojson filter '$type == "result"' "$TMP/csv" | jq -r '.[] | "\(.stressor) \(.ops)"')" \
	"$(jq -r 'select(.type == "result") | "\(.stressor) \(.ops)"' "$TMP/rows")" 'CSV: the results'
# shellcheck disable=SC2016 # $type is mlr's
is "$(mlr --icsv --ojson filter '$type == "metric" && $stressor == "switch"' "$TMP/csv" | jq 'length > 0')" true 'CSV: metrics'

yaml() { # STRESSOR KEY
	awk -v name="$1" -v key="$2:" '$1 == "-" && $2 == "stressor:" { on = $3 == name } on && $1 == key { print $2; exit }' "$TMP/yaml"
}
for s in cpu nop switch; do
	is "$(yaml "$s" bogo-ops)" "$(of "$s" .ops)" "YAML: bogo-ops of $s"
	is "$(awk -v a="$(yaml "$s" bogo-ops-per-second-real-time)" -v b="$(of "$s" .ops_per_s)" 'BEGIN { print (a - b) ^ 2 <= (b / 1000) ^ 2 }')" \
		1 "YAML: the rate of $s"
done
like "$(cat "$TMP/yaml")" $'^---\nsystem-info:\n' 'YAML: the machine'
like "$(cat "$TMP/yaml")" $'\n +hostname: ' 'YAML: its name'
if have_cmd python3 && python3 -c 'import yaml' 2>/dev/null; then
	is "$(python3 -c 'import sys, yaml; print(*sorted((j["stressor"], j["bogo-ops"]) for j in yaml.safe_load(sys.stdin)["metrics"]))' <"$TMP/yaml")" \
		"('cpu', $(of cpu .ops)) ('nop', $(of nop .ops)) ('switch', $(of switch .ops))" 'YAML: a parser takes it'
else
	skip 'needs python3 and its yaml module'
fi

# The text has the same.
for s in cpu nop switch; do
	like "$(tr -d , <<<"$out")" "$s +.*$(of "$s" .ops)" "text: ops of $s"
done
like "$(tail -n 1 <<<"$out")" '^stressors: passed 3, failed 0, skipped 0' 'text: the last line'
run "$STRESSORS" --nop 1 --nop-ops 1 --csv
is "$(head -n 1 <<<"$out" | cut -d, -f 1-2)" time,type 'CSV on standard output: the heading'
run "$STRESSORS" --nop 1 --nop-ops 1 -q
is "$status $out$err" '0 ' '--quiet: no line'
run "$STRESSORS" --nop 1 --nop-ops 1 --yaml=-
like "$out" 'stressor: nop' 'YAML on standard output'
# The line of a stressor has its most important metric.
run "$STRESSORS" --stream 2 --stream-l3-size=1m --stream-ops 2 -t 600 --json="$TMP/rows"
value=$(metric stream 'memory rate')
is "$(sed -n 's/^stream: passed, 2 instances, \([0-9,.]*\) MB\/s, 4 ops in .*/\1/p' <<<"$out" | tr -d ,)" \
	"$(awk -v v="$value" 'BEGIN { print int(v + 0.5) }')" 'text: the headline of stream'
is "$(of stream '(.metrics | map({(.name): .value}) | add) as $m | $m["memory rate"] - $m.read - $m.write | fabs < 0.001')" true \
	'which is the sum of read and write'
run "$STRESSORS" --switch 1 --switch-method=futex --switch-ops 10 -t 600 --yaml=-
like "$out" 'nanosecs-per-context-switch-futex-method: ' 'YAML: the key of a switch has the method'
unlike "$out" 'pipe-method' 'and not another one'
run "$STRESSORS" --nop 1 --nop-ops 1 --json=/dev/full
is "$status" 1 'a full disk: exit status'
like "$err" 'No space left on device' 'a full disk: the message'
# The old file stays until the end, and for good if the program is killed before.
old_and_new() { echo "$(cat "$TMP/yaml")$(cd "$TMP" && ls -d yaml.tmp.* 2>/dev/null)"; }
for signal in KILL INT; do
	echo old >"$TMP/yaml"
	chmod 640 "$TMP/yaml"
	rm -f "$TMP/rows"
	bg "$STRESSORS" --nop 1 -t 600 -q --yaml="$TMP/yaml" --json="$TMP/rows" --interval=0.05
	wait_for has_line "$TMP/rows" '"type":"interval"'
	is "$(old_and_new)" old "--yaml: the old content during the run (SIG$signal)"
	kill -"$signal" "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	[ "$signal" = INT ] || is "$status $(old_and_new)" '137 old' '--yaml: the old content after SIGKILL'
done
like "$status $(old_and_new)" $'^130 ---\n.*\n +- stressor: nop\n.*' '--yaml: the new content after SIGINT'
is "$(stat -c %a "$TMP/yaml")" 640 '--yaml: the mode stays'
# What is no regular file is written directly, and standard output after its rows.
mkfifo "$TMP/fifo"
bg cat "$TMP/fifo" >"$TMP/yaml"
run "$STRESSORS" --nop 1 --nop-ops 1 -t 600 --yaml="$TMP/fifo"
reap "$bg_pid"
like "$status $(cat "$TMP/yaml")" $'^0 ---\n.*\n +- stressor: nop\n.*' '--yaml to a FIFO'
run "$STRESSORS" --nop 1 --nop-ops 1 -t 600 --yaml=/dev/stdout
like "$status $out" $'^0 nop: passed.*\n---\n.*\n +- stressor: nop\n.*' '--yaml=/dev/stdout'
run sh -c '"$0" "$@" | cat' "$STRESSORS" --nop 1 --nop-ops 1 -t 600 --yaml=/dev/stdout
like "$status $out" $'^0 nop: passed.*\n---\n.*\n +- stressor: nop\n.*' '--yaml=/dev/stdout, a pipe'
run "$STRESSORS" --nop 1 -t 600 --yaml=/nowhere/x
is "$status" 1 'a file that cannot be made: before the run'
like "$err" '/nowhere/x: No such file or directory' 'and the message'
run bash -c '"$0" --nop 1 -t 600 --interval 0.05 --json | head -n 3 >/dev/null; echo "${PIPESTATUS[0]}"' "$STRESSORS"
is "$out $err" '141 ' 'a reader that stops: by SIGPIPE, silently'
done_testing
