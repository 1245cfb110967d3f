#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# analyze.sh: static analysis of all sources.  An analyzer that is not installed is named and left
# out; a finding of any other gives exit status 1.
# clang's analyzer gives up a function after 30,000 states: all files take a seventh of the time that its default of
# 225,000 takes.  TIDY=deep keeps the default (tests/t/suite/analyze-deep.sh, run by make check-live).
set -u
cd "$(dirname "$0")/../.." || exit 2
shopt -s nullglob
tools=(*/opts.c)
tools=("${tools[@]%/*}")
sources=(libsysmon/*/*.c tools/*.c)
for t in "${tools[@]}"; do
	sources+=("$t"/*.c "$t"/*/*.c)
done
# Programs for the kernel are compiled for another target, by tools/bpf2h.py, with warnings as errors.
c_files() { printf '%s\n' "$@" | grep -v '\.bpf\.c$'; }
mapfile -t sources < <(c_files "${sources[@]}")
scripts=(tests/lib/*.sh tests/lib/runner tests/t/*/*.sh tests/tui/*.sh tests/lab/{run,gen,peer.sh}
	bench/*.sh tools/*.sh .ci/run)
flags=(-std=gnu11 -D_GNU_SOURCE '-DSM_VERSION="0"' -Ilibsysmon -I.)
tidy_flags=()
[ "${TIDY-}" = deep ] || tidy_flags=(-Xclang -analyzer-config -Xclang max-nodes=30000)
failed=0 missing=()
tmp=$(mktemp) || exit 2
trap 'rm -f "$tmp"' EXIT

step() { # 'TOOL ...' COMMAND...: runs the command if TOOL is installed
	local name=$1 tool=${1%% *}
	shift
	if ! command -v "$tool" >/dev/null; then
		missing+=("$tool")
		return
	fi
	echo "== $name"
	"$@" || { failed=1; echo "== $name: FINDINGS"; }
}

shell_check() { # those that exist and are shell
	local s present=()
	for s in "${scripts[@]}"; do
		[ -f "$s" ] && head -n 2 "$s" | grep -qE '^#.*sh' && present+=("$s")
	done
	shellcheck -x -S warning "${present[@]}"
}

# FLAG FILE...: a few files at a time on each CPU; without its count of what it suppressed.
tidy() {
	local rc
	# shellcheck disable=SC2016
	printf '%s\0' "${@:2}" | FLAGS="${flags[*]} $1 ${tidy_flags[*]-}" xargs -0 -n 12 -P "$(nproc)" \
		sh -c 'exec clang-tidy --quiet "$@" -- $FLAGS' sh 2>"$tmp"
	rc=$?
	grep -v 'warnings\? generated\.$' "$tmp"
	return "$rc"
}
# A tool's rooms include its files by its folder, and what is made for it.
clang_tidy() {
	local t rc=0 files
	mapfile -t files < <(c_files libsysmon/*/*.c tools/*.c)
	tidy '' "${files[@]}" || rc=1
	for t in "${tools[@]}"; do
		mapfile -t files < <(c_files "$t"/*.c "$t"/*/*.c)
		tidy "-I$t -Ibuild/default/gen/$t" "${files[@]}" || rc=1
	done
	return "$rc"
}

man_pages=(man/*.[1-9])
# gcc 12 reports every list that belongs to a caller's struct as a leak; LeakSanitizer checks those.
step 'gcc -fanalyzer' "${MAKE:-make}" -s -k VARIANT=analyze CC=gcc WERROR=1 \
	EXTRA_CFLAGS='-fanalyzer -Wno-analyzer-malloc-leak' all objects
step cppcheck cppcheck -j "$(nproc)" --quiet --error-exitcode=1 --inline-suppr --std=c11 --force \
	--enable=warning,performance,portability --suppress=missingIncludeSystem \
	-D_GNU_SOURCE '-DSM_VERSION="0"' -Ilibsysmon -I. "${sources[@]}"
step clang-tidy clang_tidy
[ ${#man_pages[@]} = 0 ] || step 'mandoc -T lint' mandoc -T lint -W warning "${man_pages[@]}"
step shellcheck shell_check
[ ${#missing[@]} = 0 ] || echo "analyze: not installed, left out: ${missing[*]}"
exit "$failed"
