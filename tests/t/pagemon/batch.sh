#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 7
# Rows of processes with a known memory map, by both methods: each figure of each region is that of
# the load itself, totals are those of a program that reads every entry.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cmd jq
methods=(read)
pm --method=scan --quiet $$
if [ "$status" = 0 ]; then methods=(scan read); else skip "no PAGEMAP_SCAN: $err"; fi
kb=$(($(getconf PAGESIZE) / 1024))

# What cannot be told without page frame numbers (CAP_SYS_ADMIN).
if have_cap sys_admin; then frames=1; else frames=0; fi

# Of a JSON record, in pages, in the words of the truth; "-" for what is missing.
in_pages='def n(k): if has(k) then .[k] / $kb | tostring else "-" end;
	"pages=\(n("mapped_kb")) present=\(n("present_kb")) file=\(n("file_kb")) zero=\(n("zero_kb")) huge=\(n("huge_kb")) " +
	"guard=\(n("guard_kb")) swap=\(n("swap_kb")) exclusive=\(n("excl_kb"))"'
# COUNTS of a load or of pagetruth, in the same order; KEY...: these are not known.
wanted() { # COUNTS KEY...
	local key value out=()
	for key in pages present file zero huge guard swap exclusive; do
		value=$(count $key "$1")
		[[ " ${*:2} " != *" $key "* ]] || value=-
		out+=("$key=$value")
	done
	echo "${out[*]}"
}
not_known() { # METHOD: the keys that the tool cannot tell here
	[ "$frames" = 1 ] || { [ "$1" = scan ] || echo zero; }
	grep -q '^missing guard_pages' "$LOAD_OUT" && echo guard
}

# Without frame numbers the entries of the huge zero page look like those of a file, to pagetruth as well.
untold() { # COUNTS: without what it hides
	local edit='s/\<zero=[-0-9]+/zero=-/'
	[ "$frames" = 0 ] || edit=''
	[ "$huge_zero$frames" != yes0 ] || edit+='; s/\<(file|huge)=[0-9]+/\1=-/g'
	sed -E "$edit" <<<"$1"
}
blind() { [ "$1 $2 $frames" = 'read huge_zero 0' ]; } # METHOD REGION

