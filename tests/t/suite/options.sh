#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 12
# The shared options work in every tool as documented in sysmon(7).  Each start answers several questions.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq
able_tools

utc='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]+Z'
# TOOL SCRIPT OPTION...: as brief, but the COMMAND, if the tool runs one, is SCRIPT
with_script() {
	program "$1"
	ending "$1"
	! has_command "$1" || ending=(-- sh -c "$2")
	run "${program[@]}" "${@:3}" ${ending[@]+"${ending[@]}"}
	without_notes
}
colours() { grep -c $'\e' "$1"; }                    # FILE
begins() { awk '{ print $1, $2, $3 }' "$1"; }        # FILE: the beginning of each line
headings() { begins "$1" | grep -cxF -e "$heading"; } # FILE: how many lines are the heading
said() { grep -cx 'from the command' "$1"; }         # FILE
lines() { wc -l <"$1"; }                             # FILE
rows_of_json() { jq -s 'map(select(.type != "header" and .type != "summary")) | length' "$1"; } # FILE
first_and_last() { jq -sc '[.[0].type, .[0].tool, .[0].schema, .[-1].type]' "$1"; } # FILE

csv_in_a_pipe() { # TOOL
	with_script "$1" 'echo from the command; sleep 0.35; exit 7' --csv --color=always --json="$TMP/json" --prom="$TMP/prom"
	if has_command "$1"; then
		is "$status" 7 "$1: the exit status of a COMMAND"
		is "$(said "$TMP/out") $(said "$TMP/err")" '0 1' "$1: rows in a pipe are alone, COMMAND writes to standard error"
	else
		is "$status$err" 0 "$1: --csv: exit status 0"
	fi
	keys=${out%%$'\n'*}
	like "$keys" '^[a-z_]+(,[a-z_0-9]+)+$' "$1: --csv begins with the columns' keys"
	num "$(lines "$TMP/out")" -ge 2 "$1: --csv has rows"
	like "$(sed -n 2p "$TMP/out")" "^$utc," "$1: --csv: ISO 8601 in UTC by default"
	is "$(colours "$TMP/out") $(colours "$TMP/json")" '0 0' "$1: --color=always colours no --csv and no --json"
	json_file "$1"
	prom_file "$1"
}
json_file() { # TOOL
	ok "$1: --json=FILE: each line is a JSON value" all_json "$TMP/json"
	is "$(first_and_last "$TMP/json")" "[\"header\",\"$1\",1,\"summary\"]" "$1: --json=FILE: header and summary"
	is "$(jq -s '.[0].boot_id' "$TMP/json")" "\"$(cat /proc/sys/kernel/random/boot_id)\"" "$1: --json: boot_id"
	is "$(jq -sc 'map(has("type")) | all' "$TMP/json")" true "$1: --json: each record has a type"
	is "$(jq -r 'select(has("time")) | .time' "$TMP/json" | grep -vcxE "$utc")" 0 "$1: --json: ISO 8601 in UTC by default"
}
prom_file() { # TOOL
	is "$(awk '/^# (HELP|TYPE) [a-z_]+ ./ { next }
		/^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$/ { next } { print }' "$TMP/prom")" '' \
		"$1: --prom: every line has the form"
	like "$(cat "$TMP/prom")" "(^|"$'\n'")sysmon_${1//-/_}_" "$1: --prom: metrics of this tool"
	if have_cmd promtool; then
		ok "$1: promtool" bash -c 'promtool check metrics <"$0"' "$TMP/prom"
	else
		skip 'needs promtool, which is not installed'
	fi
}

