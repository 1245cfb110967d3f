#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# quiet
# More names than there is room for.  Alone: it fills the name store of every forkstat that runs beside it.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

# Command lines beyond the budget of all names, held by an ordinary user: nobody's short name suffers,
# and what is cut in later rows is counted.
mkfifo -m 666 "$TMP/hold"
exec 8<>"$TMP/hold"
mkdir -m 777 "$TMP/ready"
as_nobody bash -c 'for i in {1..300}; do sh -c ": >\"$3/\${0%%x*}\"; read -r _" "$i$1" <"$2" & done; wait' \
	bash "x$(printf '%0131000d' 0)" "$TMP/hold" "$TMP/ready" 8>&- &
holder=$!
all_hold() { [ "$(find "$TMP/ready" -type f | wc -l)" = 300 ]; }
wait_for all_hold
follow -x -e core --strict -D 0.2 8>&-
is "$status $err" '0 ' 'names of rows that are not shown are not lost'
unlike "$(cat "$TMP/msg")" '(arguments|names|truncated) [1-9]' 'nor counted'
start -j -e exec,exit --strict 8>&-
for i in {1..20}; do "$HELPERS/tiny" "victim$i"; done
exec 8>&-
wait "$holder"
finish
expect_exit 5 'names beyond the budget: --strict, exit status 5'
for event in exec exit; do
	is "$(jqs 'map(select(.event == "'$event'" and .comm == "tiny" and .truncated == false).argv[1] | strings | select(startswith("victim"))) | unique | length')" \
		20 "names beyond the budget: $event, all names of others"
done
num "$(jqs '.[-1].lost.truncated')" -ge \
	"$(jqs 'map(select(.truncated and .event == "exit" and .comm == "sh")) | length')" 'names beyond the budget: each that is cut is counted'
num "$(jqs 'map(select(.truncated and .event == "exit" and .comm == "sh")) | length')" -ge 40 'names beyond the budget: some are cut'
done_testing
