#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
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
for tool in "${tools[@]}"; do
	program "$tool"
	for options in '' --csv --summary --json; do
		names=(sh -c '"$1/hostile" argv; "$1/hostile" comm; sleep 0.3' sh "$HELPERS")
		if has_command "$tool"; then
			# shellcheck disable=SC2086
			run "${program[@]}" $options -- "${names[@]}"
		else
			bg "${names[@]}" >"$TMP/names"
			# shellcheck disable=SC2086
			run "${program[@]}" $options
		fi
		without_notes
		is "$status" 0 "$tool $options: exit status 0"
		harmless "$tool $options" "$TMP/out"
	done
	run "${program[@]}" --duration=0.3 --prom="$TMP/prom"
	harmless "$tool --prom" "$TMP/prom"
	for file in $'/no\e[2J\nx: forged' $'/\xff\xc2\x9b'; do
		brief "$tool" --output="$file/x"
		harmless "$tool: message about a file" "$TMP/err"
		is "$(wc -l <"$TMP/err")" 1 "$tool: it is one line"
	done
done
done_testing
