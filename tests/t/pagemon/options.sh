#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# Options of pagemon that are no golden files: which process, how often, how much; and that nothing is altered.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cmd jq

# Names: the comm, or the base name of the first argument, exactly; of several the lowest PID.
bg bash -c "exec -a /no/where/pm-test-first sleep 100"
first=$bg_pid
bg bash -c "exec -a pm-test-first sleep 100"
second=$bg_pid
both() { [ "$(cat "/proc/$first/comm" "/proc/$second/comm" | tr '\n' ' ')" = 'sleep sleep ' ]; }
wait_for both
lowest=$((first < second ? first : second))
pm --csv --no-header pm-test-first
is "$status $(cut -d, -f3 "$TMP/out")" "0 $lowest" 'a name: the base name of the first argument'
is "$err" "pagemon: 2 processes are named pm-test-first; monitoring process $lowest" 'of several the lowest, which is told'
refuse_part() { pm "$1"; is "$status $err" "1 pagemon: no such process: $1" "$2"; }
refuse_part pm-test-firs 'a part of a name is none'
refuse_part /no/where/pm-test-first 'a path is none'
bg bash -c 'printf %s "pm-test comm" >/proc/$$/comm; exec 3</dev/null; while :; do sleep 0.1; done'
named=$bg_pid
renamed() { [ "$(cat "/proc/$named/comm")" = 'pm-test comm' ]; }
wait_for renamed
kill "$second"
pm --csv --no-header -p 'pm-test comm'
is "$status $(cut -d, -f3 "$TMP/out")" "0 $named" 'a name: the comm, with a blank'
cp "$PAGEMON" "$TMP/pm-test-self"
run "$TMP/pm-test-self" --json pm-test-self
is "$status $(jq -r 'select(.type == "process").comm' "$TMP/out")" '0 pm-test-self' 'it can watch itself'

# How often
pm --csv --no-header "$first"
is "$(wc -l <"$TMP/out")" 1 'one snapshot by default'
pm --csv --no-header -i 0.02 -n 3 "$first"
is "$(wc -l <"$TMP/out")" 3 '-n 3'
pm --csv --no-header -i 0.2 -n 3 "$first"
num "$(awk -F, 'NR == 1 { a = $2 } END { printf "%d", ($2 - a) / 1e6 }' "$TMP/out")" -ge 380 '-i 0.2: not before their time'
pm --json -n 0 -i 0.05 --duration=0.3 "$first"
is "$status" 0 '-n 0: until the end'
num "$(jq -s 'map(select(.type == "process")) | length' "$TMP/out")" -ge 2 '-n 0: several snapshots'
pm --json --timestamp=epoch "$first"
is "$(jq -r 'select(.type == "process").time | type' "$TMP/out")" number '--timestamp=epoch'
pm -S "$first"
like "$(tail -n 1 "$TMP/out")" '^1 snapshots, 0 missed; 1 rows, 0 lost; 0 names truncated$' '-S'
pm -q "$first"
is "$status$out$err" 0 '-q: nothing'
pm -m -x "$first"
is "$status" 2 '-m and -x exclude each other'

# On a terminal
if have_cmd tmux; then
	. "$TOP/tests/lib/tui.sh"
	tui_open 160 24
	tui_type "clear; $PAGEMON -b $first; echo STATUS''=\$?"
	ok '-b on a terminal: rows' tui_see '^STATUS=0$'
	like "$(tui_line 0)" '^time +pid +maps +mapped_kB' '-b on a terminal: the heading'
	tui_type "clear; $PAGEMON $first $named; echo STATUS''=\$?"
	ok 'two processes on a terminal: a usage error' tui_see '^STATUS=2$'
	tui_close
else
	skip 'needs tmux' 3
fi

# Nothing is altered: no fault, no page more, and neither mem nor clear_refs is opened.
load_start known
before=$(truth)
faults() { awk '{ print $10, $12 }' "/proc/$LOAD_PID/stat"; }
faults_before=$(faults)
for options in -b -m -x '-x --method=read' '-b -n 5 -i 0.02'; do
	# shellcheck disable=SC2086
	pm $options "$LOAD_PID"
done
is "$(faults)" "$faults_before" 'the process has no fault more'
is "$(truth)" "$before" 'and each page is what it was'
if have_cmd strace && strace -o /dev/null true 2>/dev/null; then
	strace -f -qq -e trace=openat,open,pwrite64,write,ptrace,kill,tgkill -o "$TMP/calls" "$PAGEMON" -m -n 3 -i 0.02 "$LOAD_PID" >/dev/null
	is "$(grep -cE 'clear_refs|/mem"|"mem"|ptrace\(|kill\(' "$TMP/calls")" 0 'neither mem nor clear_refs is opened, no signal is sent'
else
	skip 'needs strace and permission to trace'
fi
done_testing
