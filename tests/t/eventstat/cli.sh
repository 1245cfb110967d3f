#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# eventstat's command line: its own options and usage errors.  Exact texts are in
# tests/golden/eventstat.txt, what all tools share in tests/t/suite/usage.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/eventstat.sh"
es=$EVENTSTAT

run "$es" --help
long=$out
for letter in b c C d h i k l n q r s S t T u w; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done

# The delay and the count: whole numbers or durations, not what strtod() makes of them.
for bad in nan inf -nan infinity 1e30 1x 0x10 abc -1 0 0.09 99ms '' ' 1' '1 ' 1d1 2d 86401 99999999999 99999999999999999999; do
	misuse eventstat "" "$bad"
done
for bad in 0 -1 5x abc 1.5 '' nan inf 0x1 99999999999999999999; do misuse eventstat "" 1 "$bad"; done
misuse eventstat "operand 'extra': only DELAY and COUNT" 1 1 extra
misuse eventstat "operand '1': only DELAY and COUNT" 1 1 1
for bad in 0 -1 1x abc '' 1.5 99999999999; do
	misuse eventstat "'-n'" -n "$bad"
	misuse eventstat -- --limit="$bad"
done
for bad in abc -1 1x '' % 1% nan inf 1e3 0x1 100000001 99999999999999999999; do misuse eventstat "'-t'" -t "$bad"; done
for bad in 0 -1 1x abc '' 4294967296 1.0 1,,2 1,x ' 7' nan; do misuse eventstat "'-p'" -p "$bad"; done
for bad in bogus '' Thread; do
	misuse eventstat "'-g'" -g "$bad"
	misuse eventstat "'-o'" -o "$bad"
	misuse eventstat "'-e'" -e "$bad"
	misuse eventstat "'--method'|empty" --method "$bad"
done
for bad in tracefs trace tracef ftrace BPF perf,bpf; do misuse eventstat "option '--method': '$bad'" --method="$bad"; done
expect 'a method of earlier versions: the message names those that there are' 2 \
	"eventstat: option '--method': 'tracefs': the method was removed; use bpf or perf
Try 'eventstat --help' for more information." "$es" --method=tracefs 0.1 1
misuse eventstat "'-e'.*'alarm'" -e hrtimer,alarm
misuse eventstat "'--uid'" --uid=no-such-user-here
misuse eventstat "'--uid'" --uid=
misuse eventstat "'-r'" -r ''
misuse eventstat "'--func'" --func=
misuse eventstat "'--comm'" --comm=
misuse eventstat --interval --interval=99ms
misuse eventstat --duration --duration=0
# What contradicts itself, or would be ignored.
misuse eventstat '-k and -u cannot be used together' -k -u
misuse eventstat '-k and -u cannot be used together' --user --kernel
misuse eventstat '-l and -s cannot be used together' -l -s
misuse eventstat '-C and -S need -r' -C 1 1
misuse eventstat '-C and -S need -r' -S 1 1
misuse eventstat '--interval and DELAY' --interval=2 1
misuse eventstat '--count and COUNT' 1 3 --count=3
misuse eventstat "--json and --report .*'$TMP/f'" --json="$TMP/f" -r "$TMP/f"
misuse eventstat "--output and --report .*'$TMP/f'" -r "$TMP/f" --output="$TMP/f"
misuse eventstat "--report cannot write to '-'" -r -
ok 'none of them has made a file' test ! -e "$TMP/f" -a ! -e -
misuse eventstat '-k and -u cannot be used together' -k -u -- touch "$TMP/f"
ok 'and the command is not run' test ! -e "$TMP/f"

# What is fine: abbreviations, attached and separate values, the original's clusters.
fine() { # ARGUMENT...: parses; --help at the end shows that nothing before it was refused
	run "$es" "$@" --help
	is "$status$err" 0 "fine:$(printf ' %q' "$@")"
}
fine 1 10
fine 0.1
fine 0.5
fine 200ms 5
fine 1d 1
fine -bcdkqswx -n5
fine -bcduqlwx -n 5 -t 1
fine -q -C -S -r out.csv 10 5
fine 10 5 -q -s -r results.csv # the original's example
fine -n 20 60
fine -i
fine -t 0
fine -t 0.5
fine -t 2
fine -p 1,2,3
fine --uid=root,0
fine --comm='ba*' --func='hr*'
fine -e timer -e hrtimer,timer
fine -g function -o idle
fine --method=auto
fine --method=bpf --method=perf
fine --int=2s --count=3 --dur=1m
fine --json=a --csv=b -r c --prom d --output e
fine --csv=/nonexistent/but/not/opened -j
done_testing
