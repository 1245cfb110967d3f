#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# golden.sh [--bless] [NAME...]: the golden tests, as TAP.
# tests/golden/TOOL/NAME.args holds one line of shell words; `TOOL words` is run in the
# source tree and compared with NAME.out, NAME.err (absent: empty) and NAME.exit (absent: 0).
# In .out and .err a line that begins with ~ is a glob pattern for that line.
# Tools in LEFT_OUT (not built here) are skipped.
# --bless rewrites the files of the tests that differ, except those with patterns.
set -u
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build/default}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD
cd "$TOP" || exit 2
bless=
[ "${1-}" != --bless ] || { bless=1; shift; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
export PATH=$BUILD/bin:$PATH LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
unset COLUMNS NO_COLOR

matches() { # GOT WANT: line by line, ~ lines as globs
	local -a got want
	local i
	cmp -s "$1" "$2" && return 0
	mapfile -t got <"$1"
	mapfile -t want <"$2"
	[ ${#got[@]} = ${#want[@]} ] || return 1
	for i in "${!want[@]}"; do
		if [[ ${want[i]} == '~'* ]]; then
			# shellcheck disable=SC2053
			[[ ${got[i]} == ${want[i]#\~} ]] || return 1
		else
			[[ ${got[i]} == "${want[i]}" ]] || return 1
		fi
	done
}

or_empty() { if [ -e "$1" ]; then echo "$1"; else echo "$tmp/empty"; fi; }

keep() { # GOT FILE: bless one file; an empty stderr has none
	if grep -qs '^~' "$2"; then return; fi
	if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

run_case() { # BASE
	local words tool=${1%/*} code want
	tool=${tool##*/}
	IFS= read -r words <"$1.args"
	eval "set -- '$1' $words"
	base=$1
	shift
	# By its path, so that an installed program of that name is not used.
	[ -z "$bless" ] || [ -x "$BUILD/bin/$tool" ] || { echo "$tool is not built" >&2; exit 2; }
	timeout -k 2 20 "$BUILD/bin/$tool" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
	want=$(cat "$base.exit" 2>/dev/null || echo 0)
	if [ -n "$bless" ]; then
		keep "$tmp/out" "$base.out"
		keep "$tmp/err" "$base.err"
		[ -e "$base.out" ] || : >"$base.out"
		if [ "$code" = 0 ]; then rm -f "$base.exit"; else echo "$code" >"$base.exit"; fi
		return 0
	fi
	problem=
	[ "$code" = "$want" ] || problem="exit status $code, want $want"
	matches "$tmp/out" "$(or_empty "$base.out")" || problem+=" stdout"
	matches "$tmp/err" "$(or_empty "$base.err")" || problem+=" stderr"
}

show() { # GOT WANT
	diff -u --label want --label got "$(or_empty "$2")" "$1" | LC_ALL=C cat -v | sed 's/^/#   /'
}

: >"$tmp/empty"
shopt -s nullglob
cases=()
for f in tests/golden/*/*.args; do
	name=${f#tests/golden/}
	[[ $# -eq 0 || " $* " == *" ${name%.args} "* ]] && cases+=("${f%.args}")
done
if [ ${#cases[@]} = 0 ]; then
	echo "1..0 # SKIP no golden files"
	exit 0
fi
[ -n "$bless" ] || echo "1..${#cases[@]}"
n=0 failed=0
for c in "${cases[@]}"; do
	tool=${c%/*} tool=${tool##*/}
	if [[ " ${LEFT_OUT-} " == *" $tool "* ]]; then
		n=$((n + 1))
		[ -n "$bless" ] || echo "ok $n # SKIP ${c#tests/golden/}: $tool is not built here"
		continue
	fi
	run_case "$c"
	if [ -n "$bless" ]; then continue; fi
	n=$((n + 1))
	if [ -z "$problem" ]; then
		echo "ok $n - ${c#tests/golden/}"
		continue
	fi
	failed=1
	echo "not ok $n - ${c#tests/golden/}"
	echo "# differs: $problem"
	show "$tmp/out" "$c.out"
	show "$tmp/err" "$c.err"
done
exit "$failed"
