#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages say what the tables say: options, fields, columns, exit codes; no more, no less.
# For each tool (TOOL/opts.c) its man/TOOL.8; what just one tool has stands at the end.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
shared=$TOP/man/sysmon.7

# section PAGE TITLE: its lines, up to the next .Sh or .Ss
section() {
	awk -v want="$2" '
		/^\.S[hs] / { on = substr($0, 5) == want; next }
		on' "$1"
}

# The tags between .Sh OPTIONS and the next .Sh, as "-D<TAB>--duration<TAB>TIME".
documented_options() { # PAGE
	awk '
		/^\.Sh / { on = $0 == ".Sh OPTIONS"; next }
		!on || !/^\.It Fl / { next }
		{
			letter = "-"; name = "-"; arg = "-"; optional = 0
			for (i = 3; i <= NF; i++) {
				w = $i
				if (w == "Fl" || w == "Ns" || w == "=" || w == ",") continue
				if (w == "Op") { optional = 1; continue }
				if (w == "Ar") { arg = $(++i); continue }
				if (w ~ /^-/) name = "-" w
				else letter = "-" w
			}
			if (optional) arg = "[" arg "]"
			printf "%s\t%s\t%s\n", letter, name, arg
		}' "$1" | sort
}

# The first words of a list of tags: ".It Cm fork" -> fork.
tags() { # PAGE SECTION MACRO
	section "$1" "$2" | sed -n "s/^\.It $3 //p" | tr -d ',' | tr ' ' '\n' | sort
}

# The rows of a column table, `[C_PID] = {MACRO("pid", "PID", ...)`: NULL or the key, and the
# heading if people see it.
rows_of() { sed -n 's/^[[:space:]]*\[C_[A-Z_]*\] = {[A-Z]*(//p' "$1"; } # COLUMNS.C
keys_of() { rows_of "$1" | sed -n 's/^"\([a-z_]*\)".*/\1/p' | sort -u; }
heads_of() { rows_of "$1" | sed -n 's/^[^,]*, "\([^"]\+\)".*/\1/p' | sort -u; }
# Names of metric families: in a page, and in the program, where its strings are whole.
families() { grep -aoE "sysmon_${1//-/_}_[a-z_]+" "$2" | sort -u; } # TOOL FILE

lint() { # PAGE
	if have_cmd mandoc; then
		# Whether other pages are installed here, and mandoc's index of them, is not ours.
		is "$(mandoc -T lint "$1" 2>/dev/null | grep -v 'referenced manual not found')" '' \
			"${1##*/}: mandoc -T lint has nothing to say"
	else
		skip "${1##*/}: needs mandoc, which is not installed"
	fi
}

# The options' words in --help and in each completion are the table's; `complete` prints all
# of them, so here it is whether they arrive.
faces() { # TOOL COMPLETE DUMP
	local names face
	names=$(cut -f 2 <<<"$3" | grep -v '^-$' | sort)
	for face in help bash zsh fish; do
		"$2" "$face" >"$TMP/face"
		case $face in
		help) sed -n 's/^ \{2,6\}\(-., \|\)\(--[a-z-]*\).*/\2/p' "$TMP/face" ;;
		bash) sed -n "s/^[[:space:]]COMPREPLY=.*-W '\(-[^']*\)'.*/\1/p" "$TMP/face" |
			tr ' ' '\n' | sed -n 's/^\(--[a-z-]*\)=*$/\1/p' ;;
		zsh) grep -oE "^[[:space:]]'(\*|\([^)]*\))?--[a-z-]+" "$TMP/face" | grep -oE -- '--[a-z-]+$' ;;
		fish) sed -n 's/^complete .* -l \([a-z-]*\).*/--\1/p' "$TMP/face" ;;
		esac | sort >"$TMP/names"
		is "$(comm -3 <(echo "$names") "$TMP/names")" '' "$1: every option in $face"
	done
}

