#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# powerstat's command line: its own options and usage errors.  Exact texts are in
# tests/golden/powerstat.txt, what all tools share in tests/t/suite/usage.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
ps=${POWERSTAT:-$BUILD/bin/powerstat}

run "$ps" --help
long=$out
for letter in a b c d D f g h H i n p r R s S t z; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done

# -q is --quiet: no rows and no header, but the results.
run "$ps" -z -P none -q --no-procs 0.1 2
is "$status" 0 '-q'
unlike "$out" '[0-9]{2}:[0-9]{2}:[0-9]{2}' '-q prints no rows'
like "$out" 'Average.*Summary:' 'but the results'

misuse powerstat "'--list'" --list=1
misuse powerstat "'-d'" -d
misuse powerstat ambiguous --pro
misuse powerstat ambiguous --no
# Numbers are taken whole and in their range, and the message has the option and the value.
for bad in nan inf 1e30 1x 1abc 0x10 abc -1 0 0.09 '' ' 1' '1 ' 1d1 2d 99999999999999999999; do
	misuse powerstat "DELAY|'${bad}'" "$bad"
done
misuse powerstat "'1abc'" 1abc
misuse powerstat "'0.09'.*0\\.1 seconds" 0.09
misuse powerstat "'2d'" 2d
misuse powerstat "'60x'" 1 60x
for bad in 5x abc 1.5 '' nan -1 99999999999999999999; do
	misuse powerstat "'$bad'" 1 "$bad"
	misuse powerstat "--count" --count="$bad"
done
for bad in abc -1 '' nan inf 31d 99999999999 1x; do misuse powerstat "'-d'" -d "$bad"; done
misuse powerstat "'-d'.*'99999999999'" -d 99999999999
for bad in abc nan -1 100 99.999 inf '' 1x 5%%; do misuse powerstat "'-i'" -i "$bad"; done
misuse powerstat "'-i'.*'100'" -i 100
misuse powerstat "'--count'.*'5x'" --count=5x
for bad in 0 100 -1 x 1.5; do misuse powerstat "--rt" --rt="$bad"; done
misuse powerstat '--interval' --interval=99ms
misuse powerstat '--interval' --interval=25h
misuse powerstat '--duration' --duration=0
misuse powerstat '--duration' --duration=nan
for bad in '' bogus RAPL 1; do misuse powerstat '-P' -P "$bad"; done
misuse powerstat --total --total=dram
misuse powerstat --minmax -m -j
misuse powerstat --minmax -m --csv
misuse powerstat 'different sources' -R -P battery
misuse powerstat 'different sources' -P hwmon -R
misuse powerstat --no-procs --no-procs -p
misuse powerstat --no-procs --no-procs -r
misuse powerstat --no-procs --no-procs -s
misuse powerstat '--procs and --no-procs' --procs --no-procs
misuse powerstat '--procs and --no-procs' --no-procs --procs
misuse powerstat '--interval and DELAY' --interval=0.5 2
misuse powerstat '--interval and DELAY' 2 3 --interval=2
misuse powerstat '--count and COUNT' --count=2 1 3
misuse powerstat '--count and COUNT' 1 0 --count=0

# What is fine: abbreviations, attached and separate values, the original's clusters.
fine() { # ARGUMENT...: parses; --help at the end shows that nothing before it was refused
	run "$ps" "$@" --help
	is "$status$err" 0 "fine:$(printf ' %q' "$@")"
}
fine 1 10
fine 0.1
fine 100ms 0
fine 1d 1
fine -abcDfgHnprRsStz -d0
fine -a -i 0 -d 180
fine -i 99.99
fine -d0.5
fine -R -P rapl
fine -P auto
fine --power=perf --total psys
fine --total=pkg+dram
fine --rt
fine --rt=99
fine --realtime
fine --interval=100ms --count=0 --duration 1m
fine --json=/nonexistent/but/not/opened -j
fine --csv=/nonexistent/but/not/opened --csv
fine -m --json=/nonexistent/but/not/opened
fine --load-modules=msr,intel_rapl_common
fine -N -n
fine -J -l --procs
# --help ends the reading of options before their conflicts are looked for; a missing root after it.
accepted() { # ARGUMENT...: no usage error
	run "$ps" "$@" --root=/nonexistent
	like "$status $err" '^1 powerstat: [^ ]*: No such file or directory$' "accepted:$(printf ' %q' "$@")"
}
accepted --interval=0.5 --count=3
accepted --interval=0.5 --interval=1
accepted --count=3 1
accepted --procs --procs
accepted -o /dev/null --json=/dev/null --csv=/dev/null
accepted -o "$TMP/a" --json="$TMP/b" --csv="$TMP/c" --prom="$TMP/d"
accepted -o ./-

# A pid namespace has no process events.
if unshare --pid --fork --mount-proc true 2>/dev/null; then
	run unshare --pid --fork --mount-proc "$ps" --power=none --procs -d 0 0.1 1
	is "$status" 3 '--procs in a pid namespace: exit status 3'
	like "$err" 'cannot count fork, exec and exit events: .*initial user, PID and network namespaces' 'and why'
else
	skip 'needs a pid namespace of its own' 2
fi
done_testing
