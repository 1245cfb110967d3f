#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 15
# Machines after public reports on power tools: figure, kind, exit status and message of each.  The machines and what
# is right for them are in tests/fixtures/powerstat/reports.  All run at once; those with a rate are constant, those
# with a counter or a level follow the clock of the machine.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_cmd jq
lab_need
RUN_LIMIT=60

cases=()
declare -A options checks
read_cases() {
	local line name=''
	while IFS= read -r line; do
		case $line in
		'== '*)
			name=${line#== } checks[${line#== }]=''
			cases+=("$name")
			printf '%s\n' hostcpus '/proc/stat host /proc/stat' '/proc/loadavg host /proc/loadavg' >"$TMP/$name.spec"
			;;
		'#'* | '') ;;
		'$ '*) options[$name]=${line#\$ } ;;
		'? '*) checks[$name]+=${line#\? }$'\n' ;;
		*) printf '%s\n' "$line" >>"$TMP/$name.spec" ;;
		esac
	done <"$TOP/tests/fixtures/powerstat/reports"
}
start_case() { # NAME
	local words user=()
	read -ra words <<<"${options[$1]}"
	if [ "${words[0]}" = -u ]; then
		user=(-u)
		words=("${words[@]:1}")
	fi
	install -m 666 /dev/null "$TMP/$1.json"
	lab_launch -r ${user[@]+"${user[@]}"} "$1" "$1" timeout 30 "$POWERSTAT" --root=@ROOT@ --no-procs --json="$TMP/$1.json" "${words[@]}"
}

shown() { jqs 'map(select(.type == "sample" and .watts != null))' "$TMP/$case.json"; }
within() { shown | jq --argjson low "$1" --argjson high "$2" 'length > 0 and all(.[].watts; . >= $low - 0.001 and . <= $high + 0.001)'; }
check() { # WORD REST: of the run that was taken
	local is
	case $1 in
	exit) is=$([ "$status" = "$2" ] && echo true) ;;
	watts) is=$(within "${2% *}" "${2#* }") ;;
	mean) is=$(jqs "map(select(.type == \"summary\"))[0].watts_average | . != null and . >= ${2% *} and . <= ${2#* }" "$TMP/$case.json") ;;
	missing) is=$(jqs "map(select(.type == \"sample\" and .watts == null)) | length == $2" "$TMP/$case.json") ;;
	none) is=$(shown | jq 'length == 0') ;;
	kind) is=$(shown | jq --arg re "$2" 'length > 0 and all(.[].kind; test($re))') ;;
	says) is=$([[ $text =~ $2 ]] && echo true) ;;
	never) is=$([[ $text =~ $2 ]] || echo true) ;;
	jq) is=$(jqs "$2" "$TMP/$case.json") ;;
	*) is="no such check: $1" ;;
	esac
	if [ "$is" = true ]; then
		pass "$case: $1 $2"
	else
		fail "$case: $1 $2" "powerstat ${options[$case]}, exit status $status
$err
$out
$(cat "$TMP/$case.json")"
	fi
}

read_cases
printf '%s\n' {0..15} | sed 's/.*/zone intel-rapl:& package-& lin 0 start=0 range=262143328850/' >"$TMP/packages"
for case in "${cases[@]}"; do start_case "$case"; done
for case in "${cases[@]}"; do
	take "$case"
	text=$(tr -s ' \n' '  ' <"$TMP/msg")\ $(tr -s ' \n' '  ' <"$TMP/rows")
	while read -r word rest; do
		[ -z "$word" ] || check "$word" "$rest"
	done <<<"${checks[$case]}"
done
done_testing