json_in_a_pipe() { # TOOL
	local levels=() options
	[ "$1" != power-calibrate ] || levels=(--levels=3) # more tests than those that are counted
	options_of "$1" --count=2
	# The COMMAND lasts longer than two samples, also on a busy machine.
	with_script "$1" 'exec sleep 3' ${levels[@]+"${levels[@]}"} --json --csv="$TMP/csv" --no-header ${options[@]+"${options[@]}"}
	like "$status$err" "^0($1: the run ended before the command, .*)?\$" "$1: --json: exit status 0"
	ok "$1: --json: each line is a JSON value" all_json "$TMP/out"
	is "$(first_and_last "$TMP/out")" "[\"header\",\"$1\",1,\"summary\"]" "$1: --json: header and summary"
	is "$(colours "$TMP/out")" 0 "$1: --json: no colour in a pipe"
	[ ${#options[@]} = 0 ] || is "$(jq -sc 'map(select((.type == "sample" or .type == "event" or .type == "test") and .event != "lost")) | length' "$TMP/out")" 2 "$1: --count=2"
	num "$(lines "$TMP/csv")" -ge 1 "$1: --csv=FILE --no-header: rows"
	is "$(grep -cxF -- "$keys" "$TMP/csv") $(colours "$TMP/csv")" '0 0' "$1: --csv=FILE --no-header: no keys, no colour"
}

table() { # TOOL
	local options
	options_of "$1" --line-buffered --limit=3 --summary --keep-privileges --root=/ --color=never
	# A COMMAND that uses some ticks of CPU has a row, whatever the interval in which it had the CPU.
	with_script "$1" 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; sleep 0.35' --csv="$TMP/beside" "${options[@]}"
	is "$status$err" 0 "$1: the table, ${options[*]}"
	# powerstat's heading follows a paragraph.
	heading=$(begins "$TMP/out" | grep -m 1 -E '^(Time|time|%CPU|Event/s|CPU load|Stressor) ')
	isnt "$heading" '' "$1: the table has a heading"
	num "$(lines "$TMP/out")" -ge 2 "$1: the table has rows"
	is "$(head -n 1 "$TMP/beside")" "$keys" "$1: --csv=FILE beside it"
	num "$(lines "$TMP/beside")" -ge 2 "$1: --csv=FILE: rows"
	is "$(grep -cxF -- "$keys" "$TMP/out") $(colours "$TMP/out")" '0 0' "$1: only the table is on standard output"
}

output() { # TOOL
	local options
	options_of "$1" --no-header --strict --realtime
	with_script "$1" 'echo from the command; exec sleep 0.35' --output="$TMP/table" "${options[@]}"
	is "$status" "$(grep -qE '; lost: |readings .* left out$' "$TMP/err" "$TMP/table" && echo 5 || echo 0)" "$1: --strict: exit status 5 only after a loss"
	like "$err" "^($1: real-time .*)?$" "$1: --realtime: where it is refused that is reported, and the run goes on"
	is "$out" "$(has_command "$1" && echo from the command)" "$1: --output: only a COMMAND writes to standard output"
	num "$(lines "$TMP/table")" -ge 1 "$1: --output=FILE: the rows"
	is "$(said "$TMP/table") $(headings "$TMP/table") $(colours "$TMP/table")" '0 0 0' \
		"$1: --output=FILE --no-header: no output of the COMMAND, no heading, no colour in a file"
}

quiet() { # TOOL
	local from to of_statistics=0 options
	options_of "$1" --quiet --summary
	program "$1"
	run "${program[@]}" "${options[@]}" --csv="$TMP/quiet.csv" --json="$TMP/quiet.json" --duration="$(shortest "$1")"
	without_notes
	is "$status" 0 "$1: ${options[*]} --duration"
	read -r from to < <(jq -rs '"\(.[0].start) \(.[-1].time)"' "$TMP/quiet.json")
	num $((($(date -d "$to" +%s%N) - $(date -d "$from" +%s%N)) / 1000000)) -ge 480 "$1: --duration ends the run, not before its time"
	! has_option "$1" --summary || isnt "$out" '' "$1: --quiet --summary: the summary is shown"
	# The statistics of these have the table's heading.
	[[ $1 == @(cpustat|eventstat|powerstat) ]] && of_statistics=1
	is "$(headings "$TMP/out") $(grep -cE '^([0-9]{2}:){2}[0-9]{2}' "$TMP/out")" "$of_statistics 0" "$1: --quiet: no table"
	num "$(lines "$TMP/quiet.csv")" -ge 2 "$1: --quiet: the CSV file has rows"
	num "$(rows_of_json "$TMP/quiet.json")" -ge 1 "$1: --quiet: the JSON file, too"
}

no_start() { # TOOL
	run "$BUILD/bin/$1" --root=/nonexistent/root
	refused "$1" '--root of a directory that does not exist' 1 '/nonexistent/root: No such file or directory'
	has_command "$1" || return
	program "$1"
	run "${program[@]}" -- /nonexistent/program
	without_notes
	is "$status" 127 "$1: a COMMAND that does not exist"
	like "$err" "^$1: .*/nonexistent/program.*: No such file" "$1: the message names it"
}

options() { # TOOL
	csv_in_a_pipe "$1"
	json_in_a_pipe "$1"
	table "$1"
	output "$1"
	quiet "$1"
	no_start "$1"
	is "$(cd "$TMP" && printf '%s\n' {csv,json,prom,table}?*)" $'csv?*\njson?*\nprom?*\ntable?*' "$1: no temporary file remains"
}
each_tool options
done_testing
