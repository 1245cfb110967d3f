#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# --root: whatever a prepared tree has in the place of a file, nothing outside it is opened, and no device
# or FIFO in it.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd strace
strace -qq -o /dev/null true 2>"$TMP/err" || skip_all "no strace here: $(head -n 1 "$TMP/err")"
able_tools

# TOOL: runs it on the tree, with its opens in $TMP/opens; a tool that finds nothing there may refuse.
traced() { # TOOL ROOT
	local words options duration=0.3
	options_of "$1" --keep-privileges --root="$2"
	read -r -a words < <(brief_options "$1")
	machine "$1"
	[ "$2" != / ] || duration=$(shortest "$1")
	# strace waits for all its children, and those of lab/run would be its own.
	run ${machine[@]+"${machine[@]}"} sh -c '"$@"; exit' sh strace -qq -f -y -e trace=openat,open -o "$TMP/opens" \
		"$BUILD/bin/$1" ${words[@]+"${words[@]}"} "${options[@]}" --duration="$duration"
	without_notes
}
# The paths of the files that were opened for reading.
opened() { sed -n '/O_PATH\|O_DIRECTORY/!s/.* = [0-9]*<\(.*\)>$/\1/p' "$TMP/opens" | sort -u; }

# In the place of FILE (absolute, in the tree), by KIND
# shellcheck disable=SC2329 # called by name
absolute() { ln -s "$outside/$2" "$1"; }
# shellcheck disable=SC2329
climbing() { ln -s "../../../../../../../../../../../..$outside/$2" "$1"; }
# shellcheck disable=SC2329
fifo() { mkfifo "$1"; }
# shellcheck disable=SC2329
device() { mknod "$1" c 1 5; }

prepare() { # KIND: a tree with the same names as those in $TMP/files
	local path
	rm -rf "$tree"
	mkdir -p "$tree/proc" "$tree/sys"
	while read -r path; do
		mkdir -p "$tree${path%/*}"
		[ -e "$tree$path" ] || "$1" "$tree$path" "${path##*/}"
		[ -e "$outside/${path##*/}" ] || head -c 65536 "$path" >"$outside/${path##*/}" 2>/dev/null
	done <"$TMP/files"
}

roots() { # TOOL
	local path kind kinds=(absolute climbing fifo)
	tree=$TMP/tree outside=$TMP/outside
	mkdir "$outside"
	traced "$1" /
	is "$status" 0 "$1: --root=/"
	# of this machine's processes the first is enough
	opened | grep '^/\(proc\|sys\)/' | grep -v '^/proc/[0-9][0-9]' | while read -r path; do
		[ -d "$path" ] || echo "$path" # or on a simulated machine only
	done >"$TMP/files"
	printf '%s\n' /proc/stat /proc/1/stat /proc/1/cmdline "/proc/$$/stat" "/proc/$$/maps" /sys/devices/system/cpu/online >>"$TMP/files"
	if mknod "$TMP/node" c 1 5 2>/dev/null; then kinds+=(device); else skip 'may not make devices'; fi
	for kind in "${kinds[@]}"; do
		prepare "$kind"
		traced "$1" "$tree"
		ok "$1, $kind: ends by itself ($status)" [ "$status" -lt 124 ]
		is "$(opened | grep "^$outside\|^$tree.*/.*[^/]$" | while read -r path; do
			[ -d "$path" ] || echo "$path"
		done)" '' "$1, $kind: no file is opened"
	done
	# The same links with a target in the tree are followed.
	prepare absolute
	mkdir -p "$tree${outside%/*}"
	cp -r "$outside" "$tree$outside"
	traced "$1" "$tree"
	like "$(opened)" "^$tree$outside/|
$tree$outside/" "$1: a link that stays in the tree is followed"
}
each_tool roots
done_testing
