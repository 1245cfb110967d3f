#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# quiet
# seconds: 6
# Loss: none where it can be helped, exactly counted and shown where it cannot.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

background() { # NAME OPTION...: another forkstat, its pid in $bg_pid
	local name=$1
	shift
	bg "$FORKSTAT" -E -j "$@" >"$TMP/$name" 2>/dev/null
	wait_for test -s "$TMP/$name"
}
total() { jqs 'map(select(.type == "summary"))[0] | .received + .lost.kernel' "$TMP/$1"; }

# --- A forced overflow.  Other programs' events count too, so that the sum is exact is seen
# between two others that lose nothing: one lives longer, one shorter.
background outer
outer=$bg_pid
start -E -j -b 4096 --strict
background inner
inner=$bg_pid
kill -STOP "$tool"
run "$HELPERS/load" -n 1500 -o "$TMP/truth" exec
kill -CONT "$tool"
kill -INT "$inner"
wait "$inner"
finish
expect_exit 5 '--strict: exit status 5'
kill -INT "$outer"
wait "$outer"
is "$(jqs 'map(select(.type == "summary").lost.kernel)' "$TMP/inner" "$TMP/outer")" '[0]' 'the others lost nothing'
num "$(total rows)" -ge "$(total inner)" 'received + lost is not less than what was sent'
num "$(total rows)" -le "$(total outer)" 'received + lost is not more than what was sent'
lost=$(jqs 'map(select(.event == "lost" and .source == "kernel").count) | add')
num "$lost" -gt 1000 'most were lost'
is "$lost" "$(jqs 'map(select(.type == "summary"))[0].lost.kernel')" 'the rows of losses add up to the summary'
is "$(jqs 'map(select(.type == "event" and .event != "lost")) | length')" \
	"$(jqs 'map(select(.type == "summary"))[0] | .received - .filtered')" 'what was received was shown'
like "$(cat "$TMP/msg")" "forkstat: [0-9]+ events received; lost: kernel $lost, output 0," 'the message at the end'
run "$HELPERS/verify" --format json "$TMP/truth" "$TMP/rows"
eval "$(grep -E '^(sent|rows|lost|exec_wrong|exit_name_wrong|parent_wrong|order|extra|reported_lost)=' "$TMP/out")"
# shellcheck disable=SC2154
num "$((rows + reported_lost))" -ge "$sent" 'shown + reported covers what the load sent'
# shellcheck disable=SC2154
is "$exec_wrong $parent_wrong $order $extra $exit_name_wrong" '0 0 0 0 0' 'what is shown is right'

start -b 4096 -S
kill -STOP "$tool"
run "$HELPERS/load" -n 300 -o "$TMP/truth" fork
kill -CONT "$tool"
wait_for has_line "$TMP/rows" ' lost  -'
finish
expect_exit 0 'without --strict: exit status 0'
like "$(grep ' lost ' "$TMP/rows" | head -n 1)" '^..:..:.. lost  ----- .*[0-9]+ events lost \(kernel buffer\)$' \
	'the row'
like "$(cat "$TMP/rows")" 'lost: kernel [1-9][0-9]*, output 0, arguments' 'the statistics'

start -b 4096 --csv
kill -STOP "$tool"
run "$HELPERS/load" -n 300 -o "$TMP/truth" fork
kill -CONT "$tool"
wait_for has_line "$TMP/rows" ',lost,.*,kernel,'
finish
like "$(grep -m 1 ',lost,.*,kernel,' "$TMP/rows")" '^[^,]+,[0-9]+,lost,.*,[0-9]+,kernel,' 'CSV: the row'

# --- The tool itself stopped, with the buffers as they come: nothing lost, unless other programs fill them.  Another
# forkstat sees how much that is: processes, and bytes of arguments, of which half a megabyte is kept while nobody reads.
argument_bytes() { jqs 'map(select(.event == "exec") | (.argv // []) | map(utf8bytelength + 1) | add // 0) | add // 0' "$1"; }
background all -e fork,exec
all=$bg_pid
start --ppid=$$ --strict
kill -STOP "$tool"
run "$HELPERS/load" -n 3000 -o "$TMP/truth" exec
kill -CONT "$tool"
wait_for has_line "$TMP/rows" "exit +$(tail -n 2 "$TMP/truth" | head -n 1 | cut -f2) "
finish
kill -INT "$all"
wait "$all"
processes=$(jqs 'map(select(.event == "fork")) | length' "$TMP/all") bytes=$(argument_bytes "$TMP/all")
if [ "$processes" -lt 3500 ] && [ "$bytes" -lt 200000 ]; then
	expect_exit 0 'the tool stopped for a while: exit status 0'
	run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
	is "$(grep -E '^(lost|reported_lost|exec_wrong|parent_wrong|order|extra)=' "$TMP/out" | tr '\n' ' ')" \
		'lost=0 reported_lost=0 exec_wrong=0 parent_wrong=0 order=0 extra=0 ' 'nothing lost or wrong'
