#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: help, version and every kind of misuse.  Exact texts are in
# tests/golden/forkstat; here is what must hold for all of them.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
RUN_LIMIT=5
fs=$FORKSTAT

run "$fs" --help
expect_exit 0 '--help'
is "$err" '' '--help says nothing on stderr'
like "$out" '^Usage: forkstat \[OPTION\]' 'it begins with the usage'
like "$out" 'Examples:.*forkstat' 'it has examples'
num "$(awk 'length > 80' "$TMP/out" | wc -l)" -eq 0 'no line of it is wider than a screen'
long=$out
run "$fs" -h
is "$status $out" "0 $long" '-h is the same'
run "$fs" --version
like "$status $out$err" '^0 forkstat (\(sysmon-tools\) )?[0-9]+\.[0-9]+' '--version'
run "$fs" -V
like "$status $out" '^0 forkstat .*[0-9]' '-V'
for letter in c d D e E g h l p r s S q x X; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done

run bash -c '"$0" --help >/dev/full' "$fs"
is "$status" 1 'help that cannot be written is an error'

# Exit 2, one line that names the culprit and the pointer to --help, nothing on stdout.
misuse() { # CULPRIT-ERE ARGUMENT...
	local culprit=$1 name
	shift
	run "$fs" "$@"
	name=$(printf ' %q' "$@")
	if [ "$status" = 2 ] && [ -z "$out" ] && [[ $err =~ ^forkstat:\ .*$culprit ]] &&
		[[ $err == *$'\n'"Try 'forkstat --help' for more information." ]] &&
		[ "$(wc -l <"$TMP/err")" = 2 ]; then
		pass "misuse:$name"
	else
		fail "misuse:$name" "status $status, stdout: ${out:0:200}
stderr: ${err:0:200}"
	fi
}

misuse --nosuch --nosuch
misuse "'-y'|-- 'y'|-y" -y
misuse 'y' -Ey
misuse "operand 'extra'" extra
misuse "operand 'extra'" -E extra
misuse '--help' --help=yes
misuse "'--all-events'" --all-events=1
misuse "'-D'" -D
misuse "'--duration'" --duration
misuse "event 'bogus'" -e bogus
misuse "event 'bogus'" -e fork,bogus,exec
misuse "event 'FORK'" -e FORK
misuse "event ''" -e fork,,exec
misuse "event ''" -e fork,
misuse ambiguous --e=fork
misuse ambiguous --co
misuse '--nosuch' --json --nosuch
for bad in 1x 0 -1 1e3 abc '' ' 1' '1 ' 0x10 1.5.5 4294967296000 99999999999999999999 5sec +; do
	misuse "'-D'" -D "$bad"
done
for bad in 1x 0 -1 1e3 abc '' 99999999999999999999 1.5; do
	misuse -- --count="$bad"
	misuse -- --limit="$bad"
done
for bad in 0 -1 1x abc '' 4294967296 2147483648 1.0 1,,2 1,x ' 7'; do
	misuse "'-P'" -P "$bad"
	misuse "'-T'" -T "$bad"
	misuse "'-p'" -p "$bad"
done
misuse "'-u'" -u no-such-user-here
misuse "'-u'" -u ''
misuse "'-u'" -u 0,no-such-user-here
for bad in 0 -1 x '' 2G 1Q 99999999999999999999; do misuse "'-b'" -b "$bad"; done
misuse --queue --queue=1
misuse --ring --ring=1
for bad in bogus '' NONZERO; do misuse --exit --exit="$bad"; done
misuse --source --source=nosuch
misuse --color --color=perhaps
misuse "'-t'" -t stone-age
misuse "'-t'" -t
misuse '' --timestamp=stone-age
misuse '' --min-duration=x
misuse -- --min-duration=2s --max-duration=1s
misuse '--json.*--csv' --json --csv
misuse '' --interval=0
misuse '' --root=
misuse '' -o ''
misuse '' --prom=
misuse '' -n ''
misuse '' --
misuse "\\\\x1b" -e $'\e[31mred'
unlike "$err" $'\e' 'a hostile value is not echoed raw'

# What is fine: abbreviations, attached and separate values, the original's clusters.
fine() { # ARGUMENT...: parses; --help at the end shows that nothing before it was refused
	run "$fs" "$@" --help
	is "$status$err" 0 "fine:$(printf ' %q' "$@")"
}
fine --dur=1
fine --dur 1
fine --summ
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
fine --timestamp
fine -tiso
fine -t iso
fine --time=iso
fine --comm='ba*'
done_testing
