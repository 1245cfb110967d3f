#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 3
# The descendants of a COMMAND have rows: its child, its grandchild, and an orphan; processes that are not its
# descendants have none.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cmd jq
mkfifo "$TMP/go" "$TMP/go.end"
cat >"$TMP/family" <<'END'
echo command $$
sleep 100 &
echo child $!
bash -c 'sleep 100 & echo grandchild $!; wait' &
echo parent $!
(bash -c 'sleep 100 & echo orphan $!')
read -r _ <"$1"
kill $(jobs -p)
read -r _ <"$1.end"
exec 2>/dev/null
exit 7
END
bg sleep 100
other=$bg_pid
bg "$PAGEMON" --json="$TMP/rows" -q -i 0.05 -- bash -c 'exec bash "$0" "$1" >"$2"' "$TMP/family" "$TMP/go" "$TMP/pids"
tool=$bg_pid
is_told() { [ "$(wc -l <"$TMP/pids")" = 5 ]; }
ok 'the COMMAND has its descendants' wait_for is_told
pids_of() { # SAMPLE: the processes of the sample, in order
	jq -rs --argjson n "$1" 'map(select(.type == "process" or .type == "sample")) as $all |
		[$all | to_entries[] | select(.value.type == "sample") | .key] as $ends |
		$all[(if $n > 1 then $ends[$n - 2] + 1 else 0 end):$ends[$n - 1]] | map(.pid) | sort | join(" ")' "$TMP/rows" 2>/dev/null
}
want=$(cut -d' ' -f2 "$TMP/pids" | sort -n | tr '\n' ' ')
last() { grep -c '"type":"sample"' "$TMP/rows"; }
shows_all() { [ "$(pids_of "$(last)")" = "${want% }" ]; }
ok 'each of them has a row, and no other process' wait_for shows_all ||
	diag "want: $want" "got: $(pids_of "$(last)")" "$(tail -n 5 "$TMP/rows")"
unlike "$(cat "$TMP/rows")" "\"pid\":$other," 'a process that is no descendant'
is "$(jq -rs 'map(select(.type == "sample").left_out) | max' <(head -n -1 "$TMP/rows"))" 0 'none is left out'
echo >"$TMP/go"
child=$(sed -n 's/^child //p' "$TMP/pids")
has_exit() { grep -qE "\"type\":\"exited\".*\"pid\":$child," "$TMP/rows"; }
ok 'the exit of a child has a row' wait_for has_exit
echo >"$TMP/go.end"
reap "$tool"
is "$status" 7 'the run ends with the COMMAND, with its status'
is "$(jq -r --argjson pid "$(sed -n 's/^command //p' "$TMP/pids")" 'select(.type == "exited" and .pid == $pid).peak_kb > 0' "$TMP/rows")" true \
	'the row of its exit'
kill "$(sed -n 's/^orphan //p' "$TMP/pids")" "$(sed -n 's/^grandchild //p' "$TMP/pids")" 2>/dev/null

# More than 256 processes: the others have no rows.
has_left_out() { grep -q '"left_out":[1-9]' "$TMP/limit"; }
# shellcheck disable=SC2016 # for the COMMAND
bg "$PAGEMON" --json="$TMP/limit" -q -i 0.05 -- bash -c 'for ((i = 0; i < 300; i++)); do sleep 100 & done; read -r _ <"$0"; kill $(jobs -p)' "$TMP/go" \
	2>"$TMP/msg"
tool=$bg_pid
ok 'processes above the limit are counted' wait_for has_left_out
echo >"$TMP/go"
reap "$tool"
is "$(jq -s 'map(select(.type == "sample").processes) | max' "$TMP/limit")" 256 'at most 256 have rows'
is "$(cat "$TMP/msg")" 'pagemon: only 256 processes are monitored at a time' 'the message'
done_testing
