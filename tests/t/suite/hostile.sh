#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# Hostile names in every tool: no table or CSV contains a byte that could drive a terminal or forge a
# row, and JSON has them quoted.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq iconv
able_tools

# One busy process with such a name, and short ones.
load() { bg "$HELPERS/cpuload" -o /dev/null "$@" >"$TMP/load"; }
load -p 5 hostile 30
wait_for has_line "$TMP/load" '^ready'

harmless() { # NAME FILE
	is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$2" | wc -c)" 0 "$1: no control byte"
	ok "$1: UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$2"
	is "$(LC_ALL=C grep -cP '\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' "$2")" 0 \
		"$1: no C1 or bidi control"
}
names=(sh -c '"$1/hostile" argv; "$1/hostile" comm; sleep 0.3' sh "$HELPERS")
outputs() { # TOOL: all formats of one run
	local file options
	options_of "$1" --summary
	program "$1"
	ending "$1"
	if has_command "$1"; then ending=(-- "${names[@]}"); else bg "${names[@]}" >"$TMP/names"; fi
	run "${program[@]}" ${options[@]+"${options[@]}"} --csv="$TMP/csv" --json="$TMP/json" --prom="$TMP/prom" ${ending[@]+"${ending[@]}"}
	without_notes
	is "$status" 0 "$1: exit status 0"
	harmless "$1" "$TMP/out"
	for file in csv json prom; do harmless "$1 --$file" "$TMP/$file"; done
	for file in $'/no\e[2J\nx: forged' $'/\xff\xc2\x9b'; do
		brief "$1" --output="$file/x"
		harmless "$1: message about a file" "$TMP/err"
		is "$(wc -l <"$TMP/err")" 1 "$1: it is one line"
	done
}
each_tool outputs
done_testing