else
	skip "the machine is busy: $processes processes, of which 3000 are the load's, and $bytes bytes of arguments" 2
fi

# --- More arguments than the ring holds: each exec has its file name, each cut list is counted.
long=$(printf '%03000d' 0)
cp "$HELPERS/tiny" "$TMP/late" # a name that no other test runs
start -j -e exec --ring=256k --strict
kill -STOP "$tool"
for ((i = 0; i < 300; i++)); do "$TMP/late" "$i" "$long"; done
kill -CONT "$tool"
finish
expect_exit 5 'a ring that is too small: --strict, exit status 5'
is "$(jqs 'map(select(.event == "exec" and (.file // .argv[0]) == "'"$TMP"'/late") | .pid) | length')" 300 \
	'a ring that is too small: no exec without its file name'
cut=$(jqs 'map(select(.event == "exec" and (.name_source | IN("exec", "proc") | not))) | length')
num "$cut" -gt 200 'a ring that is too small: most lists are cut'
is "$(jqs '.[-1].lost.arguments')" "$cut" 'a ring that is too small: each of them is counted'

# --- The reader of the pipe stopped.
ended() { [[ $(ps -o stat= -p "$1") == Z* ]] || has_exited "$1"; }
stopped_reader() { # OPTION...: all the load is over before the reader continues
	mkfifo "$TMP/fifo"
	rm -f "$TMP/truth"
	bg cat "$TMP/fifo" >"$TMP/rows"
	reader=$bg_pid
	exec 7>"$TMP/fifo" # opened: cat is past its open
	bg "$FORKSTAT" "$@" -- "$HELPERS/load" -n 3000 -o "$TMP/truth" exec >&7 2>"$TMP/msg" 7>&-
	tool=$bg_pid
	wait_for test -s "$TMP/rows" && kill -STOP "$reader"
	exec 7>&-
	wait_for has_line "$TMP/truth" '^cpu'
	kill -CONT "$reader"
	wait_for ended "$tool" || {
		fail 'the reader continues: the tool ends' 'it hangs; killed'
		kill -KILL "$tool"
	}
	reap "$tool"
	wait "$reader"
	rm "$TMP/fifo"
}
stopped_reader --strict
expect_exit 0 'the reader stopped for a while: exit status 0'
judge 'nothing lost or wrong'
stopped_reader --strict -j --queue 64k
expect_exit 5 'the reader stopped, a small queue: exit status 5'
dropped=$(jqs 'map(select(.type == "summary"))[0].lost.output')
num "${dropped:-0}" -gt 0 'rows were dropped'
is "$(jqs 'map(select(.event == "lost" and .source == "output").count) | add')" "$dropped" 'the rows of losses add up'
is "$(jqs 'map(select(.type == "event" and .event != "lost")) | length + '"${dropped:-0}")" \
	"$(jqs 'map(select(.type == "summary"))[0].events | .fork + .exec + .exit + .clone')" \
	'rows shown + rows lost = rows made, exactly'
is "$(jqs 'map(select(.type == "summary"))[0].lost.kernel')" 0 'no event was lost'
like "$(cat "$TMP/msg")" "[0-9]+ events received; lost: kernel 0, output $dropped," 'the message at the end'
stopped_reader --strict --queue 64k
expect_exit 5 'the same for the table'
like "$(grep ' lost ' "$TMP/rows" | tail -n 1)" ' lost  ----- .*[0-9]+ rows lost \(slow reader or no memory\)$' 'the row'
is "$(grep -cvE '^[0-2][0-9]:|^Time' "$TMP/rows")" 0 'rows are whole'
# --- A ring without room: arguments, and then whole records, are missing.  Each row with a lesser name is counted.
start -j -e exec --ring=16384
kill -STOP "$tool"
run "$HELPERS/load" -n 300 -o "$TMP/truth" exec
kill -CONT "$tool"
finish
lesser=$(jqs 'map(select(.event == "exec" and (.truncated or (.name_source | IN("exec", "proc") | not)))) | length')
num "$lesser" -gt 100 'a full ring: many execs have a lesser name'
is "$(jqs 'map(select(.source == "arguments").count) | add')" "$lesser" 'each of them is counted'
num "$(jqs 'map(select(.event == "exec" and .name_source == "none")) | length')" -gt 0 'also those without any name'
done_testing
