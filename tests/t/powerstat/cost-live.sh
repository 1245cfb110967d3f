#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# seconds: 6
# When powerstat takes its samples.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_cmd jq
[ -x "$LAB_BIN/labtree" ] || skip_all 'labtree is not built'

# A plain copy of a machine, whose counters stand still.
mkdir "$TMP/one"
"$LAB_BIN/labtree" -x "$TMP/one" "$(lab_tree rapl-one)" || fail 'labtree'
chmod -R u+rwX "$TMP/one"
mkdir -p "$TMP/one/proc"
cp /proc/stat "$TMP/one/proc/stat"

# No sample has a power value, so the exit status is 3.
run "$POWERSTAT" --root "$TMP/one" -R -j 0.2 25
expect_exit 3
mv "$TMP/out" "$TMP/rows"
is "$(sample_count)" 25 '25 samples of 0.2 s'
# Absolute deadlines: however late one sample is, the next is at its own time.  A whole slot can be
# missed on a busy machine; it is told then.
if [ "$(of_summary .missed)" = 0 ]; then
	is "$(jqs 'map(select(.type == "sample") | [.mono_ns, .dt_s]) | (.[0][0] - .[0][1] * 1e9) as $start | [to_entries[] | (.value[0] - $start) / 1e9 - (.key + 1) * 0.2 | . > -0.001 and . < 0.2] | unique')" '[true]' \
		'each in its slot of the schedule from the start'
	is "$(jqs 'map(select(.type == "sample") | .dt_s) | (add / length) | . > 0.198 and . < 0.202')" true 'the mean interval is the delay'
else
	skip 'the machine was too busy for the schedule' 2
fi
done_testing
