#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 6
# cpustat and hostile names: no output for people or spreadsheets holds a byte that could
# harm, and no name can forge a row, as the original lets it.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq iconv

harmless() { # NAME FILE
	is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$2" | wc -c)" 0 "$1: no control byte"
	ok "$1: UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$2"
	is "$(LC_ALL=C grep -cP '\xc2[\x80-\x9f]' "$2")" 0 "$1: no C1 control"
	is "$(LC_ALL=C grep -cP '\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' "$2")" 0 "$1: no bidi control"
}
load cpuload -p 5 hostile 30
for options in '' -c -l -s -d '-l -d' '-g -D -T -S -x' --csv '--csv -c' -H '-G comm' '-r /dev/stdout' -q \
	'--timestamp -w -l'; do
	# shellcheck disable=SC2086
	watch $options 0.1 2
	expect_exit 0 "cpustat $options"
	harmless "cpustat $options" "$TMP/rows"
done
row='^ *[0-9]+\.[0-9]{2} +[0-9]+\.[0-9]{2} +[0-9]+\.[0-9]{2} '
# A task that got no CPU in an interval has no row.  Only the own load: other tests have tasks of the same names.
watch -l -p "$load" --json="$TMP/json" 0.2 3
n=$(jqs "$(of_pid "$load") | length" "$TMP/json")
num "$n" -ge 1 'it has rows'
is "$(grep -cvE "$row"'|^ *%CPU|^$' "$TMP/rows")" 0 'every line is a row, a heading or empty'
is "$(grep -cE '^ *99.99 ' "$TMP/rows")" 0 'no forged row'
is "$(grep -cF "\\x1b]0;pwned\\x07\\x1b[2J\\x0a 99.99" "$TMP/rows")" "$n" 'the name is complete'
is "$(grep -cF '\u{202e}rtl\xff café,"q"' "$TMP/rows")" "$n" 'good UTF-8 stays'
watch -c -p "$load" --json="$TMP/json" 0.2 2
n=$(jqs "$(of_pid "$load") | length" "$TMP/json")
is "$(grep -cF '\x1b[2J\x0a) R 1 (\xffé' "$TMP/rows")" "$n" '-c: a comm that looks like the end of a stat field'
watch -j 0.2 2
is "$(jqs "map(select(.type == \"task\" and .pid == $load)) | map(.argv[0] | [startswith(\"\\u001b]0;pwned\"), contains(\"café\")]) | unique")" '[[true,true]]' 'JSON: the name itself, quoted'
is "$(jqs "map(select(.type == \"task\" and .pid == $load)) | map(.comm | startswith(\"\\u001b[2J\\n) R 1 (\")) | unique")" '[true]' 'JSON: comm'
is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$TMP/rows" | wc -c)" 0 'JSON: no control byte'
watch -q --prom="$TMP/prom" 0.2 2
harmless --prom "$TMP/prom"
watch -q -r "$TMP/wide" 0.2 2
harmless '-r' "$TMP/wide"
is "$(awk 'NR == 1 { gsub(/"[^"]*"/, ""); print (gsub(/"/, "") % 2) }' "$TMP/wide")" 0 '-r: quotes are paired'
for file in $'/no\e[2J\ncpustat: forged' $'/\xff\xc2\x9b'; do
	run "$CPUSTAT" --output="$file/x" 0.1 1
	harmless 'message about a file' "$TMP/err"
	is "$(wc -l <"$TMP/err")" 1 'one line of message'
done
end_load

# A command line that was cut to 16,383 bytes is marked in every format.
long=$(printf 'x%.0s' {1..20000})
bg bash -c 'exec -a "$0" "$1/cpuload" rename 20' "$long" "$HELPERS" >"$TMP/long"
long_pid=$bg_pid # the process that works: duty would have a child for that
wait_for has_line "$TMP/long" ready
watch -p "$long_pid" -l 0.2 1
is "$(grep -oE 'x+ \[\.\.\.\]$' "$TMP/rows" | wc -c)" $((16383 + 7)) 'a line that was cut: the mark'
watch -p "$long_pid" -j 0.2 1
is "$(jqs 'map(select(.type == "task"))[0] | [.truncated, (.argv[0] | length)]')" '[true,16383]' 'JSON: truncated'
watch -p "$long_pid" --csv 0.2 1
like "$(tail -n 1 "$TMP/rows")" 'x{1000},1$' 'CSV: truncated'
watch -p "$long_pid" -c 0.2 1
is "$(grep -cF '[...]' "$TMP/rows")" 0 '-c: a name that was not cut has no mark'
kill -TERM "$long_pid"
reap "$long_pid"
done_testing