process() { # METHOD
	local got want truth huge_zero
	huge_zero=$(region huge_zero && echo yes)
	pm --json --method="$1" "$LOAD_PID"
	is "$status$err" 0 "$MODE, $1: exit status 0"
	is "$(jq -r 'select(.type == "header").source' "$TMP/out")" "$1" "$MODE, $1: the header says so"
	truth=$(truth)
	got=$(jq -r --argjson kb "$kb" "select(.type == \"process\") | $in_pages" "$TMP/out")
	# shellcheck disable=SC2046
	want=$(wanted "$truth" $(not_known "$1"))
	is "$(untold "$got")" "$(untold "$want")" "$MODE, $1: the totals are those of reading each entry"
	is "$(jq -r 'select(.type == "process") | .anon_kb == .present_kb - .file_kb' "$TMP/out")" true "$MODE, $1: anonymous pages"
}
# Each region is a mapping of its own.
mappings() { # METHOD
	local name start end counts got
	pm --json -m --method="$1" "$LOAD_PID"
	jq -r --argjson kb "$kb" "select(.type == \"mapping\") | \"\\(.start) \\(.end) \" + ($in_pages)" "$TMP/out" >"$TMP/rows"
	regions >"$TMP/regions"
	num "$(wc -l <"$TMP/regions")" -ge 1 "$MODE, $1: there are regions"
	while read -r name start end counts; do
		blind "$1" "$name" && continue
		got=$(sed -n "s/^0x$start 0x$end //p" "$TMP/rows")
		# shellcheck disable=SC2046
		is "$got" "$(wanted "$counts" $(not_known "$1"))" "$MODE, $1, -m: $name"
	done <"$TMP/regions"
	is "$(jq -s '[map(select(.type == "mapping"))[] | .present_kb] | add' "$TMP/out")" "$(($(count present "$(truth)") * kb))" \
		"$MODE, $1, -m: the sum"
}
# The runs of a region: their sizes by state, and no page twice.
runs() { # METHOD
	local name start end counts
	pm --json -x --method="$1" "$LOAD_PID"
	jq -r --argjson kb "$kb" 'select(.type == "run") | "\(.start) \(.end) \(.mapped_kb / $kb) \(.state)"' "$TMP/out" >"$TMP/rows"
	while read -r name start end counts; do
		blind "$1" "$name" && continue
		is "$(awk -v first="$((16#$start))" -v last="$((16#$end))" '
			function hex(s,   i, v) { v = 0; s = tolower(substr(s, 3)); for (i = 1; i <= length(s); i++)
				v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
			{ at = hex($1); end = hex($2) }
			at < first || end > last { next }
			at < behind { bad++ }
			{ behind = end; state = "+" $4 "+"
			  if (state ~ /[+](anon|file)[+]/ && state !~ /[+]swap[+]/) present += $3
			  if (state ~ /[+]file[+]/) file += $3
			  if (state ~ /[+]guard[+]/) guard += $3
			  if (state ~ /[+]excl[+]/) excl += $3 }
			END { printf "present=%d file=%d guard=%d exclusive=%d bad=%d", present, file, guard, excl, bad }' "$TMP/rows")" \
			"present=$(count present "$counts") file=$(count file "$counts") guard=$(count guard "$counts") exclusive=$(count exclusive "$counts") bad=0" \
			"$MODE, $1, -x: $name"
	done <"$TMP/regions"
}
for MODE in known stride:7 small big:64; do
	load_start "$MODE"
	for method in "${methods[@]}"; do
		process "$method"
		mappings "$method"
		runs "$method"
	done
done

# The runs of stride are known one by one: 64 pages, 64 not.
load_start stride:5
region stride
for method in "${methods[@]}"; do
	pm --csv -x --no-header --method="$method" "$LOAD_PID"
	is "$(awk -F, -v start="0x$START" '$4 >= start && $4 < "0x3" && length($4) == length(start) { print $10 }' "$TMP/out" | tr '\n' ' ')" \
		"$(for _ in 1 2 3 4 5; do printf '%d ' $((64 * kb)); done)" "stride, $method, -x: five runs of 64 pages"
done

# 16 TiB of address space cost nothing, whatever there is in it.
load_start sparseres:16384:4096
for method in "${methods[@]}"; do
	[ "$method" = scan ] || continue # 12 s of CPU
	pm --json --method="$method" "$LOAD_PID"
	is "$(jq 'select(.type == "process").present_kb' "$TMP/out")" "$(($(count present "$("$HELPERS/pagetruth" -s "$LOAD_PID" |
		sed -n 's/^total mappings=[0-9]* //p')") * kb))" "16 TiB with 4096 scattered pages, $method"
done

# Many mappings
load_start maps:3000
pm --csv -m --no-header "$LOAD_PID"
num "$(wc -l <"$TMP/out")" -ge 3000 'a row for each of 3000 mappings'
pm --csv -m --no-header --limit=7 "$LOAD_PID"
is "$(wc -l <"$TMP/out")" 7 '--limit: the first 7'
load_end

# Several processes at once.
bg sleep 100
one=$bg_pid
bg sleep 100
two=$bg_pid
pm --csv --no-header "$one" -p "$two"
is "$(cut -d, -f3 "$TMP/out" | tr '\n' ' ')" "$one $two " 'two processes, in the order given'
for option in --csv --csv=/dev/null -m -x --smaps --summary; do
	pm -b "$option" "$one" 4194304 no-such-name
	is "$status $err $(cat "$TMP/out")" $'1 pagemon: no such process: 4194304\npagemon: no such process: no-such-name ' "$option: all processes must exist"
done
# shellcheck disable=SC2046 # a word for each process
pm --csv --no-header $(printf '%.0s'"$one " {1..300})
is "$status $err $(cut -d, -f3 "$TMP/out" | sort | uniq -c | tr -s ' ')" "0   300 $one" 'more than 256 processes'
kill "$one" "$two"

# A series ends with its process.
bg sleep 100
one=$bg_pid
bg "$PAGEMON" -i 0.05 "$one" >"$TMP/rows" 2>"$TMP/msg"
has_rows() { [ "$(wc -l <"$TMP/rows")" -ge 4 ]; }
wait_for has_rows
kill -KILL "$one"
wait "$one" 2>/dev/null
ok 'the process is killed: the series ends' wait_for has_exited "$bg_pid"
reap "$bg_pid"
is "$status" 0 'exit status 0'
like "$(cat "$TMP/msg")" "^pagemon: process $one (has exited|is a zombie: .*)$" 'a message'
like "$(tail -n 1 "$TMP/rows")" " $one exited$" 'the last row'

# It executes another program.
mkfifo "$TMP/go"
bg bash -c 'read -r _ <"$0"; exec sleep 100' "$TMP/go"
one=$bg_pid
bg "$PAGEMON" -i 0.05 "$one" >"$TMP/rows" 2>"$TMP/msg"
wait_for has_rows
echo >"$TMP/go"
ok 'another program: a row says so' wait_for has_line "$TMP/rows" " $one exec$"
has_new() { grep -q "$one .* sleep$" "$TMP/rows"; }
ok 'and the series goes on with its name' wait_for has_new
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status$(cat "$TMP/msg")" 0 'SIGINT: exit status 0, no message'

# COMMAND is watched from its first page on, and the exit status is its own.
pm --json -i 0.02 -- sh -c 'sleep 0.3; exit 9'
is "$status" 9 'COMMAND: its exit status'
is "$(jq -r 'select(.type == "process").comm' "$TMP/out" | grep -vxE 'sh|sleep')" '' 'COMMAND: nothing but the program and its child is shown'
is "$(jq -rs '.[-2].type' "$TMP/out")" exited 'COMMAND: its end is a record'

# Its last row has the peak, even if it ended before the first snapshot: here the buffer of dd(1).
mib32=(dd if=/dev/zero of=/dev/null bs=32M count=1 status=none)
is_peak() { num "$1" -ge 32768 "$2"; num "$1" -le 49152 "$2, not more"; } # KB NAME
pm --json -i 10 -- "${mib32[@]}"
is "$(jq -rs '.[-2] | "\(.type) \(.comm)"' "$TMP/out")" 'exited dd' 'a short COMMAND: the last record'
is_peak "$(jq -s '.[-2].peak_kb' "$TMP/out")" 'its peak'
pm --csv -i 10 --prom="$TMP/prom" -- "${mib32[@]}"
like "$(head -n 1 "$TMP/out")" ',peak_kb,comm$' 'CSV: the field'
is_peak "$(tail -n 1 "$TMP/out" | awk -F, '{ print $(NF - 1) }')" 'CSV: the last row'
is_peak "$(($(sed -n 's/^sysmon_pagemon_peak_bytes.* //p' "$TMP/prom") / 1024))" 'Prometheus: the peak stays'
pm -i 10 -- "${mib32[@]}"
like "$(tail -n 1 "$TMP/out")" ' exited, peak_kB [0-9]+$' 'the table: the last row'
pm -i 10 -- /nonexistent
is "$(wc -l <"$TMP/out")" 1 'a COMMAND that cannot be executed has no last row'

# What is due while a snapshot is taken, or too soon after a long one, is missed and counted.
load_start maps:3000
pm --json -i 0.01 --duration=1 "$LOAD_PID"
is "$status" 0 'a short interval'
num "$(jq 'select(.type == "summary").missed_samples' "$TMP/out")" -ge 1 'snapshots that were missed are counted'
is "$(jq -s '(map(select(.type == "sample")) | length) == (map(select(.type == "summary"))[0].samples)' "$TMP/out")" true \
	'the number of snapshots'
done_testing
