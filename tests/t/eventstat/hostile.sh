#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 6
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
shapes=('' -l -s -d '-l -d' '-x -c -w' --summary --csv '-i' '-g comm' '-g function' '-g process -l' '-r /dev/stdout' '-q -r /dev/stdout' '--timestamp -b')
for i in "${!shapes[@]}"; do
	# shellcheck disable=SC2086
	launch "shape-$i" "$EVENTSTAT" -p "$p" ${shapes[i]} 0.2 1
done
launch groups "$EVENTSTAT" -p "$p" -g comm -N 0.5 1
launch json "$EVENTSTAT" -p "$p" -j 0.5 2
launch kernel "$EVENTSTAT" -k -j 0.3 1
launch csv "$EVENTSTAT" -p "$p" --csv 0.3 1
launch prom "$EVENTSTAT" -q -p "$p" --prom="$TMP/prom" 0.3 1
launch report "$EVENTSTAT" -q -r "$TMP/wide" -p "$p" -g comm 0.3 1
for i in "${!shapes[@]}"; do
	take "shape-$i"
	is "$status" 0 "eventstat ${shapes[i]}"
	harmless "eventstat ${shapes[i]}" "$TMP/rows"
done
take groups
is "$(grep -cvE '^ *[0-9]+\.[0-9]{2} +- +- +- +- +[0-9]+ |Total events' "$TMP/rows")" 0 'every line is a row or the total'
is "$(grep -c '^ *99\.99' "$TMP/rows")" 0 'no forged row'
for name in 'web cont' 'a)b (c' eventstat-x 'esc\x1b[31mred' 'new\x0aline 99.99' '\xff\u{009b}' '\u{202e}rtl' 'q"uo,te' 'é' '%s%n' 'tab\x09\x7f\x08'; do
	is "$(grep -cF " ${name// /\\x20} " "$TMP/rows")" 1 "a row of $name"
done
is "$(awk '/^ *[0-9]/ && !/Total/ { print NF }' "$TMP/rows" | sort -u | wc -l)" 1 'as many words in each row'
take json
is "$(jqs 'map(select(.type == "timers" and .func == "hrtimer_wakeup" and .starts > 0).tid) | unique | length')" ${#odd[@]} 'JSON: each task has its row'
is "$(jqs "map(select(.tid == ${tasks[5]}).comm) | unique")" '["new\nline 99.99"]' 'JSON: the name itself'
is "$(jqs "map(select(.tid == ${tasks[6]}) | .comm_b64) | unique")" "[\"$(printf '\xff\xc2\x9b' | base64)\"]" 'JSON: bytes that are no UTF-8'
is "$(jqs 'map(select(.type == "timers").kthread) | unique')" '[false]' 'JSON: a program called [kthreadd] is no kernel thread'
harmless JSON "$TMP/rows"
take kernel
is "$(jqs "map(select(.tid == ${tasks[3]})) | length")" 0 '-k: nor a row of it'
take csv
is "$(awk '{ gsub(/"([^"]|"")*"/, ""); n = gsub(/,/, ""); if (NR == 1) want = n; bad += n != want } END { print bad + 0 }' "$TMP/rows")" 0 'CSV: as many fields everywhere'
take prom
harmless --prom "$TMP/prom"
is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
	/^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.e+-]+$/ { next } { print }' "$TMP/prom")" '' '--prom: every line has the form'
take report
is "$(awk 'NR == 1 { gsub(/"([^"]|"")*"/, ""); print gsub(/,/, ""); next } NR == 2 { print gsub(/,/, "") }' "$TMP/wide" | uniq | wc -l)" 1 '-r: as many fields in both rows of names'
harmless -r "$TMP/wide"
end_naps

# A hostile command line.
bg "$HELPERS/cpuload" -p 5 hostile 20 >"$TMP/load"
load=$bg_pid
wait_for has_line "$TMP/load" '^ready'
read -r -a tasks < <(sed -n 's/^ready //p' "$TMP/load")
p=$(IFS=,; echo "${tasks[*]}"),$load
shapes=(-l '-l -d' '' '-l --csv' '-l -r /dev/stdout')
for i in "${!shapes[@]}"; do
	# shellcheck disable=SC2086
	launch "line-$i" "$EVENTSTAT" -p "$p" ${shapes[i]} 0.3 1
done
launch lines "$EVENTSTAT" -p "$p" -l -N 0.3 1
for i in "${!shapes[@]}"; do
	take "line-$i"
	harmless "a command line, ${shapes[i]}" "$TMP/rows"
done
take lines
is "$(grep -cvE '^ *[0-9]+\.[0-9]{2} +[0-9]+ |Total events' "$TMP/rows")" 0 'every line is a row or the total'
kill -TERM "$load"
reap "$load"

# Children of a millisecond: all of them counted, none without its name.  The load begins later than the tool and ends
# earlier; a child that lives at its end may be missing.  No other script has children of these names.
names=("kid$$" "k i) $$" $'k\n'"$$")
loads=()
for i in "${!names[@]}"; do launch "kids-$i" "$EVENTSTAT" -j --summary -g comm --comm="${names[i]}" --func=hrtimer_wakeup --duration=60 0.4; done
for i in "${!names[@]}"; do
	wait_for test -s "$TMP/kids-$i.rows"
	bg "$HELPERS/naps" -k 50 "${names[i]}" >"$TMP/naps-$i"
	loads+=("$bg_pid")
	wait_for has_line "$TMP/naps-$i" '^ready'
done
watch -j 0.4 2
is "$(jqs 'map(select(.type == "timers" and .tid != null and (.comm // "") == "")) | length')" 0 'no task without a name'
for i in "${!names[@]}"; do
	kill -TERM "${loads[i]}"
	reap "${loads[i]}"
	kill -INT "${run_pid["kids-$i"]}"
	take "kids-$i"
	kids=$(sed -n 's/^kids //p' "$TMP/naps-$i")
	counted=$(jqs 'map(select(.type == "total").starts) | add // 0')
	num "$kids" -ge 2 "short-lived children called $(printf %q "${names[i]}"): $kids"
	ok "counted: $counted" test "$counted" = "$kids" -o "$counted" = $((kids - 1))
done

for file in $'/no\e[2J\neventstat: forged' $'/\xff\xc2\x9b'; do
	run "$EVENTSTAT" -r "$file/x" 0.1 1
	harmless 'message about a file' "$TMP/err"
	is "$(wc -l <"$TMP/err")" 1 'one line of message'
done
done_testing
