#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cpustat's command line: help, version and every kind of misuse.  Exact texts are in
# tests/golden/cpustat; here is what must hold for all of them.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
RUN_LIMIT=5
cs=$CPUSTAT

run "$cs" --help
expect_exit 0 '--help'
is "$err" '' '--help says nothing on stderr'
like "$out" '^Usage: cpustat \[OPTION\]' 'it begins with the usage'
like "$out" 'Examples:.*cpustat' 'it has examples'
num "$(awk 'length > 80' "$TMP/out" | wc -l)" -eq 0 'no line of it is wider than a screen'
long=$out
run "$cs" -h
is "$status $out" "0 $long" '-h is the same'
run "$cs" --version
like "$status $out$err" '^0 cpustat \(sysmon-tools\) [0-9]+\.[0-9]+' '--version'
run "$cs" -V
like "$status $out" '^0 cpustat .*[0-9]' '-V'
for letter in a c d D g h i l s n p q r S t T x X; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done
run bash -c '"$0" --help >/dev/full' "$cs"
is "$status" 1 'help that cannot be written is an error'

# Exit 2, one line that names the culprit and the pointer to --help, nothing on stdout.
misuse() { # CULPRIT-ERE ARGUMENT...
	local culprit=$1 name
	shift
	run "$cs" "$@"
	name=$(printf ' %q' "$@")
	if [ "$status" = 2 ] && [ -z "$out" ] && [[ $err =~ ^cpustat:\ .*$culprit ]] &&
		[[ $err == *$'\n'"Try 'cpustat --help' for more information." ]] &&
		[ "$(wc -l <"$TMP/err")" = 2 ]; then
		pass "misuse:$name"
	else
		fail "misuse:$name" "status $status, stdout: ${out:0:200}
stderr: ${err:0:200}"
	fi
}

misuse --nosuch --nosuch
misuse "-y" -y
misuse "'extra'" 1 2 extra
misuse '--help' --help=yes
misuse "'--total'" --total=1
misuse "'-n'" -n
misuse "'--count'" --count
misuse ambiguous --co
misuse ambiguous --no
# The delay and the count: whole numbers or durations, not what strtod() makes of them.
for bad in nan inf 1e30 1x 0x10 abc -1 0 0.009 '' ' 1' '1 ' 1d1 2d 99999999999999999999; do
	misuse "" "$bad"
done
for bad in 0 -1 5x abc 1.5 '' nan 99999999999999999999; do misuse "" 1 "$bad"; done
for bad in 0 -1 1x abc '' 4294967296 2147483648 1.0 1,,2 1,x ' 7' nan; do
	misuse "'-p'" -p "$bad"
done
for bad in 0 -1 1x abc '' 1.5 99999999999999999999; do
	misuse "'-n'" -n "$bad"
	misuse "'-m'" -m "$bad"
	misuse -- --count="$bad"
done
for bad in abc -1 1x '' % x% 1%% nan inf 10000001; do misuse "'-t'" -t "$bad"; done
misuse "'-u'" -u no-such-user-here
misuse "'-u'" -u ''
misuse "'-u'" -u 0,no-such-user-here
for bad in bogus '' CPU; do
	misuse "'-o'" -o "$bad"
	misuse "'-G'" -G "$bad"
done
misuse --source --source=nosuch
misuse --color --color=perhaps
misuse --timestamp --timestamp=stone-age
misuse --interval --interval=9ms
misuse --duration --duration=0
misuse '--json.*--csv' --json --csv
misuse '--tui' -X -j
misuse '--tui' -X --csv
misuse '-c, -l and -s' -c -l
misuse '-c, -l and -s' -c -s
misuse '-c, -l and -s' -l -s
misuse '--subsample' -m 20 0.1
# The same thing asked for twice.
misuse '--interval and DELAY' --interval=2 1
misuse '--interval and DELAY' 1 2 --interval=1
misuse '--count and COUNT' --count=2 1 3
misuse '--count and COUNT' 1 3 --count=3
# One file for two options, and a name that is none.
misuse "--json and --csv .*'$TMP/f'" --json="$TMP/f" --csv="$TMP/f"
misuse "--json and --report .*'$TMP/f'" --json="$TMP/f" -r "$TMP/f"
misuse "--json and --prom .*'$TMP/f'" --json="$TMP/f" --prom="$TMP/f"
misuse "--report and --output .*'$TMP/f'" -r "$TMP/f" --output="$TMP/f"
misuse "--prom and --output .*'$TMP/f'" --output="$TMP/f" --prom "$TMP/f"
for option in --json --csv --report --prom --output; do misuse "'-' is no file for $option" "$option=-"; done
ok 'none of them has made a file' test ! -e "$TMP/f" -a ! -e -
misuse '-p and -- COMMAND' -p 1 -- touch "$TMP/f"
ok 'and the command is not run' test ! -e "$TMP/f"
misuse '--root' --root=
misuse '--output' --output=
misuse "'-r'" -r ''
misuse "'-C'" -C ''
misuse "'-k'" -k ''
misuse -- --
misuse "\\\\x1b" -o $'\e[31mred'
unlike "$err" $'\e' 'a hostile value is not echoed raw'

# What is fine: abbreviations, attached and separate values, the original's clusters.
fine() { # ARGUMENT...: parses; --help at the end shows that nothing before it was refused
	run "$cs" "$@" --help
	is "$status$err" 0 "fine:$(printf ' %q' "$@")"
}
fine 1 10
fine 0.01
fine 200ms 5
fine 1d 1
fine -acdDgilqSTx -n5
fine -r out.csv 1 5
fine -t 12
fine -t 0.5
fine -t 5%
fine -t 0
fine -p 1
fine -p 1,2,3
fine -X
fine -u root,0
fine -H
fine -G comm
fine -G none
fine -o time
fine -m 5
fine -W -k /system.slice
fine -C 'kworker*'
fine --comm
fine --comm='ba*'
fine --interval=2s --count=3 --duration 1m
fine --int=2s
fine --count=3 2
fine --json=a --csv=b -r c --prom d --output e
fine --csv=/nonexistent/but/not/opened
fine --json=/nonexistent/but/not/opened -j
fine --timestamp
fine --timestamp=epoch
fine --source=proc
done_testing
