#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: its own options and usage errors.  Exact texts are in
# tests/golden/forkstat.txt, what all tools share in tests/t/suite/usage.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
fs=$FORKSTAT

run "$fs" --help
long=$out
for letter in c d D e E g h l p r s S q x X; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done


misuse forkstat 'y' -Ey
misuse forkstat "operand 'extra'" extra
misuse forkstat "operand 'extra'" -E extra
misuse forkstat "'--all-events'" --all-events=1
misuse forkstat "'-D'" -D
misuse forkstat "'--duration'" --duration
misuse forkstat "event 'bogus'" -e bogus
misuse forkstat "event 'bogus'" -e fork,bogus,exec
misuse forkstat "event 'FORK'" -e FORK
misuse forkstat "event ''" -e fork,,exec
misuse forkstat "event ''" -e fork,
misuse forkstat ambiguous --e=fork
for bad in 1x 0 -1 1e3 abc '' ' 1' '1 ' 0x10 1.5.5 4294967296000 99999999999999999999 5sec +; do
	misuse forkstat "'-D'" -D "$bad"
done
for bad in 1x 0 -1 1e3 abc '' 99999999999999999999 1.5; do
	misuse forkstat -- --count="$bad"
	misuse forkstat -- --limit="$bad"
done
for bad in 0 -1 1x abc '' 4294967296 2147483648 1.0 1,,2 1,x ' 7'; do
	misuse forkstat "'-P'" -P "$bad"
	misuse forkstat "'-T'" -T "$bad"
	misuse forkstat "'-p'" -p "$bad"
done
misuse forkstat "'-u'" -u no-such-user-here
misuse forkstat "'-u'" -u ''
misuse forkstat "'-u'" -u 0,no-such-user-here
for bad in 0 -1 x '' 2G 1Q 99999999999999999999; do misuse forkstat "'-b'" -b "$bad"; done
misuse forkstat --queue --queue=1
misuse forkstat --ring --ring=1
for bad in bogus '' NONZERO; do misuse forkstat --exit --exit="$bad"; done
misuse forkstat --source --source=nosuch
misuse forkstat "'-t'" -t stone-age
misuse forkstat "'-t'" -t
misuse forkstat '' --min-duration=x
misuse forkstat -- --min-duration=2s --max-duration=1s
misuse forkstat '' --interval=0
misuse forkstat '' -o ''
misuse forkstat '' -n ''

# What is fine: abbreviations, attached and separate values, the original's clusters.
fine() { # ARGUMENT...: parses; --help at the end shows that nothing before it was refused
	run "$fs" "$@" --help
	is "$status$err" 0 "fine:$(printf ' %q' "$@")"
}
fine --dur 1
fine -D1
fine -D 1.5
fine -D 200ms
fine -D 2h
fine -lsx -efork
fine -EgrSx
fine -X
fine -e fork,exec,exit,core,comm,clone,ptrce,uid,sid,gid,lost,all
fine -e nonzeroexit
fine -e exitnonzero
fine -e fork -e exec
fine -p 1 -P 1,2 -T 1
fine -u root,0
fine -b 64k
fine -b 4096
fine --exit=nonzero
fine --json=/nonexistent/but/not/opened
fine -tiso
fine -t iso
fine --comm='ba*'
done_testing
