#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# power-calibrate's command line: its own options and usage errors.  Exact texts are in
# tests/golden/power-calibrate.txt, what all tools share in tests/t/suite/usage.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
pc=${POWER_CALIBRATE:-$BUILD/bin/power-calibrate}

run "$pc" --help
long=$out
for letter in d e h n o p r R s; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done
unlike "$long" 'COMMAND' 'it runs no command, and the help has none'

# Numbers are taken whole and in their range, and the message has the option.
for bad in 0 1 -1 102 1.5 5x nan '' 0x5 1e1 ' 5' 99999999999999999999; do
	misuse power-calibrate "'-s'" -s "$bad"
	misuse power-calibrate "'--levels'" --levels="$bad"
done
for bad in 0 0.5 -1 10x abc nan inf '' 2d 86401 1e30 99999999999999999999; do
	misuse power-calibrate "'-r'" -r "$bad"
	misuse power-calibrate "'--test-time'" --test-time="$bad"
done
for bad in -1 1x abc nan inf '' 2d 86401 99999999999999999999; do
	misuse power-calibrate "'-d'" -d "$bad"
	misuse power-calibrate "'--settle'" --settle="$bad"
done
for bad in 0 51 50.01 -1 % 1%% abc nan inf '' 1e0 0.001; do misuse power-calibrate "'--target-ci'" --target-ci="$bad"; done
for bad in 0 0.9 -1 abc nan '' 99999999999999999999; do misuse power-calibrate "'--max-time'" --max-time="$bad"; done
for bad in 0 -1 1.5 abc nan '' 18446744073709551616; do misuse power-calibrate "'--seed'" --seed="$bad"; done
for bad in MWC fp '' 1; do misuse power-calibrate "'--op'" --op="$bad"; done
for bad in RAPL mains none '' 1; do misuse power-calibrate "'--source'" --source="$bad"; done
for bad in dram core '' 1; do misuse power-calibrate "'--total'" --total="$bad"; done
for bad in nan inf 1e30 1x 0x10 abc -1 0 0.09 99ms '' ' 1' 2d 86401 99999999999999999999; do
	misuse power-calibrate "DELAY|'$bad'|empty" "$bad"
	misuse power-calibrate "'--interval'" --interval="$bad"
done
for bad in 0 -1 5x abc 1.5 '' nan 99999999999999999999; do misuse power-calibrate '' 1 "$bad"; done
for bad in 0- - -1 3-1 0,,1 ,0 '0,' 0-0-1 x 0x0 1.5 '0 1' ' ' 0/2 0-1:1/2 all $'0\n'; do
	misuse power-calibrate '-n: must be a list of CPU numbers and ranges' -n "$bad"
	misuse power-calibrate '-n: must be a list of CPU numbers and ranges' --list --cpus="$bad"
done
misuse power-calibrate "'-n' has an empty value" -n ''
misuse power-calibrate 'CPU number too high' -n 0-99999
misuse power-calibrate 'CPU 8191 does not exist' -n 8191
cpu=$(first_cpu)
misuse power-calibrate "CPU $cpu is listed twice" -n "$cpu,$cpu"
misuse power-calibrate "CPU $cpu is listed twice" --list -n "$cpu-$cpu,$cpu"
for option in -n -s -r -d -o --op --gnuplot --target-ci --max-time --seed --source --total; do
	misuse power-calibrate "'$option' needs a value" "$option"
done
for option in --per-count --list --rapl --progress; do misuse power-calibrate "'$option' takes no value" "$option=1"; done

# What contradicts itself, or would be ignored.
misuse power-calibrate '-R and a --source other than rapl cannot be used together' -R --source=battery
misuse power-calibrate '-R and a --source other than rapl cannot be used together' --source=hwmon --rapl
misuse power-calibrate 'the test time \(-r\) must be at least twice the reading interval \(DELAY\)' -r 3 2
misuse power-calibrate 'the test time \(-r\) must be at least twice the reading interval \(DELAY\)' 10 -r 10
misuse power-calibrate '-e and --by=type cannot be used together' -e --by=type
misuse power-calibrate '--interval and DELAY' --interval=0.5 2
misuse power-calibrate '--count and COUNT' --count=2 1 3
misuse power-calibrate "operand '3'" 1 2 3
misuse power-calibrate "-o cannot write to '-'" -o -
misuse power-calibrate "--json and -o cannot both write to '$TMP/f'" --json="$TMP/f" -o "$TMP/f"
misuse power-calibrate "--prom and -o cannot both write to" --prom="$TMP/f" --yaml="$TMP/f"
for option in --json --csv --output --prom -o; do
	for suffix in dat gp; do
		if [ "$option" = -o ]; then words=(-o "$TMP/f.$suffix"); else words=("$option=$TMP/f.$suffix"); fi
		misuse power-calibrate '--gnuplot and another option write to the same file' --gnuplot="$TMP/f" "${words[@]}"
	done
done
ok 'none of them has made a file' test ! -e "$TMP/f" -a ! -e "$TMP/f.dat" -a ! -e "$TMP/f.gp"

# What is fine: abbreviations, attached and separate values, the original's clusters.
fine() { # ARGUMENT...: parses; --help at the end shows that nothing before it was refused
	run "$pc" "$@" --help
	is "$status$err" 0 "fine:$(printf ' %q' "$@")"
}
fine -r 10 -R -s 11 # the original's example
fine -Rep -r10 -s11 -n0-3,5
fine -d 0 -r 1 -n 0 0.5
fine -d 1.5m 1 3
fine --settle=0 --test-time=20s --levels=101 --cpus=0
fine -s 2 -r 1d -d 1d
fine --target-ci=1 --max-time=10m
fine --target=0.01% --max=1s
fine --target-ci=50%
fine --source=rapl -R --total=psys
for op in mwc int float double vector mem branchy; do fine --op="$op"; done
for by in all type; do fine --by="$by"; done
for source in auto battery rapl perf hwmon; do fine --source="$source"; done
fine --seed=18446744073709551615
fine -o a --gnuplot=b --json=c --csv=d --prom=e --output=f
fine --list
fine 0.1 1

# --list needs no power source.
run "$pc" --list
is "$status$err" 0 '--list'
like "$out" '^Power sources:
.*
Selected:
.*
CPUs that can be loaded: [1-9]' '--list: sources, the selected one, CPUs'
is "$(grep -cE '^(Power sources:|Selected:|CPUs that can be loaded: [0-9]+|  [^ ].*|    [^ ].*|      [^ ].*|)$' "$TMP/out")" "$(wc -l <"$TMP/out")" \
	'--list: sources are indented, their parts more'
is "$(sed '/^Selected:/,$d' "$TMP/out" | sort | uniq -d)" '' '--list: one line for each source'
run bash -c '"$0" --list >/dev/full' "$pc"
is "$status $err" '1 power-calibrate: write error: No space left on device' '--list into a full disk'
done_testing
