#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The shared options work in every tool as documented in sysmon(7).
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq
able_tools

formats() { # TOOL
	brief "$1" --csv
	is "$status$err" 0 "$1: --csv: exit status 0"
	like "$out" '^[a-z_]+(,[a-z_0-9]+)+'$'\n' "$1: --csv begins with the columns' keys"
	num "$(wc -l <"$TMP/out")" -ge 2 "$1: --csv has rows"
	brief "$1" --csv --no-header
	unlike "$out" '^[a-z_]+,[a-z_]+,' "$1: --csv --no-header has no keys"
	brief "$1" --json
	is "$status$err" 0 "$1: --json: exit status 0"
	ok "$1: --json: each line is a JSON value" all_json "$TMP/out"
	is "$(jq -sc '[.[0].type, .[0].tool, .[0].schema, .[-1].type]' "$TMP/out")" \
		"[\"header\",\"$1\",1,\"summary\"]" "$1: --json: header and summary"
	is "$(jq -s '.[0].boot_id' "$TMP/out")" "\"$(cat /proc/sys/kernel/random/boot_id)\"" "$1: --json: boot_id"
	is "$(jq -sc 'map(has("type")) | all' "$TMP/out")" true "$1: --json: each record has a type"
	brief "$1" --json="$TMP/json" --csv="$TMP/csv" --prom="$TMP/prom"
	is "$status$err" 0 "$1: three files beside the table"
	ok "$1: --json=FILE" all_json "$TMP/json"
	num "$(wc -l <"$TMP/csv")" -ge 2 "$1: --csv=FILE"
	unlike "$out" '^\{|^[a-z_]+,' "$1: the table is still on standard output"
	is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
		/^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$/ { next } { print }' "$TMP/prom")" '' \
		"$1: --prom: every line has the form"
	like "$(cat "$TMP/prom")" "(^|"$'\n'")sysmon_${1//-/_}_" "$1: --prom: metrics of this tool"
	if have_cmd promtool; then
		ok "$1: promtool" bash -c 'promtool check metrics <"$0"' "$TMP/prom"
	else
		skip 'needs promtool, which is not installed'
	fi
	brief "$1" --output="$TMP/table"
	is "$status$out" 0 "$1: --output: nothing on standard output"
	num "$(wc -l <"$TMP/table")" -ge 2 "$1: --output=FILE: the rows"
	is "$(cd "$TMP" && printf '%s\n' {csv,json,prom,table}?*)" $'csv?*\njson?*\nprom?*\ntable?*' "$1: no temporary file remains"
}

rows() { # TOOL
	brief "$1"
	num "$(wc -l <"$TMP/out")" -ge 2 "$1: the table has a heading and rows"
	brief "$1" --quiet
	is "$status" 0 "$1: --quiet"
	unlike "$out" '^%CPU|^Time +Event' "$1: --quiet: no table"
	brief "$1" --quiet --csv="$TMP/quiet.csv" --json="$TMP/quiet.json"
	num "$(wc -l <"$TMP/quiet.csv")" -ge 2 "$1: --quiet: the CSV file has rows"
	num "$(jq -s 'map(select(.type != "header" and .type != "summary")) | length' "$TMP/quiet.json")" -ge 1 \
		"$1: --quiet: the JSON file, too"
	brief "$1" --quiet --summary
	is "$status" 0 "$1: --quiet --summary"
	isnt "$out" '' "$1: --quiet --summary: the summary is shown"
	brief "$1" --line-buffered
	is "$status$err" 0 "$1: --line-buffered"
	brief "$1" --limit=3 --summary
	is "$status$err" 0 "$1: --limit=3"
	brief "$1" --no-header
	unlike "${out%%$'\n'*}" '(^| )(Time|%CPU) ' "$1: --no-header: no heading"
	brief "$1" --strict
	is "$status" "$(grep -q '; lost: ' "$TMP/err" && echo 5 || echo 0)" "$1: --strict: exit status 5 only after a loss"
	brief "$1" --keep-privileges
	is "$status$err" 0 "$1: --keep-privileges"
	brief "$1" --realtime
	is "$status" 0 "$1: --realtime: also where it is refused"
	like "$err" "^($1: real-time .*)?$" "$1: --realtime: which is reported"
	brief "$1" --root=/
	is "$status$err" 0 "$1: --root=/"
	run "$BUILD/bin/$1" --root=/nonexistent/root
	refused "$1" '--root of a directory that does not exist' 1 '/nonexistent/root: No such file or directory'
}

ends_itself() { # TOOL
	local began
	program "$1"
	began=${EPOCHREALTIME/./}
	run "${program[@]}" --duration="$(shortest "$1")"
	without_notes
	is "$status" 0 "$1: --duration ends the run"
	num $((${EPOCHREALTIME/./} - began)) -ge 480000 "$1: --duration: not before its time"
	brief "$1" --json --count=2
	is "$(jq -sc 'map(select((.type == "sample" or .type == "event" or .type == "test") and .event != "lost")) | length' "$TMP/out")" 2 "$1: --count=2"
}

with_command() { # TOOL
	program "$1"
	run "${program[@]}" -- sh -c 'exit 7'
	is "$status" 7 "$1: the exit status of a COMMAND"
	run "${program[@]}" --csv -- sh -c 'echo from the command; exec sleep 0.35'
	is "$(grep -cx 'from the command' "$TMP/out") $(grep -cx 'from the command' "$TMP/err")" '0 1' \
		"$1: rows in a pipe are alone, COMMAND writes to standard error"
	run "${program[@]}" --csv --output="$TMP/file" -- sh -c 'echo from the command; exec sleep 0.35'
	is "$(cat "$TMP/out") $(grep -cx 'from the command' "$TMP/file")" 'from the command 0' \
		"$1: with -o COMMAND keeps standard output"
	run "${program[@]}" -- /nonexistent/program
	without_notes
	is "$status" 127 "$1: a COMMAND that does not exist"
	like "$err" "^$1: .*/nonexistent/program.*: No such file" "$1: the message names it"
}

colour() { # TOOL
	local format
	for format in '' --csv --json; do
		# shellcheck disable=SC2086
		brief "$1" $format --color=never
		is "$(grep -c $'\e' "$TMP/out")" 0 "$1: --color=never $format"
		# shellcheck disable=SC2086
		brief "$1" $format
		is "$(grep -c $'\e' "$TMP/out")" 0 "$1: no colour into a pipe $format"
	done
	for format in --csv --json; do
		brief "$1" "$format" --color=always
		is "$(grep -c $'\e' "$TMP/out")" 0 "$1: --color=always colours no $format"
	done
}

for tool in "${tools[@]}"; do
	rows "$tool"
	formats "$tool"
	ends_itself "$tool"
	! has_command "$tool" || with_command "$tool"
	colour "$tool"
done
done_testing
