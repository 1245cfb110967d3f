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

# Names of files from which every byte is restored by the rules of sysmon(7).  maps itself has \012 for a newline.
csv_names() {
	LC_ALL=C awk '
	function hex(s, i, n) {
		for (i = 1; i <= length(s); i++)
			n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return n
	}
	function utf8(c, tail) {
		for (tail = ""; c >= 64 || (tail == "" && c >= 128); c = int(c / 64))
			tail = sprintf("%c", 128 + c % 64) tail
		return sprintf("%c", (length(tail) == 1 ? 192 : length(tail) == 2 ? 224 : 240) + c) tail
	}
	function restored(s, out) {
		while (match(s, /\\(\\|x[0-9a-f][0-9a-f]|u[{][0-9a-f]+[}])/)) {
			out = out substr(s, 1, RSTART - 1)
			kind = substr(s, RSTART + 1, 1)
			digits = substr(s, RSTART + 2, RLENGTH - 2)
			gsub(/[{}]/, "", digits)
			out = out (kind == "x" ? sprintf("%c", hex(digits)) : kind == "u" ? utf8(hex(digits)) : "\\")
			s = substr(s, RSTART + RLENGTH)
		}
		return out s
	}
	NR == 1 { columns = split($0, _, ","); next }
	{
		for (i = 1; i < columns; i++)
			sub(/^[^,]*,/, "")
		if (sub(/^"/, "") && sub(/"$/, ""))
			gsub(/""/, "\"")
		print restored($0)
	}'
}
json_names() {
	jq -r 'select(.type == "mapping" and .name) | .name_b64 // (.name | @base64)' | sort -u | while read -r base64; do
		base64 -d <<<"$base64"
		echo
	done
}
mkdir "$TMP/names"
mkfifo "$TMP/hold"
cp "$BASH" "$TMP/names/program"
executed() { [ "/proc/$bg_pid/exe" -ef "$TMP/names/program" ]; }
for name in '\ "\\x41,'$'\n\e[31m\xff' '\x41' '\\x41\' '\u{202e}'$'\xe2\x80\xae\xf3\xa0\x80\x81\xe2\x80' ' "a" ' \
	$'\xc3\\\xa9\r\t\x7f\xc2\x85'; do
	ln "$TMP/names/program" "$TMP/names/$name"
	# shellcheck disable=SC2016 # the other shell's
	bg "$TMP/names/$name" -c 'read -r _ <"$0"' "$TMP/hold"
	wait_for executed
	LC_ALL=C printf -v shown %q "$name"
	right=$TMP/names/${name//$'\n'/'\012'}
	pm --csv -m "$bg_pid"
	is "$(csv_names <"$TMP/out" | LC_ALL=C grep -aF "$TMP/names/" | LC_ALL=C sort -u)" "$right" "CSV: the bytes of $shown"
	pm --json -m "$bg_pid"
	is "$(json_names <"$TMP/out" | LC_ALL=C grep -aF "$TMP/names/")" "$right" "JSON: the bytes of $shown"
	kill "$bg_pid"
	reap "$bg_pid"
done

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
