#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --timestamp in every tool and format: the table, CSV and JSON have the requested style; without it,
# and with clock, which is for the table only, CSV and JSON have ISO 8601 in UTC.
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
utc='^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]+Z$'

first_csv() { awk -F, 'NR == 2 { print $1 }' "$TMP/out"; }
first_json() { jq -rs 'map(select(.type == "sample" or .type == "event" or .type == "rates" or .type == "reading"))[0].time' "$TMP/out"; }
table_has() { grep -qE "^ *(${form[$1]})( |\$)" "$TMP/out"; } # STYLE

for tool in "${tools[@]}"; do
	brief "$tool" --csv
	like "$(first_csv)" "$utc" "$tool: --csv: ISO 8601 in UTC by default"
	brief "$tool" --json
	like "$(first_json)" "$utc" "$tool: --json: ISO 8601 in UTC by default"
	for style in iso epoch mono delta clock; do
		want="^(${form[$style]})\$"
		[ $style != clock ] || want=$utc
		brief "$tool" --csv --timestamp=$style
		like "$(first_csv)" "$want" "$tool: --csv --timestamp=$style"
		brief "$tool" --json --timestamp=$style
		like "$(first_json)" "$want" "$tool: --json --timestamp=$style"
		brief "$tool" --timestamp=$style
		! shows_time "$tool" || ok "$tool: --timestamp=$style: the table" table_has $style
	done
done
# Rows of rates have the requested style, too.
if [[ " ${tools[*]} " == *' forkstat '* ]]; then
	for style in iso epoch mono delta clock; do
		run "$BUILD/bin/forkstat" -R 0.1 --timestamp=$style -- sleep 0.35
		is "$(grep -vcE "^ *(${form[$style]}) |^ *Time |^\$" "$TMP/out")" 0 "forkstat -R --timestamp=$style: every row"
	done
fi
done_testing
