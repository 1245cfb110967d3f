#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The formats of pagemon's rows: keys, names that would forge rows, figures that agree.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cmd jq
counts=mapped_kb,present_kb,swap_kb,file_kb,anon_kb,zero_kb,huge_kb,guard_kb,dirty_kb,excl_kb,other_kb
place=start,end,perms,offset_bytes,device,inode

pm --csv $$
is "$(head -n 1 "$TMP/out")" "time,mono_ns,pid,mappings,$counts,minflt,majflt,comm" 'CSV: the keys of a process'
pm --csv -m $$
is "$(head -n 1 "$TMP/out")" "time,mono_ns,pid,$place,$counts,name" 'CSV: of a mapping'
pm --csv -x $$
is "$(head -n 1 "$TMP/out")" "time,mono_ns,pid,$place,mapped_kb,state,name" 'CSV: of a run'
pm $$
like "$(head -n 1 "$TMP/out")" \
	'^time +pid +maps +mapped_kB +present_kB +swap_kB +file_kB +anon_kB +zero_kB +huge_kB +guard_kB +dirty_kB +excl_kB +minflt +majflt +comm$' \
	'the heading of a process'
is "$(awk '{ print NF }' "$TMP/out" | sort -u)" 16 'as many values as headings'

# The same snapshot in all formats
load_start known
pm --csv="$TMP/csv" --json="$TMP/json" --prom="$TMP/prom" "$LOAD_PID"
read -r -a row < <(sed -n 2p "$TMP/out")
jq -r 'select(.type == "process") | [.pid, .mappings, .mapped_kb, .present_kb, .swap_kb, .file_kb, .anon_kb] | join(" ")' "$TMP/json" >"$TMP/numbers"
is "${row[*]:1:7}" "$(cat "$TMP/numbers")" 'table and JSON'
is "$(sed -n 2p "$TMP/csv" | cut -d, -f3-9 | tr , ' ')" "$(cat "$TMP/numbers")" 'CSV and JSON'
# Gauges are in the file only during the run.
bg "$PAGEMON" -q --interval=0.1 --prom="$TMP/live" "$LOAD_PID"
present='sysmon_pagemon_present_bytes{pid="'$LOAD_PID'",comm="pageload"}'
ok 'Prometheus: a gauge' wait_for has_line "$TMP/live" "^$present "
is "$(sed -n "s/^$present //p" "$TMP/live")" "$(($(cut -d ' ' -f 4 "$TMP/numbers") * 1024))" 'Prometheus, in bytes'
kill "$bg_pid"
reap "$bg_pid"
is "$(sed -n 's/^sysmon_pagemon_samples_total //p' "$TMP/prom")" 1 'Prometheus: one snapshot'

# /proc/PID/maps itself
pm --json -m "$LOAD_PID"
is "$(jq -r 'select(.type == "mapping") | "\(.start[2:])-\(.end[2:]) \(.perms) \(.inode // 0)"' "$TMP/out" | sort)" \
	"$(awk '{ split($1, a, "-"); sub(/^0+/, "", a[1]); sub(/^0+/, "", a[2]); print a[1] "-" a[2], $2, $5 }' \
		"/proc/$LOAD_PID/maps" | sort)" 'each mapping with addresses, permissions and inode'

# A name with blanks, an escape sequence, a newline and bytes that are no UTF-8
region odd_name
is "$(jq -r "select(.start == \"0x$START\").name_b64" "$TMP/out" | base64 -d | sed 's,.*/,,')" \
	$'we ird  \xc3\xa9\e[31mred\\012\xff (deleted)' 'a hostile name, byte by byte'
pm -m "$LOAD_PID"
like "$(grep -a "^[^ ]* *$LOAD_PID 0*$START-" "$TMP/out")" 'we ird  é\\x1b\[31mred.*\\xff \(deleted\)$' 'the same in the table'
is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$TMP/out" | wc -c)" 0 'no control byte'
is "$(awk -v pid="$LOAD_PID" 'NR > 1 && $2 != pid' "$TMP/out")" '' 'each line is a row'

# Names that forge lines and a list of mappings that is longer than a program may hope
load_start hostile:2000
for method in scan read; do
	pm --csv -m --no-header --method=$method "$LOAD_PID"
	[ "$status" = 0 ] || { skip "--method=$method: $err" 3; continue; }
	is "$(wc -l <"$TMP/out")" "$(wc -l <"/proc/$LOAD_PID/maps")" "hostile names, $method: a row for each mapping"
	is "$(cut -d, -f3 "$TMP/out" | sort -u)" "$LOAD_PID" "hostile names, $method: none is forged"
	is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$TMP/out" | wc -c)" 0 "hostile names, $method: no control byte"
done
done_testing
