#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 180
# Names that a task gives itself: blanks, parentheses, escapes, newlines, direction marks, bad UTF-8.  Every output is
# whole and harmless, every task has its row, short-lived ones too, and JSON and CSV have the name itself.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq iconv
need_timers

harmless() { # NAME FILE
	is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$2" | wc -c)" 0 "$1: no control byte"
	ok "$1: UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$2"
	is "$(LC_ALL=C grep -cP '\xc2[\x80-\x9f]' "$2")" 0 "$1: no C1 control"
	is "$(LC_ALL=C grep -cP '\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' "$2")" 0 "$1: no bidi control"
}

# Every byte but 0 and / in a comm, and the names that the original drops or takes for others.
odd=('web cont' 'a)b (c' 'eventstat-x' '[kthreadd]' $'esc\e[31mred' $'new\nline 99.99' $'\xff\xc2\x9b' $'\u202ertl' 'q"uo,te' ' ' '=1+1' '%s%n' $'tab\t\x7f\b' 'é')
naps 50 "${odd[@]}"
for options in '' -l -s -d '-l -d' '-x -c -w' --summary --csv '-i' '-g comm' '-g function' '-g process -l' '-r /dev/stdout' '-q -r /dev/stdout' '--timestamp -b'; do
	# shellcheck disable=SC2086
	watch -p "$p" $options 0.2 1
	expect_exit 0 "eventstat $options"
	harmless "eventstat $options" "$TMP/rows"
done
watch -p "$p" -g comm -N 0.3 1
is "$(grep -cvE '^ *[0-9]+\.[0-9]{2} +- +- +- +- +[0-9]+ |Total events' "$TMP/rows")" 0 'every line is a row or the total'
is "$(grep -c '^ *99\.99' "$TMP/rows")" 0 'no forged row'
for name in 'web cont' 'a)b (c' eventstat-x 'esc\x1b[31mred' 'new\x0aline 99.99' '\xff\u{009b}' '\u{202e}rtl' 'q"uo,te' 'é' '%s%n' 'tab\x09\x7f\x08'; do
	is "$(grep -cF " $name " "$TMP/rows")" 1 "a row of $name"
done
all_named() {
	watch -p "$p" -j 0.4 2
	is_named='map(select(.type == "timers" and .func == "hrtimer_wakeup" and .starts > 10)) | map(.tid) | unique | length'
	[ "$(jqs "$is_named")" = ${#odd[@]} ]
}
undisturbed 5 all_named
is $? 0 'JSON: each task has its row'
is "$(jqs "map(select(.tid == ${tasks[5]}).comm) | unique")" '["new\nline 99.99"]' 'JSON: the name itself'
is "$(jqs "map(select(.tid == ${tasks[6]}) | .comm_b64) | unique")" "[\"$(printf '\xff\xc2\x9b' | base64)\"]" 'JSON: bytes that are no UTF-8'
is "$(jqs 'map(select(.type == "timers").kthread) | unique')" '[false]' 'JSON: a program called [kthreadd] is no kernel thread'
harmless JSON "$TMP/rows"
watch -k -j 0.3 1
is "$(jqs "map(select(.tid == ${tasks[3]})) | length")" 0 '-k: nor a row of it'
watch -p "$p" --csv 0.3 1
is "$(awk '{ gsub(/"([^"]|"")*"/, ""); n = gsub(/,/, ""); if (NR == 1) want = n; bad += n != want } END { print bad + 0 }' "$TMP/rows")" 0 'CSV: as many fields everywhere'
watch -q -p "$p" --prom="$TMP/prom" 0.3 1
harmless --prom "$TMP/prom"
is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
	/^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+$/ { next } { print }' "$TMP/prom")" '' '--prom: every line has the form'
watch -q -r "$TMP/wide" -p "$p" -g comm 0.3 1
is "$(awk 'NR == 1 { gsub(/"([^"]|"")*"/, ""); print gsub(/,/, ""); next } NR == 2 { print gsub(/,/, "") }' "$TMP/wide" | uniq | wc -l)" 1 '-r: as many fields in both rows of names'
harmless -r "$TMP/wide"
end_naps

# A hostile command line.
bg "$HELPERS/cpuload" -p 5 hostile 20 >"$TMP/load"
load=$bg_pid
wait_for has_line "$TMP/load" '^ready'
read -r -a tasks < <(sed -n 's/^ready //p' "$TMP/load")
p=$(IFS=,; echo "${tasks[*]}"),$load
for options in -l '-l -d' '' '-l --csv' '-l -r /dev/stdout'; do
	# shellcheck disable=SC2086
	watch -p "$p" $options 0.3 1
	harmless "a command line, $options" "$TMP/rows"
done
watch -p "$p" -l -N 0.3 1
is "$(grep -cvE '^ *[0-9]+\.[0-9]{2} +[0-9]+ |Total events' "$TMP/rows")" 0 'every line is a row or the total'
kill -TERM "$load"
reap "$load"

# Children of a millisecond: all of them counted, none without its name.
for name in kid 'k i) d' $'k\nd'; do
	naps -k 50 "$name"
	kids() {
		start -g comm --comm="$name" 0.4
		wait_for has_line "$TMP/rows" '"sample":3,'
		finish
		[ "$(jqs '(map(select(.type == "timers" and .func == null or .func == "hrtimer_wakeup").starts) | add) as $n |
			(map(select(.type == "sample").dt_s) | add) as $t | $n > $t * 50 * 0.9 - 3 and $n < $t * 50 + 3')" = true ]
	}
	undisturbed 5 kids
	is $? 0 "short-lived children called $(printf %q "$name"): 50 a second"
	watch -j 0.5 2
	is "$(jqs 'map(select(.type == "timers" and .tid != null and (.comm // "") == "")) | length')" 0 'no task without a name'
	end_naps
done

for file in $'/no\e[2J\neventstat: forged' $'/\xff\xc2\x9b'; do
	run "$EVENTSTAT" -r "$file/x" 0.1 1
	harmless 'message about a file' "$TMP/err"
	is "$(wc -l <"$TMP/err")" 1 'one line of message'
done
done_testing
