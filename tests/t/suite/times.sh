#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 7
# --timestamp in every tool and format: the table, CSV and JSON have the requested style; with clock, which is for the
# table only, CSV and JSON have ISO 8601 in UTC, as without the option (options.sh).
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq
able_tools

declare -A form=(
	[iso]='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+]00:?00)'
	[epoch]='1[0-9]{9}([.][0-9]+)?'
	[mono]='[0-9]{1,8}[.][0-9]+'
	[delta]='[0-9]{1,3}[.][0-9]+|0' # jq writes 0.0 so
	[clock]='[0-2][0-9]:[0-5][0-9]:[0-5][0-9]([.][0-9]+)?'
)
utc='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]+Z'
first_csv() { awk -F, 'NR == 2 { print $1 }' "$1"; } # FILE
first_json() { jq -rs 'map(select(.type != "header"))[0].time' "$1"; } # FILE

# TOOL: the styles to try.  A run of power-calibrate takes two seconds; the columns' code writes the others as in every tool.
styles() { if [ "$1" = power-calibrate ]; then echo mono delta clock; else echo iso epoch mono delta clock; fi; }
times() { # TOOL
	local style want rates=()
	[ "$1" != forkstat ] || rates=(-R 0.1)
	for style in $(styles "$1"); do
		want="^(${form[$style]})\$"
		[ "$style" != clock ] || want="^$utc\$"
		brief "$1" --timestamp="$style" --csv="$TMP/csv" --json="$TMP/json" ${rates[@]+"${rates[@]}"}
		is "$status" 0 "$1: --timestamp=$style"
		like "$(first_csv "$TMP/csv")" "$want" "$1: --csv --timestamp=$style"
		like "$(first_json "$TMP/json")" "$want" "$1: --json --timestamp=$style"
		! shows_time "$1" || ok "$1: --timestamp=$style: the table" grep -qE "^ *(${form[$style]})( |\$)" "$TMP/out"
		[ "$1" != forkstat ] || is "$(grep -vcE "^ *(${form[$style]}) |^ *Time |^\$" "$TMP/out") $(grep -c ' rate ' "$TMP/out")" \
			"0 $(grep -c '"type":"rate"' "$TMP/json")" "$1 -R --timestamp=$style: every row, those of rates, too"
	done
}
each_tool times
done_testing
