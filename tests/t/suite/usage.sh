#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Command lines of all tools: help, version, usage errors, the shared options.  Exact texts are in
# tests/golden; tests of one tool's options are in its cli.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"

shared=(--line-buffered --quiet --summary --limit=3 --duration=1s --count=3 --interval=1 --csv
	--csv=/nonexistent/file --json --json=/nonexistent/file --prom=/nonexistent/file
	--output=/nonexistent/file --color=auto --color=always --color=never --no-header --timestamp
	--timestamp=clock --timestamp=iso --timestamp=epoch --timestamp=mono --timestamp=delta
	--root=/nonexistent --strict --keep-privileges --realtime)

help_and_version() { # TOOL
	local long letter
	run "$BUILD/bin/$1" --help
	is "$status$err" 0 "$1: --help ends with 0 and writes nothing to stderr"
	like "$out" "^Usage: $1 " "$1: help begins with the usage"
	like "$out" "Examples:.*$1" "$1: help has examples"
	like "$out" $'\n''Exit status: 0 ' "$1: help ends with the exit statuses"
	is "$(awk 'length > 80' "$TMP/out")" '' "$1: no line of the help is wider than a screen"
	long=$out
	run "$BUILD/bin/$1" -h
	is "$status $out" "0 $long" "$1: -h is --help"
	for letter in --version -V; do
		run "$BUILD/bin/$1" "$letter"
		like "$status $out$err" "^0 $1 \\(sysmon-tools\\) [0-9]+\\.[0-9]+" "$1: $letter"
	done
	# shellcheck disable=SC2016
	run bash -c '"$0" --help >/dev/full' "$BUILD/bin/$1"
	refused "$1" 'help that cannot be written is an error' 1 'No space left on device'
}

usage_errors() { # TOOL
	misuse "$1" --nosuch --nosuch
	misuse "$1" --nosuch --json --nosuch
	misuse "$1" 'the nearest is --timestamp' --timestmap=iso
	misuse "$1" 'the nearest is --no-header' --no-haeder
	misuse "$1" "'-y'|-- 'y'|-y" -y
	misuse "$1" --help --help=yes
	misuse "$1" ambiguous "$(if [ "$1" = stressors ]; then echo --ma; else echo --co; fi)"
	[ "$1" = pagemon ] || misuse "$1" extra 1 2 extra # its operands are processes
	! has_command "$1" || misuse "$1" -- --
	misuse "$1" '--json.*--csv|--csv.*--json' --json --csv
	misuse "$1" --color --color=perhaps
	misuse "$1" --timestamp --timestamp=stone-age
	! has_option "$1" --count || misuse "$1" --count --count
	for bad in 0 -1 5x abc 1.5 '' nan 1e3 99999999999999999999; do
		[ "$bad" = 0 ] || ! has_option "$1" --count || misuse "$1" --count --count="$bad"
		! has_option "$1" --limit || misuse "$1" --limit --limit="$bad"
	done
	for bad in nan inf 1e30 1x 0x10 abc -1 0 '' ' 1' '1 ' 1d1 99999999999999999999; do
		misuse "$1" --interval --interval="$bad"
		misuse "$1" --duration --duration="$bad"
	done
	for option in --root --prom --output; do misuse "$1" "$option" "$option="; done
	misuse "$1" '\\x1b' $'--color=\e[31mred'
	unlike "$err" $'\e' "$1: a hostile value is escaped in the message"
}

usage() { # TOOL
	local option options
	help_and_version "$1"
	usage_errors "$1"
	# --help after an option succeeds only if the option is accepted.
	options_of "$1" "${shared[@]}"
	for option in "${options[@]}"; do
		run "$BUILD/bin/$1" "$option" --help
		is "$status$err" 0 "$1: $option is an option"
	done
	run "$BUILD/bin/$1" --dur=1 --inter=1 --help
	is "$status$err" 0 "$1: options can be abbreviated"
}
each_tool usage

# Lists have no limit: 5,000 elements are accepted, and the element after them is still read.
long_list() { # TOOL OPTION ELEMENTS MESSAGE
	[ -x "$BUILD/bin/$1" ] || return
	run "$BUILD/bin/$1" "$2=$3" --version
	is "$status$err" 0 "$1: $2 with 5,000 elements"
	[ "$4" ] || return
	run "$BUILD/bin/$1" "$2=$3,-x" --version
	is "$status" "$(usage_status "$1")" "$1: $2 with a bad element after 5,000: a usage error"
	like "$err" "^$1: option '$2': $4" "$1: $2 with a bad element after 5,000: the message names it"
}
numbers=$(seq -s, 1 5000)
repeated() { yes "$1" | head -n 5000 | paste -sd,; }
for option in --pid --ppid --pgrp; do long_list forkstat "$option" "$numbers" "'-x' must be a process ID"; done
for tool in cpustat eventstat; do long_list "$tool" --pid "$numbers" "'-x' must be a process ID"; done
long_list cpustat --user "$numbers" "unknown user '-x'"
for tool in eventstat forkstat; do long_list "$tool" --uid "$numbers" "unknown user '-x'"; done
long_list eventstat --events "$(repeated hrtimer)" "'-x' must be"
long_list forkstat --events "$(repeated exec)" "unknown event '-x'"
long_list stressors --with "$(repeated cpu)" "unknown stressor '-x'"
long_list stressors --class "$(repeated cpu)" "class '-x' must be"
long_list stressors --exclude "$(repeated cpu)" ''
long_list stressors --taskset "$(repeated 0)" ''
long_list power-calibrate --cpus "$(repeated 0)" ''
long_list powerstat --load-modules "$(repeated loop)" ''
done_testing
