#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# powerstat's command line: help, version and every kind of misuse.  Exact texts are in
# tests/golden/powerstat; here is what must hold for all of them.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
RUN_LIMIT=5
ps=${POWERSTAT:-$BUILD/bin/powerstat}

run "$ps" --help
expect_exit 0 '--help'
is "$err" '' '--help says nothing on stderr'
like "$out" '^Usage: powerstat \[OPTION\]' 'it begins with the usage'
like "$out" 'Examples:.*powerstat' 'it has examples'
num "$(awk 'length > 80' "$TMP/out" | wc -l)" -eq 0 'no line of it is wider than a screen'
long=$out
run "$ps" -h
is "$status $out" "0 $long" '-h is the same'
run "$ps" --version
like "$status $out$err" '^0 powerstat \(sysmon-tools\) [0-9]+\.[0-9]+' '--version'
run "$ps" -V
like "$status $out" '^0 powerstat .*[0-9]' '-V'
for letter in a b c d D f g h H i n p r R s S t z; do
	like "$long" "  -$letter, --" "-$letter of the original is there"
done
run bash -c '"$0" --help >/dev/full' "$ps"
is "$status" 1 'help that cannot be written is an error'

# Exit 2, one line that names the culprit and the pointer to --help, nothing on stdout.
misuse() { # CULPRIT-ERE ARGUMENT...
	local culprit=$1 name
	shift
	run "$ps" "$@"
	name=$(printf ' %q' "$@")
	if [ "$status" = 2 ] && [ -z "$out" ] && [[ $err =~ ^powerstat:\ .*$culprit ]] &&
		[[ $err == *$'\n'"Try 'powerstat --help' for more information." ]] &&
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
misuse "'--list'" --list=1
misuse "'-d'" -d
misuse "'--count'" --count
misuse ambiguous --pro
misuse ambiguous --no
# Numbers are taken whole and in their range, and the message has the option and the value.
for bad in nan inf 1e30 1x 1abc 0x10 abc -1 0 0.09 '' ' 1' '1 ' 1d1 2d 99999999999999999999; do
	misuse "DELAY|'${bad}'" "$bad"
done
misuse "'1abc'" 1abc
misuse "'0.09'.*0\\.1 seconds" 0.09
misuse "'2d'" 2d
misuse "'60x'" 1 60x
for bad in 5x abc 1.5 '' nan -1 99999999999999999999; do
	misuse "'$bad'" 1 "$bad"
	misuse "--count" --count="$bad"
done
for bad in abc -1 '' nan inf 31d 99999999999 1x; do misuse "'-d'" -d "$bad"; done
misuse "'-d'.*'99999999999'" -d 99999999999
for bad in abc nan -1 100 99.999 inf '' 1x 5%%; do misuse "'-i'" -i "$bad"; done
misuse "'-i'.*'100'" -i 100
misuse "'--count'.*'5x'" --count=5x
for bad in 0 100 -1 x 1.5; do misuse "--rt" --rt="$bad"; done
misuse '--interval' --interval=99ms
misuse '--interval' --interval=25h
misuse '--duration' --duration=0
misuse '--duration' --duration=nan
for bad in '' bogus RAPL 1; do misuse '-P' -P "$bad"; done
misuse --total --total=dram
misuse --color --color=perhaps
misuse --timestamp --timestamp=stone-age
misuse '--json.*--csv' --json --csv
misuse --minmax -m -j
misuse --minmax -m --csv
misuse 'different sources' -R -P battery
misuse 'different sources' -P hwmon -R
misuse --no-procs --no-procs -p
misuse --no-procs --no-procs -r
misuse --no-procs --no-procs -s
misuse '--procs and --no-procs' --procs --no-procs
misuse '--procs and --no-procs' --no-procs --procs
misuse '--interval and the operand DELAY' --interval=0.5 2
misuse '--interval and the operand DELAY' 2 3 --interval=2
misuse '--count and the operand COUNT' --count=2 1 3
misuse '--count and the operand COUNT' 1 0 --count=0
# Two outputs in one file would overwrite each other.
misuse "--output and --json both want the file '$TMP/one'" -o "$TMP/one" --json="$TMP/one"
misuse "--json and --csv both want the file '$TMP/one'" --csv="$TMP/one" --json="$TMP/one"
misuse "--output and --csv .*'$TMP/one'" --csv="$TMP/one" --output "$TMP/one"
misuse "--json and --prom .*'$TMP/one'" --prom="$TMP/one" --json="$TMP/one"
misuse "--csv and --prom .*'$TMP/one'" --prom="$TMP/one" --csv="$TMP/one"
misuse "--output and --prom .*'$TMP/one'" -m -o "$TMP/one" --prom="$TMP/one"
cd "$TMP" || exit 2
misuse "'-' is no file for --json: without =FILE it writes to standard output" --json=-
misuse "'-' is no file for --csv: without =FILE it writes to standard output" --csv=-
misuse "'-' is no file for --output: without it the rows go to standard output" -o -
misuse "'-' is no file for --prom" --prom=-
is "$(ls -d ./one ./- 2>/dev/null)" '' 'misuse: nothing was written'
cd "$TOP" || exit 2
misuse '--root' --root=
misuse '--output' --output=
misuse '--prom' --prom=
misuse -- --
misuse "\\\\x1b" -P $'\e[31mred'
unlike "$err" $'\e' 'a hostile value is not echoed raw'

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
fine --timestamp
fine --timestamp=epoch
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
done_testing
