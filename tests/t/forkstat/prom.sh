#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# Prometheus text to a file: exact totals, replaced whole, errors reported.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

prom=$TMP/dir/forkstat.prom
mkdir "$TMP/dir"
value() { awk -v m="$1" 'substr($0, 1, length(m) + 1) == m " " { print $NF }' "$prom"; }
follow -E --prom="$prom" --json="$TMP/json" -- "$HELPERS/load" -o "$TMP/truth" kinds
expect_exit 0
is "$err" '' 'no message'
n=$(awk -F'\t' 'NF > 4 && $1 != "cpu"' "$TMP/truth" | wc -l)
bad=$(awk -F'\t' 'NF > 4 && $1 != "cpu" && $5 != 0' "$TMP/truth" | wc -l)
for want in "fork $n" 'exec 2' "exit $((n + 1))" 'core 1' 'comm 1' 'clone 0' 'uid 1' 'gid 1' 'sid 1' 'ptrce 2'; do
	is "$(value "sysmon_forkstat_events_total{event=\"${want% *}\"}")" "${want#* }" "events: $want"
done
is "$(value sysmon_forkstat_exits_nonzero_total)" "$bad" 'exits that were not 0'
for source in kernel output arguments names; do
	is "$(value "sysmon_forkstat_lost_total{source=\"$source\"}")" "$(jqs ".[-1].lost.$source" "$TMP/json")" "lost: $source"
done
count=$(value sysmon_forkstat_lifetime_seconds_count)
is "$count" "$((n + 1))" 'lifetimes'
is "$(value 'sysmon_forkstat_lifetime_seconds_bucket{le="+Inf"}')" "$count" 'the last bucket holds all'
ok 'buckets are cumulative' awk '/_bucket/ { if ($2 < was) bad = 1; was = $2 } END { exit bad }' "$prom"
is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
	/^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+$/ { next } { print }' "$prom")" '' 'every line has the form'
is "$(grep -c '^# TYPE' "$prom")" "$(grep -c '^# HELP' "$prom")" 'a type and a help of each'
is "$(ls -A "$TMP/dir")" forkstat.prom 'no temporary file stays'
is "$(stat -c %a "$prom")" 644 'others may read it'
if have_cmd promtool; then
	ok 'promtool' bash -c 'promtool check metrics <"$0"' "$prom"
else
	skip 'needs promtool, which is not installed'
fi

# Replaced by renaming: who has the old file open keeps it whole.
exec 6<"$prom"
old=$(cat "$prom")
follow --prom="$prom" -- true
is "$(cat <&6)" "$old" 'an open old file is untouched'
exec 6<&-
isnt "$(cat "$prom")" "$old" 'the new one is in its place'

# Kept up to date while it runs.
start --prom="$prom" -R 50ms --ppid=$$ -e exec
run "$HELPERS/load" -n 30 -o "$TMP/truth" exec
at_least() { [ "$(value 'sysmon_forkstat_events_total{event="exec"}')" -ge "$1" ]; }
ok 'totals follow while it runs' wait_for at_least 30
like "$(cat "$TMP/rows")" ' rate  ----- exec [0-9.]+/s' '-R: rows of rates'
finish
expect_exit 0 'SIGINT'

follow --prom=/nonexistent/dir/x.prom -- true
expect_exit 1 'no such directory: exit status 1'
like "$err" "^forkstat: /nonexistent/dir/x.prom(\.[^:]*)?: No such file or directory$" 'the message'
done_testing
