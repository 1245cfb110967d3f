#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# Two at once: both see everything.  Other methods, and what expires: accuracy.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
run "$EVENTSTAT" --method=bpf --interval=0.1 -q -- true
[ "$status" = 0 ] || skip_all "$err"

start --interval=0.2 --method=bpf
mv "$TMP/rows" "$TMP/first"
measure bpf -t 0.6 sleep 4 400
judge_starts 'the second'
mv "$TMP/msg" "$TMP/msg.second"
finish
is "$status" 0 'the first goes on to its end'
judge_starts 'the first' "$TMP/first"
done_testing
