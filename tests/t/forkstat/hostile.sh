#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# Hostile names: no table or CSV holds a byte that could harm, and no
# name can forge a row.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

harmless() { # NAME FILE
	is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$2" | wc -c)" 0 "$1: no control byte"
	ok "$1: UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$2"
	is "$(LC_ALL=C grep -cP '\xc2[\x80-\x9f]' "$2")" 0 "$1: no C1 control"
	is "$(LC_ALL=C grep -cP '\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' "$2")" 0 "$1: no bidi control"
}
bidi=$'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029'
all=$(printf '\\x%02x' {1..255})
all=$(printf '%b' "$all")
victims() { # OPTION...
	follow "$@" -- bash -c '"$1/hostile" argv; "$1/hostile" comm; "$1/tiny" "$2" "$3"; exec -a "$3" "$1/tiny" x' \
		sh "$HELPERS" "$bidi" "$all"
}
for options in '' -E -c -s -d -x '-s -d -E' '-E --csv' '-E --csv -c' -S '-q' '-E -i -g' '-E -Q' '-E -Q --csv'; do
	# shellcheck disable=SC2086
	victims $options
	harmless "forkstat $options" "$TMP/rows"
	expect_exit 0 "forkstat $options"
done
victims -E
is "$(grep -cvE '^([0-2][0-9]:[0-5][0-9]:[0-5][0-9] (fork|exec|exit|clone|comm|ptrce|uid|gid|sid|core) |Time )' "$TMP/rows")" 0 'one line per row'
is "$(grep -cE '^00:00:00 exec' "$TMP/rows")" 0 'no forged row'
like "$(grep exec "$TMP/rows")" '\\x1b\]0;pwned\\x07\\x1b\[2J\\x1b\[31mEVIL\\x09\\u\{009b\}31m line\\x0a00:00:00' 'what there was is told'
like "$(grep exec "$TMP/rows")" '\\u\{202e\}rtl \\xff\\xfe\\xc3 café "quoted", ' 'good UTF-8 stays'
victims -N -e exec
is "$(grep -c 'tiny .*u{202a}' "$TMP/rows")" 1 'bidi controls are escaped'
# -Q: a shell makes the very arguments of the row.
for what in "$all" "$bidi" '' "it's" '~' '*' '$HOME' '-o=1' 'A=b' '#x' $'a\n' '!!' 'a b'; do
	follow -N -Q -e exec -- "$HELPERS/tiny" "$what" end ''
	eval "set -- $(LC_ALL=C sed 's/^.\{8\} exec *[0-9]* *//' "$TMP/rows")"
	is "$#$1$2$3$4" "4$HELPERS/tiny${what}end" "-Q: $(printf '%.20q' "$what")"
done
# Into a file of its own and through statistics' names too
follow -S -E -o "$TMP/file" -- "$HELPERS/hostile" argv
harmless '-o FILE' "$TMP/file"
# Messages
for file in $'/no\e[2J\nforkstat: forged' $'/\xff\xc2\x9b'; do
	run "$FORKSTAT" -o "$file/x" -- true
	harmless 'message about a file' "$TMP/err"
	is "$(wc -l <"$TMP/err")" 1 'one line of message'
done
# A comm that looks like the end of a stat file's field, seen from /proc at the start.
cp "$HELPERS/tiny" "$TMP/) Z 1 (x"
follow -E -- "$TMP/) Z 1 (x" exit=5
expect_exit 5
like "$(cat "$TMP/rows")" 'exit +[0-9]+ +5 +[0-9.]+s .*/\) Z 1 \(x exit=5' 'a program named like a stat line'

done_testing