check_tool() { # TOOL
	local tool=$1 page=$TOP/man/$1.8 complete=$BUILD/gen/complete-$1 want keys heads
	if [[ " ${LEFT_OUT-} " == *" $tool "* ]]; then
		skip "$tool: is not built here"
		return
	fi
	ok "$tool: built with its completions" test -x "$complete" || return
	want=$("$complete" dump | sort)
	num "$(wc -l <<<"$want")" -gt 30 "$tool: there are options"
	faces "$tool" "$complete" "$want"
	# Only what differs: the page's own lines on the left, the table's after a tab.
	is "$(comm -3 <(documented_options "$page") <(echo "$want"))" '' \
		"$tool: every option with its letter, name and metavariable"

	keys=$(keys_of "$TOP/$tool/columns.c")
	is "$(tags "$page" Fields Va)" "$keys" "$tool: every field of JSON and CSV"
	num "$(wc -l <<<"$keys")" -gt 15 "$tool: and there are fields at all"
	heads=$(heads_of "$TOP/$tool/columns.c")
	is "$(section "$page" 'The table' | sed -n 's/^\.It //p' | sed 's/ *, */\n/g' | sort)" \
		"$heads" "$tool: every column of the table"
	is "$(families "$tool" <(section "$page" Prometheus))" \
		"$(families "$tool" "$BUILD/bin/$tool")" "$tool: every Prometheus family"
	isnt "$(families "$tool" "$BUILD/bin/$tool")" '' "$tool: and there are some"
	lint "$page"
}

for opts in "$TOP"/*/opts.c; do
	tool=${opts%/opts.c}
	check_tool "${tool##*/}"
done
lint "$shared"

# Exit codes
codes=$(sed -n 's/^[[:space:]]SM_EXIT_[A-Z]* = \([0-9]*\),.*/\1/p' "$TOP/libsysmon/err.h")
is "$(section "$shared" 'EXIT STATUS' | sed -n 's/^\.It //p')" "$codes" 'exit codes of sysmon.7'

# --- forkstat: events ------------------------------------------------------------------
# The error message lists what the parser takes, the page may not tell otherwise.
page=$TOP/man/forkstat.8
run "$FORKSTAT" -e no-such-event
events=$(sed -n 's/.*known are all, //p' "$TMP/err" | tr -d ' ' | tr ',' '\n')
is "$(tags "$page" EVENTS Cm)" "$(grep -v nonzeroexit <<<"$events" | sort)" 'every event'
like "$events" nonzeroexit 'the alias nonzeroexit is there'

# What the prose says about defaults stands in the help too.
run "$FORKSTAT" --help
default=$(sed -n 's/.*default:$//p;s/^ *\(fork,exec,exit,clone,ptrce\)).*/\1/p' "$TMP/out" | grep .)
documented=$(section "$page" EVENTS | sed -n '/^The default is/{n;s/^\.Cm //p;}')
is "$(tr -d ' ' <<<"${documented% .}")" "$default" 'the default events'

# --- powerstat: records, exit codes ----------------------------------------------------
# Every member of a record stands in the page's JSON section (samples nest the CSV's fields).
page=$TOP/man/powerstat.8
if [[ " ${LEFT_OUT-} " == *' powerstat '* ]]; then
	skip 'powerstat: is not built here' 2
else
	if have_cmd jq; then
		run "$POWERSTAT" -P none --json -c 0.1 1
		jq -r 'keys[]' "$TMP/out" | sort -u >"$TMP/members"
		num "$(wc -l <"$TMP/members")" -gt 30 'powerstat: there are members'
		is "$(section "$page" JSON | grep -oE '[a-z_]{3,}' | sort -u | comm -13 - "$TMP/members")" '' \
			'powerstat: every member of the JSON records'
	else
		skip 'powerstat: JSON: needs jq, which is not installed' 2
	fi
	run "$POWERSTAT" --help
	told=$(tr '\n' ' ' <"$TMP/out" | sed 's/.*Exit status: //' | grep -oE '[0-9]' | sort -u)
	is "$(section "$page" 'EXIT STATUS' | sed -n 's/^\.It //p')" "$told" 'powerstat: exit codes'
fi
done_testing
