#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 2
# --smaps: the values of rows, CSV, JSON and Prometheus are those of /proc/PID/smaps, read by awk.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cmd jq
load_start known
sum() { # NAME: of the load's smaps, in kB; "-" if the kernel does not write it
	awk -v name="$1:" '$1 == name { n += $2; found = 1 } END { print found ? n : "-" }' "/proc/$LOAD_PID/smaps"
}
names=(Pss SwapPss Referenced LazyFree Locked)
keys=(pss_kb swap_pss_kb referenced_kb lazy_free_kb locked_kb)
pm --json --smaps "$LOAD_PID"
is "$status$err" 0 'exit status 0'
cp "$TMP/out" "$TMP/process"
pm --json --smaps -m "$LOAD_PID"
for i in "${!names[@]}"; do
	want=$(sum "${names[i]}")
	is "$(jq -r --arg k "${keys[i]}" 'select(.type == "process") | if has($k) then .[$k] else "-" end' "$TMP/process")" "$want" \
		"${names[i]}: the total is the sum of smaps"
	[ "$want" != - ] || continue
	is "$(jq -s --arg k "${keys[i]}" 'map(select(.type == "mapping")[$k]) | add' "$TMP/out")" "$want" \
		"${names[i]}: so is the sum of the mappings"
done
pm --json "$LOAD_PID"
is "$(jq 'select(.type == "process") | has("pss_kb")' "$TMP/out")" false 'without --smaps there is no column'

# --prom holds the last snapshot during the run.
bg "$PAGEMON" -q -i 0.05 --smaps --prom="$TMP/prom" "$LOAD_PID"
bytes() { sed -n "s/^sysmon_pagemon_$1_bytes{pid=\"$LOAD_PID\".*} //p" "$TMP/prom"; }
has_pss() { [ -n "$(bytes pss)" ]; }
ok 'a metric of Pss' wait_for has_pss
is "$(bytes pss)" "$(($(sum Pss) * 1024))" 'its value'
gone=0
while read -r range _; do
	gone=$((gone + 16#${range#*-} - 16#${range%-*}))
done < <(LC_ALL=C grep -a " $LOAD_OUT.files/.* (deleted)$" "/proc/$LOAD_PID/maps")
num "$gone" -gt 0 'the load has mapped a deleted file'
is "$(bytes deleted)" "$gone" 'its size'
kill -INT "$bg_pid"
reap "$bg_pid"
pm --smaps -x "$LOAD_PID"
is "$status" 2 'not with -x'
like "$err" '^pagemon: --smaps and -x cannot be used together' 'the message'
done_testing
