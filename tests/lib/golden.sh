#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# golden.sh [--bless] [TOOL | TOOL/NAME]...: the golden tests, as TAP.
# tests/golden/TOOL.txt holds the cases of a tool:
#     == NAME
#     $ WORDS       arguments, as a shell reads them; `TOOL WORDS` is run in the source tree
#     | LINE        a line of standard output
#     ! LINE        a line of standard error
#     = STATUS      exit status, if it is not 0
# A line that begins with |~ or !~ instead is a glob pattern.  Other lines between cases are comments.
# Tools in LEFT_OUT (not built here) are skipped.
# --bless rewrites the cases that differ, except those with patterns.
set -u
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build/default}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD
cd "$TOP" || exit 2
bless=
[ "${1-}" != --bless ] || { bless=1; shift; }
wanted=("$@")
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
export PATH=$BUILD/bin:$PATH LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
unset COLUMNS NO_COLOR
n=0 failed=0

# MARK FILE: the lines of a file as they stand in a case
marked() {
	sed "s/^./$1 &/; s/^\$/$1/" "$2"
}

# Runs `$tool $words`: $tmp/got has the result as a case has it.
run_case() {
	local code args=()
	eval "args=($words)"
	# By its path, so that an installed program of that name is not used.
	timeout -k 2 20 "$BUILD/bin/$tool" ${args[@]+"${args[@]}"} >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
	{
		marked '|' "$tmp/out"
		marked '!' "$tmp/err"
		[ "$code" = 0 ] || echo "= $code"
	} >"$tmp/got"
}

# The lines of $tmp/got are those of $tmp/want, patterns as globs.
matches() {
	local -a got want
	local i pattern
	cmp -s "$tmp/got" "$tmp/want" && return
	mapfile -t got <"$tmp/got"
	mapfile -t want <"$tmp/want"
	[ ${#got[@]} = ${#want[@]} ] || return
	for i in "${!want[@]}"; do
		if [[ ${want[i]} == [\|\!]~* ]]; then
			pattern=${want[i]#??}
			# shellcheck disable=SC2053
			[[ ${got[i]:0:1} == "${want[i]:0:1}" && ${got[i]#??} == $pattern ]] || return
		else
			[[ ${got[i]} == "${want[i]}" ]] || return
		fi
	done
}

chosen() { # whether the case is to be run
	local w
	((${#wanted[@]})) || return 0
	for w in "${wanted[@]}"; do [[ $w == "$tool" || $w == "$tool/$name" ]] && return; done
	return 1
}

judge() { # the case $name of $tool, which expects $tmp/want
	n=$((n + 1))
	if [[ " ${LEFT_OUT-} " == *" $tool "* ]]; then
		echo "ok $n # SKIP $tool/$name: $tool is not built here"
		return
	fi
	run_case
	if matches; then
		echo "ok $n - $tool/$name"
		return
	fi
	failed=1
	echo "not ok $n - $tool/$name"
	diff -u --label want --label got "$tmp/want" "$tmp/got" | LC_ALL=C cat -v | sed 's/^/#   /'
}

# Appends the case to $tmp/new, with what the tool prints now if it is to be blessed.
keep() {
	printf '== %s\n$%s\n' "$name" "${words:+ $words}" >>"$tmp/new"
	if [ -x "$BUILD/bin/$tool" ] && chosen && ! grep -q '^[|!]~' "$tmp/want"; then
		run_case
		cat "$tmp/got" >>"$tmp/new"
	else
		cat "$tmp/want" >>"$tmp/new"
	fi
}

end_case() { # the case that was read, if one was
	[ -z "$name" ] || if [ -n "$bless" ]; then keep; elif chosen; then judge; fi
	name='' words=''
	: >"$tmp/want"
}

read_cases() { # FILE
	local line tool=${1##*/} name='' words=''
	tool=${tool%.txt}
	: >"$tmp/new"
	while IFS= read -r line <&3; do
		case $line in
		'== '*)
			end_case
			name=${line#== }
			;;
		'$'*)
			words=${line#'$'}
			words=${words# }
			;;
		[\|\!=]*) printf '%s\n' "$line" >>"$tmp/want" ;;
		*)
			end_case
			printf '%s\n' "$line" >>"$tmp/new"
			;;
		esac
	done 3<"$1"
	end_case
	[ -z "$bless" ] || cmp -s "$tmp/new" "$1" || cat "$tmp/new" >"$1"
}

shopt -s nullglob
for file in tests/golden/*.txt; do read_cases "$file"; done
[ -z "$bless" ] || exit 0
if [ "$n" = 0 ]; then
	echo "1..0 # SKIP no golden files"
else
	echo "1..$n"
fi
exit "$failed"
