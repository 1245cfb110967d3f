#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# heavy
# seconds: 30
# Every stressor: it runs, ends at its time and after its ops, checks what it does, and makes itself known.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq

# STRESSOR: a run that ends at its time.  On a busy machine an instance may get no CPU in a short time, or none in the
# 0.3 s after the end, and is then ended by a signal: it has more time in the next try.
timed() {
	local time
	for time in 0.15 0.5 1 2 5; do
		stress --pathological "--$1" 1 -t $time --minimize
		result=$(of "$1" "[.status, .ops > 0, .instances, .forced, .wall_s >= $time / 2] | @csv")
		[ "$result" != '"pass",true,1,0,true' ] && [ "$(of "$1" .status)" != skip ] || break
	done
}

# A pair of processes, or some on each CPU.
cpus=$(nproc)
[ "$cpus" -ge 2 ] || cpus=2
num "${#all_stressors[@]}" -ge 15 'the stressors'
for s in "${all_stressors[@]}"; do
	timed "$s"
	if [ "$(of "$s" .status)" = skip ]; then
		skip "$s: $(of "$s" .reason)" 5
		continue
	fi
	is "$status $err" '0 ' "$s: a run"
	is "$result" '"pass",true,1,0,true' "$s: its result"
	is "$(of "$s" "[.user_s + .sys_s > 0, .user_s + .sys_s <= 1.1 * $cpus * .wall_s + 0.1] | @csv")" true,true "$s: its CPU time"

	stress --pathological "--$s" 2 "--$s-ops" 3 -t 600 --minimize
	is "$status $(of "$s" '[.instances, .ops >= 6, .forced] | @csv')" '0 2,true,0' "$s: ends after its ops"

	# What it damages in its own data it finds.
	help=$("$STRESSORS" "--help=$s")
	if grep -q '^Checked: nothing' <<<"$help"; then
		is "$s" nop "$s: what cannot be checked"
	else
		stress --pathological "--$s" 1 -t 60 --max-memory=64m --spoil
		is "$status $(of "$s" .status)" '2 fail' "$s: finds what is wrong"
		case $s in
		vm | memload | memrate | stream) says=' \(CPU [0-9]+, address 0x[0-9a-f]+, .*second reading: the same\)$' ;;
		*) says=. ;;
		esac
		like "$(of "$s" .reason)" "$says" "$s: and says it"
	fi
	like "$help" 'One op: .' "$s: its help"
done

# A small stack is enough for all of them, and for every output.
# shellcheck disable=SC2016 # the inner shell's
run bash -c 'ulimit -s 64 && exec env -i "$@"' sh "$STRESSORS" --all 1 "${once[@]}" --minimize --max-memory=64m -M --perf --rapl --tz \
	--times --json="$TMP/rows" --csv="$TMP/csv" --yaml="$TMP/yaml"
is "$status $(jq -r 'select(.type == "result" and .status != "pass" and .status != "skip") | "\(.stressor): \(.reason)"' "$TMP/rows")" '0 ' \
	'a stack of 64 KB'
done_testing
