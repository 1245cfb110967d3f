#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 13
# Output files of every tool: one file for two outputs, "-", full disks, files that cannot be
# created, standard output closed, rotation.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
file_names() { # TOOL: usage errors, found before anything is opened
	local a b outputs=(--json --csv --prom --output)
	cd "$TMP" || return
	for a in "${outputs[@]}"; do
		misuse "$1" "$a cannot write to '-'" "$a=-" --duration=0.1
		for b in "${outputs[@]}"; do
			[[ $a < $b ]] && misuse "$1" "($a and $b|$b and $a) .*'$TMP/one'" "$a=$TMP/one" "$b=$TMP/one" --duration=0.1
		done
	done
	is "$(ls -d ./one ./- 2>/dev/null)" '' "$1: no file is created"
	rm -f ./one ./-
	run "$BUILD/bin/$1" --output=./- --root=/nonexistent/root
	is "$status" 1 "$1: a file may be called -"
	rm -f ./-
}

full_disk() { # TOOL
	local option options
	options_of "$1" '' --json --csv --summary
	for option in "${options[@]}"; do
		# shellcheck disable=SC2016,SC2086
		brief_sh "$1" '"$@" >/dev/full' $option
		is "$status" 1 "$1: /dev/full $option: exit status 1"
		like "$err" "^$1: .*No space left on device$" "$1: /dev/full $option: the message"
	done
	for option in --output --json --csv; do
		brief "$1" "$option=/dev/full"
		is "$status" 1 "$1: $option=/dev/full: exit status 1"
		like "$err" "^$1: .*No space left on device$" "$1: $option=/dev/full: the message"
	done
}

closed() { # TOOL
	# shellcheck disable=SC2016
	brief_sh "$1" '"$@" >&-'
	refused "$1" 'standard output is closed' 1 'standard output is closed$'
	# shellcheck disable=SC2016
	brief_sh "$1" '"$@" <&- >&- 2>&-' --output="$TMP/rows"
	ok "$1: all three are closed, rows are written to a file" ended_well "$1"
	num "$(wc -l <"$TMP/rows")" -ge 2 "$1: the rows are in it"
}

unwritable() { # TOOL: reported at the start, before any row
	local option
	for option in --output --json --csv --prom; do
		brief "$1" "$option=/nonexistent/dir/file"
		refused "$1" "$option in a directory that does not exist" 1 '/nonexistent/dir/file: No such file or directory$'
	done
	for option in --output --json --csv; do
		program "$1"
		run "${program[@]}" --duration=2 "$option=$TMP"
		refused "$1" "$option of a directory" 1 "$TMP: Is a directory$"
	done
}

# A disk that is full for a while: the run goes on, says so once for each file, and loses no row.
has_rows() { [ "$(wc -l <"$TMP/disk/rows")" -ge 2 ]; }
larger_than() { [ "$(stat -c %s "$TMP/disk/rows")" -gt "$1" ]; }
lost_rows() { jq -n '[inputs | select(.type == "summary") | .lost_rows // .lost.output] | add' "$1"; }
fill_disk() { # and the last page of the file but 20 bytes: the tool does not write into it for seconds, but a part of a row
	local blanks
	dd if=/dev/zero of="$TMP/disk/fill" bs=64k 2>/dev/null
	blanks=$((4075 - $(stat -c %s "$TMP/disk/rows") % 4096))
	[ "$blanks" -lt 0 ] || printf '%*s\n' "$blanks" '' 2>/dev/null >>"$TMP/disk/rows"
}
on_small_disk() { # TOOL OPTION...: running, with rows written, and the disk full
	local few=()
	[ "$1" != forkstat ] || few=(--name=sleep) # no storm of other tests fills the disk
	rm -f "$TMP/disk/rows"
	brief_bg "$1" --output="$TMP/disk/rows" --csv --json="$TMP/json" ${few[@]+"${few[@]}"} "${@:2}"
	wait_for has_rows || fail "$1: it starts" "$(cat "$TMP/msg")"
	fill_disk
	ok "$1: a full disk: the message" wait_for has_line "$TMP/msg" "^$1: $TMP/disk/rows: No space left on device$"
}
full_for_a_while() { # TOOL
	local size
	on_small_disk "$1" --prom="$TMP/disk/prom"
	ok "$1: a full disk: the message for --prom" \
		wait_for has_line "$TMP/msg" "^$1: $TMP/disk/prom: No space left on device$"
	size=$(stat -c %s "$TMP/disk/rows")
	: >"$TMP/disk/fill"
	ok "$1: there is room again: more rows" wait_for larger_than "$((size + 100))"
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$status" 1 "$1: the --prom file was not written at times: exit status 1"
	is "$(grep -c 'No space left' "$TMP/msg")" 2 "$1: each message once"
	is "$(lost_rows "$TMP/json")" 0 "$1: no row is lost"
	is "$(sed 's/^ *//; /^$/d; s/"[^"]*"//g' "$TMP/disk/rows" | awk -F, '{ print NF }' | sort -u | wc -l)" 1 "$1: each row is whole"
	like "$(tail -n 1 "$TMP/disk/prom")" '^sysmon_.* [0-9.e+-]+$' "$1: --prom is written at the end"
}
full_to_the_end() { # TOOL
	on_small_disk "$1"
	kill -INT "$bg_pid"
	ok "$1: full to the end: it ends" wait_for has_exited "$bg_pid"
	reap "$bg_pid"
	is "$status" 1 "$1: full to the end: exit status 1"
	is "$(sed -n "s/^$1: \([0-9]*\) rows were not written: No space left on device$/\1/p" "$TMP/msg")" \
		"$(lost_rows "$TMP/json")" "$1: full to the end: lost rows in message and summary"
	: >"$TMP/disk/fill"
}
small_disk() { # TOOL
	mkdir -p "$TMP/disk"
	if ! mount -t tmpfs -o size=64m tmpfs "$TMP/disk" 2>/dev/null; then
		skip "$1: needs mount(2)" 12
		return
	fi
	trap 'umount -l "$TMP/disk"; tap_cleanup' EXIT
	full_for_a_while "$1"
	full_to_the_end "$1"
}

# Rotation by copy and truncation: the tool continues at the new end.
rotated() { # TOOL
	brief_bg "$1" --json --output="$TMP/log"
	longer_than() { [ "$(wc -l <"$TMP/log")" -gt "$1" ]; }
	wait_for longer_than 4 || fail "$1: it starts" "$(cat "$TMP/msg")"
	: >"$TMP/log"
	ok "$1: truncated: more rows" wait_for longer_than 2
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$(tr -d '\0' <"$TMP/log" | wc -c)" "$(wc -c <"$TMP/log")" "$1: truncated: no NUL"
	is "$status" "$(status_after "$1" INT)" "$1: truncated: exit status"
}

each_tool file_names
able_tools
bg bash -c 'while :; do sleep 0.02; done' # an event tool needs events to write rows
files() { # TOOL
	full_disk "$1"
	closed "$1"
	unwritable "$1"
	rotated "$1"
	small_disk "$1"
}
each_tool files
# A process that may open one file more
few_descriptors() { # TOOL
	drops_privileges "$1" || return 0 # stressors needs no /proc
	machine=()
	program "$1"
	run prlimit --nofile=4 "$BUILD/bin/$1" "${program[@]:${#machine[@]}+1}"
	like "$status $err" "^1 $1: /proc: Too many open files; raise the limit of the process \\(ulimit -n\\)\$" "$1: too few descriptors"
}
for tool in "${tools[@]}"; do few_descriptors "$tool"; done
done_testing
