#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# style.sh: the style gate, as TAP.  The rules are in CONTRIBUTING.md.
# heavy
# seconds: 8
set -u
cd "$(dirname "$0")/.." || exit 2
shopt -s nullglob extglob
export LC_ALL=C.UTF-8
tool_dirs=(*/opts.c)
tool_dirs=("${tool_dirs[@]%/opts.c}")
max_file=800 max_function=100
n=0 failed=0

mapfile -t core_sources < <(printf '%s\n' libsysmon/*/*.[ch])
# The rooms of libsysmon, the lower ones first, as in tools/build.mk.
read -ra rooms < <(sed -n 's/^LAYERS  := //p' tools/build.mk)
core=()
for room in "${rooms[@]}"; do [[ $room == @(cli|tui) ]] || core+=("libsysmon/$room"/*.[ch]); done
tool_sources=(tests/fixtures/skeleton/*.[ch]) scripts=()
for d in "${tool_dirs[@]}"; do tool_sources+=("$d"/*.[ch] "$d"/*/*.[ch]); done
sources=()
for f in "${core_sources[@]}" "${tool_sources[@]}" tools/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch]; do
	[[ $f == *.bpf.h ]] || sources+=("$f") # made by tools/bpf2h.py
done
for f in tests/lib/* tests/t/*/* tests/tui/* tests/lab/{run,gen,peer.sh} bench/* tools/* packaging/* debian/rules debian/tests/* .ci/run \
	examples/run-picture; do
	[[ $f == *.[ch] || ! -f $f ]] || scripts+=("$f")
done
text=("${sources[@]}" "${scripts[@]}" Makefile tests/tests.mk README.md ARCHITECTURE.md \
	CONTRIBUTING.md SECURITY.md NEWS man/*.[1-9] examples/*)
present=()
for f in "${text[@]}"; do [ -f "$f" ] && present+=("$f"); done
text=("${present[@]}")

finds_nothing() { # NAME FINDINGS
	n=$((n + 1))
	if [ -z "$2" ]; then
		printf 'ok %d - %s\n' "$n" "$1"
	else
		failed=1
		printf 'not ok %d - %s\n' "$n" "$1"
		printf '%s\n' "$2" | cat -v | sed 's/^/# /'
	fi
}

# Versions of clang-format format differently: only this one is used.
format_version=14
find_formatter() {
	local f
	for f in "clang-format-$format_version" clang-format; do
		[[ $("$f" --version 2>/dev/null) == *" version $format_version."* ]] && echo "$f" && return
	done
}

# Headers have comments aligned by hand, which clang-format would reflow: only their width and
# tabs are checked.
unformatted() { # CLANG-FORMAT
	local f implementation=()
	for f in "${sources[@]}"; do [[ $f == *.h ]] || implementation+=("$f"); done
	printf '%s\0' "${implementation[@]}" | xargs -0 -n 16 -P "$(nproc)" "$1" --dry-run -Werror 2>&1 |
		sed -n 's/^\([^: ]*\):.*/\1/p' | sort -u
}

malformed_headers() {
	local f
	for f in "${sources[@]}"; do
		[[ $f != *.h ]] || expand "$f" |
			awk -v f="$f" 'length > 110 { print f ":" NR ": over 110 columns" }'
	done
	grep -nE '^ {2,}' "${sources[@]}" | grep -E '^[^:]*\.h:'
}

# Tests may be longer: one script or program for one subject.
long_files() {
	local f files=()
	for f in "${sources[@]}" "${scripts[@]}"; do [[ $f == tests/* ]] || files+=("$f"); done
	awk -v max="$max_file" 'FNR == max + 1 { print FILENAME ": over " max " lines" }' "${files[@]}"
}

# A function's body lies between a { and a } in the first column.
long_functions() {
	awk -v max="$max_function" '
		FNR == 1 { start = 0; head = "" }
		/^[a-zA-Z].*\(/ { head = $0 }
		/^{/ { start = FNR }
		/^}/ && start {
			if (FNR - start - 1 > max && head != "")
				printf "%s:%d: %d lines: %s\n", FILENAME, start, FNR - start - 1, head
			start = 0; head = ""
		}' "${sources[@]}"
}

without_spdx() {
	local f
	for f in "${sources[@]}" "${scripts[@]}" Makefile tests/tests.mk; do
		[[ $f == *.md || $f == */control ]] ||
			head -n 4 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || echo "$f"
	done
}

# Lines outside comments: no " * ..." line, nothing after //.
code() { # ERE FILE...
	local ere=$1
	shift
	grep -nHE "$ere" "$@" | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\*|/\*|//)'
}

# A worker process of load/ ends itself; nothing else in the core ends a process.
worker=libsysmon/load/worker.c

fixme='TO''DO|FIX''ME'
call='(^|[^a-zA-Z0-9_.>])'
formatter=$(find_formatter)
if [ -n "$formatter" ]; then
	finds_nothing 'clang-format has nothing to change' "$(unformatted "$formatter")"
else
	n=$((n + 1))
	echo "ok $n # SKIP needs clang-format $format_version, which is not installed"
fi
finds_nothing 'headers: tabs, at most 110 columns' "$(malformed_headers)"
finds_nothing "no file over $max_file lines" "$(long_files)"
finds_nothing "no function over $max_function lines" "$(long_functions)"
finds_nothing 'every source names its licence' "$(without_spdx)"
finds_nothing 'no blanks at the end of a line' "$(grep -nE '[[:blank:]]+$' "${text[@]}")"
finds_nothing 'every file ends with a newline' \
	"$(for f in "${text[@]}"; do [ -z "$(tail -c 1 "$f")" ] || echo "$f"; done)"
finds_nothing 'nothing left to do in the sources' "$(grep -nwE "$fixme" "${text[@]}")"
finds_nothing 'no more phrases that are hard to read (tools/language.sh)' \
	"$(bash tools/language.sh | awk 'NR == FNR { most[$1 " " $2] = $3; next }
		$3 > most[$1 " " $2] { print $0 ", at most " most[$1 " " $2] }' tools/language.counts -)"
finds_nothing 'only libsysmon opens /proc and /sys' \
	"$(code '"/(proc|sys)/|(open(at|dir)?|fopen|readlink|access|stat)\("/(proc|sys)' \
		"${tool_sources[@]}" tools/*.c)"
finds_nothing 'no tool touches the directories of a root' "$(code 'root(->|[.])(proc|sys)\b' "${tool_sources[@]}")"
finds_nothing 'no room of libsysmon includes one above it' "$(above=("${rooms[@]}")
	for room in "${rooms[@]}"; do
		above=("${above[@]:1}")
		grep -nHE "^#[[:blank:]]*include[[:blank:]]+\"($(IFS='|'; echo "${above[*]:-none}"))/" "libsysmon/$room"/*.[ch]
	done)"
finds_nothing 'the core does not print, exit or read the environment' \
	"$(code "$call"'((v|f|vf|d)?printf|puts|fputs|putchar|perror|exit|_exit|abort|(secure_)?getenv|setenv)\(' \
		"${core[@]}" | grep -v "^$worker:[0-9]*:[[:space:]]*_exit(")"
finds_nothing 'no tool includes another' "$(for d in "${tool_dirs[@]}"; do
	others=$(printf '%s\n' "${tool_dirs[@]}" | grep -vx "$d" | paste -sd '|')
	[ -z "$others" ] || grep -nHE "#include \"(\.\./)*($others)/" "$d"/*.[ch] "$d"/*/*.[ch]
done)"
echo "1..$n"
exit "$failed"
