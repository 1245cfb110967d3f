#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cpustat's command line: its own options and usage errors.  Exact texts are in
# tests/golden/cpustat.txt, what all tools share in tests/t/suite/usage.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/cpustat.sh"
cs=$CPUSTAT

run "$cs" --help
long=$out
for letter in a c d D g h i l s n p q r S t T x X; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done

misuse cpustat "'--total'" --total=1
misuse cpustat "'-n'" -n
misuse cpustat ambiguous --no
# The delay and the count: whole numbers or durations, not what strtod() makes of them.
for bad in nan inf 1e30 1x 0x10 abc -1 0 0.009 '' ' 1' '1 ' 1d1 2d 99999999999999999999; do
	misuse cpustat "" "$bad"
done
for bad in 0 -1 5x abc 1.5 '' nan 99999999999999999999; do misuse cpustat "" 1 "$bad"; done
for bad in 0 -1 1x abc '' 4294967296 2147483648 1.0 1,,2 1,x ' 7' nan; do
	misuse cpustat "'-p'" -p "$bad"
done
for bad in 0 -1 1x abc '' 1.5 99999999999999999999; do
	misuse cpustat "'-n'" -n "$bad"
	misuse cpustat "'-m'" -m "$bad"
	misuse cpustat -- --count="$bad"
done
for bad in abc -1 1x '' % x% 1%% nan inf 10000001; do misuse cpustat "'-t'" -t "$bad"; done
misuse cpustat "'-u'" -u no-such-user-here
misuse cpustat "'-u'" -u ''
misuse cpustat "'-u'" -u 0,no-such-user-here
for bad in bogus '' CPU; do
	misuse cpustat "'-o'" -o "$bad"
	misuse cpustat "'-G'" -G "$bad"
done
misuse cpustat --source --source=nosuch
misuse cpustat --interval --interval=9ms
misuse cpustat --duration --duration=0
misuse cpustat '--tui' -X -j
misuse cpustat '--tui' -X --csv
misuse cpustat '-c, -l and -s cannot be used together' -c -l
misuse cpustat '-c, -l and -s cannot be used together' -c -s
misuse cpustat '-c, -l and -s cannot be used together' -l -s
misuse cpustat '--subsample: DELAY divided by N must be at least 10ms' -m 20 0.1
misuse cpustat '--tui and --output cannot be used together; use --json=FILE or --csv=FILE' -X --output="$TMP/f"
# The same thing asked for twice.
misuse cpustat '--interval and DELAY' --interval=2 1
misuse cpustat '--interval and DELAY' 1 2 --interval=1
misuse cpustat '--count and COUNT' --count=2 1 3
misuse cpustat '--count and COUNT' 1 3 --count=3
# One file for two options, and a name that is none.
misuse cpustat "--json and --report .*'$TMP/f'" --json="$TMP/f" -r "$TMP/f"
misuse cpustat "--output and --report .*'$TMP/f'" -r "$TMP/f" --output="$TMP/f"
misuse cpustat "--report cannot write to '-'" --report=-
ok 'none of them has made a file' test ! -e "$TMP/f" -a ! -e -
misuse cpustat '-p and -- COMMAND cannot be used together' -p 1 -- touch "$TMP/f"
ok 'and the command is not run' test ! -e "$TMP/f"
misuse cpustat "'-r'" -r ''
misuse cpustat "'-C'" -C ''
misuse cpustat "'-k'" -k ''

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
fine --source=proc
done_testing
