#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# What public scripts do with the original's output gives the same result here, and is true.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing

# The rows of the load's children in $TMP/own.  Other tests run the same load at the same time, and PIDs are reused, so
# a row also has the load's command line, which names a file of this test, or the child's, with its serial number.
own() {
	awk -v load=" -o $TMP/truth " 'NR == FNR { if (NF > 4 && $1 != "cpu") own[$4] = $6; next }
		$3 in own && (index($0, load) || index($0, own[$3]) || /tiny \[(file|comm)\]/)' \
		FS='\t' "$TMP/truth" FS=' ' "$TMP/rows" >"$TMP/own"
}

# The kernel can report an exit after the parent has reaped the process, here after the end of the load.
exits_are_there() { own; [ "$(awk '$2 == "exit"' "$TMP/own" | wc -l)" -ge "$1" ]; } # COUNT

# Red Hat crucible's tool-forkstat: rows per second and event, from a file, ended by SIGINT.
crucible() {
	grep -E '^([0-9]{2}:[0-9]{2}:[0-9]{2})[[:space:]]+(fork|exec|exit|clone)[[:space:]]+' "$1" |
		awk '{ n[$2]++ } END { printf "fork=%d exec=%d exit=%d clone=%d", n["fork"], n["exec"], n["exit"], n["clone"] }'
}
start -e all -X -S
run "$HELPERS/load" -n 30 -r 300 -o "$TMP/truth" mix
wait_for exits_are_there 30
finish
is "$status" 0 '-e all -X -S, SIGINT'
own
is "$(crucible "$TMP/own" | sed 's/clone.*//')" 'fork=20 exec=10 exit=30 ' "crucible's pattern counts the load's rows"
like "$(crucible "$TMP/own")" 'clone=([1-9][0-9]*)$' 'clone rows'
like "$(cat "$TMP/rows")" 'Fork +Exec +Exit +Coredump +Comm +Clone +Ptrace' 'statistics with the columns of the original'

load=$HELPERS/load
start -s -l -e fork,exec,clone
run "$load" -n 10 -r 200 -o "$TMP/truth" fork
finish
pid=$(awk -F'\t' '$1 == "load" { print $2 }' "$TMP/truth")
is "$(grep " $pid " "$TMP/rows" | awk '$4=="parent" && $5=="'"$load"'" {print $3}' | sort | uniq -c | awk '{ print $1, $2 }')" "10 $pid" \
	'awk: who forks'
start -lde fork
run "$load" -n 10 -r 200 -o "$TMP/truth" fork
finish
own
children=$(awk -F'\t' '$1 == "fork" { print $2 }' "$TMP/truth")
is "$(sed -uEn 's@[0-9:]+[ ]+fork[ ]+([0-9]+)[ ]+child[ ]+load.*@\1@p' "$TMP/own")" "$children" 'sed: children of a program'
start -l -e exec
run "$load" -n 10 -r 200 -o "$TMP/truth" exec
finish
own
is "$(grep -c 'exec .*tiny load-exec' "$TMP/own")" 10 'exec rows to a file'
start -e exit
run "$load" -n 10 -r 200 -o "$TMP/truth" exec
wait_for exits_are_there 10
finish
own
is "$(awk -F'\t' '$1 == "exec" { print $2 }' "$TMP/truth" | sort -n)" \
	"$(awk '$2 == "exit" && /tiny load-exec/ && $4 == 0 && $5 ~ /^[0-9.]+s$/ { print $3 }' "$TMP/own" | sort -n)" 'exit rows: pid, status, duration'
run "$FORKSTAT" --version
is "$status" 0 'forkstat --version'

# Debian's forkstat beside this one, on a quiet load: the same fields for the same events.
peers=$TOP/build/peers
peer=$(PATH=$peers/usr/bin:$peers/usr/sbin:/usr/bin:/usr/sbin:/bin:/sbin command -v forkstat)
if [ -z "$peer" ] || [[ $("$peer" -h 2>&1) != *-version*[0-9]* && $("$peer" -h 2>&1) != *'equivalent to -EgrSx'* ]]; then
	skip "needs Debian's forkstat, which is neither in build/peers nor installed" 4
	done_testing
fi
bg "$peer" -l -e fork,exec,exit >"$TMP/peer" 2>/dev/null
peer_pid=$bg_pid
wait_for test -s "$TMP/peer"
canary() { true & wait "$!"; [ "$(wc -l <"$TMP/peer")" -gt 3 ]; }
wait_for canary
start -l -e fork,exec,exit
run "$load" -n 20 -r 100 -o "$TMP/truth" exec
wait_for exits_are_there 20
canary
kill -INT "$peer_pid"
wait "$peer_pid"
finish
fields() { # FILE: what both must say of the load's children
	awk -F'\t' '$1 == "exec" { print $2 }' "$TMP/truth" | awk 'NR == FNR { own[$1]; next }
		$3 in own { print $2, $3, $2 == "exec" ? "" : $4 }' - "$1" | sort -u
}
# On a busy machine Debian's loses events.
is "$(comm -23 <(fields "$TMP/peer") <(fields "$TMP/rows"))" '' "event, pid and info as Debian's"
num "$(fields "$TMP/peer" | wc -l)" -gt 0 "of which there are some"
own
is "$(fields "$TMP/own" | wc -l)" 60 'three events of each'
is "$(head -n 1 "$TMP/rows")" "$(head -n 1 "$TMP/peer" | sed 's/ *$//')" "the heading is Debian's"
done_testing
