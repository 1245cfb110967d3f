# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# stressors: functions of the tests of stressors; sourced after tap.sh.
STRESSORS=${STRESSORS:-$BUILD/bin/stressors}
mapfile -t all_stressors < <("$STRESSORS" --stressors | awk '{ print $1 }')

# OPTION...: a run, its records in $TMP/rows
stress() {
	run "$STRESSORS" --json="$TMP/rows" "$@"
}
# NAME JQ: of the result of a stressor in the last run
of() { jq -r --arg name "$1" "select(.type == \"result\" and .stressor == \$name) | $2" "$TMP/rows"; }
# NAME METRIC: its value
metric() { of "$1" ".metrics[] | select(.name == \"$2\").value"; }
