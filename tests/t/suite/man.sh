#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages agree with the tables: options, fields, columns, exit codes; no more, no less.  Each tool
# (TOOL/opts.c) has a page TOOL.1 or TOOL.8 and a page TOOL.5 with its formats; tests of a single tool are at
# the end.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
shared=$TOP/man/sysmon.7

# section PAGE TITLE: its lines, up to the next .Sh or .Ss
section() {
	awk -v want="$2" '
		/^\.S[hs] / { on = substr($0, 5) == want; next }
		on' "$1"
}

# The tags between .Sh OPTIONS or STRESSORS and the next .Sh, as "-D<TAB>--duration<TAB>TIME".
documented_options() { # PAGE...
	awk '
		FNR == 1 { on = 0 }
		/^\.Sh / { on = $0 ~ /^\.Sh (OPTIONS|STRESSORS)$/; next }
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
		}' "$@" | sort
}

# The first words of a list of tags: ".It Cm fork" -> fork.
tags() { # PAGE SECTION MACRO
	section "$1" "$2" | sed -n "s/^\.It $3 //p" | tr -d ',' | tr ' ' '\n' | sort
}

# Keys and headings of the column tables, one per line; some columns have only one of them.
keys_of() { "$BUILD/gen/complete-$1" columns | cut -f 1 | grep -v '^-$' | sort -u; } # TOOL
heads_of() { "$BUILD/gen/complete-$1" columns | cut -f 2 | grep -v '^-$' | sort -u; }
# Names of metric families in a page or in a program's strings.
families() { grep -aoE "sysmon_${1//-/_}_[a-z_]+" "$2" | sort -u; } # TOOL FILE

lint() { # PAGE
	if have_cmd mandoc; then
		# shellcheck disable=SC1111 # the quotes that mandoc prints
		# An enclosure of one line (.Pq) that should have been .Po ... .Pc: quotes in quotes.
		is "$(mandoc -T utf8 "$1" 2>/dev/null | col -b | grep -nE "(^|[ ‘“(])(Ql|Cm|Fl|Ar|Va|Pq|Po|Pc|Xr|Dq|Ns)([ ’”),.;]|\$)|‘[^’]*‘")" '' \
			"${1##*/}: no broken quotes, no macro as a word"
		# Other pages need not be installed here; .Os names this project, as in every page of it.
		is "$(mandoc -T lint "$1" 2>/dev/null | grep -vE 'referenced manual not found|STYLE: operating system')" '' \
			"${1##*/}: mandoc -T lint reports nothing"
	else
		skip "${1##*/}: needs mandoc, which is not installed"
	fi
}

# The keys of the JSON Schema are in the page, and those of the column table in the schema.
# schema.sh compares it with the records.
schema_keys() { # TOOL PAGE FORMATS
	if ! have_cmd jq; then
		skip "$1: the schema: needs jq, which is not installed" 2
		return
	fi
	jq -r '.. | .properties? // {} | keys[]' "$BUILD/schema/$1.schema.json" | grep -v '_b64$' | sort -u >"$TMP/keys"
	is "$({ section "$3" JSON && section "$3" Fields && section "$2" EVENTS; } | grep -oE '[a-z_0-9]+' | sort -u |
		comm -13 - "$TMP/keys")" '' "$1: every key of the schema is in the page of formats"
	is "$(keys_of "$1" | grep -vxE 'cmd|command' | comm -23 - "$TMP/keys")" '' \
		"$1: every field but that of CSV alone is in the schema"
}

# --help and each completion, as printed by `complete`, have every option of the table.
completions() { # TOOL COMPLETE DUMP
	local names format name
	names=$(cut -f 2 <<<"$3" | grep -v '^-$' | sort)
	for format in help bash zsh fish; do
		"$2" "$format" >"$TMP/format"
		# Its options are in the help of each stressor, and those that are seldom used in that of all.
		[ "$1 $format" != 'stressors help' ] || { for name in all "$TOP"/stressors/s_*.c; do
			name=${name##*/s_} name=${name%.c}
			"$BUILD/bin/stressors" --help="${name//_/-}"
		done | cat - "$TMP/format" >"$TMP/all" && mv "$TMP/all" "$TMP/format"; }
		case $format in
		help) sed -n 's/^ \{2,6\}\(-., \|\)\(--[a-z0-9-]*\).*/\2/p' "$TMP/format" | sort -u ;;
		bash) sed -n "s/^[[:space:]]COMPREPLY=.*-W '\(-[^']*\)'.*/\1/p" "$TMP/format" |
			tr ' ' '\n' | sed -n 's/^\(--[a-z0-9-]*\)=*$/\1/p' ;;
		zsh) grep -oE "^[[:space:]]'(\*|\([^)]*\))?--[a-z0-9-]+" "$TMP/format" | grep -oE -- '--[a-z0-9-]+$' ;;
		fish) sed -n 's/^complete .* -l \([a-z0-9-]*\).*/--\1/p' "$TMP/format" ;;
		esac | sort >"$TMP/names"
		is "$(comm -3 <(echo "$names") "$TMP/names")" '' "$1: every option in $format"
	done
}

check_tool() { # TOOL
	local tool=$1 page list=$TOP/man/$1.7 formats=$TOP/man/$1.5 complete=$BUILD/gen/complete-$1 want keys heads
	page=$(printf '%s\n' "$TOP/man/$1".[18])
	[ -e "$list" ] || list=/dev/null
	if [[ " ${LEFT_OUT-} " == *" $tool "* ]]; then
		skip "$tool: is not built here"
		return
	fi
	ok "$tool: built with its completions" test -x "$complete" || return
	want=$("$complete" dump | sort)
	is "$(grep -cE -- $'\t--(json|csv|version)\t' <<<"$want")" 3 "$tool: the shared options are there"
	completions "$tool" "$complete" "$want"
	# Only differences: lines of the page on the left, of the table after a tab.
	is "$(comm -3 <(documented_options "$page" "$list") <(echo "$want"))" '' \
		"$tool: every option with its letter, name and metavariable"

	keys=$(keys_of "$tool")
	is "$(tags "$formats" Fields Va)" "$keys" "$tool: every field of JSON and CSV"
	isnt "$keys" '' "$tool: and there are fields at all"
	heads=$(heads_of "$tool")
	is "$(section "$page" 'The table' | sed -n 's/^\.It //p' | sed 's/ *, */\n/g' | sort)" \
		"$heads" "$tool: every column of the table"
	is "$(families "$tool" <(section "$formats" Prometheus))" \
		"$(families "$tool" "$BUILD/bin/$tool")" "$tool: every Prometheus family"
	[[ $want != *$'\t--prom\t'* ]] || isnt "$(families "$tool" "$BUILD/bin/$tool")" '' "$tool: and there are some"
	schema_keys "$tool" "$page" "$formats"
	lint "$page"
	lint "$formats"
	[ "$list" = /dev/null ] || lint "$list"
}

for opts in "$TOP"/*/opts.c; do
	tool=${opts%/opts.c}
	check_tool "${tool##*/}"
done
lint "$shared"

# .Os, SEE ALSO and REPORTING BUGS
for page in "$TOP"/man/*.[1-9]; do
	page=man/${page##*/}
	is "$(cd "$TOP" && awk -v page="$page" -v pages="$(echo man/*.[1-9])" -f tools/man_ends.awk "$page" | diff "$page" -)" \
		'' "$page: ends as \`make man\` prints it"
done

# Exit codes
codes=$(sed -n 's/^[[:space:]]SM_EXIT_[A-Z]* = \([0-9]*\),.*/\1/p' "$TOP/libsysmon/cli/err.h")
is "$(section "$shared" 'EXIT STATUS' | sed -n 's/^\.It //p')" "$codes" 'exit codes of sysmon.7'

# --- forkstat: events ------------------------------------------------------------------
# The page lists the events of the error message, which are those that the parser accepts.
page=$TOP/man/forkstat.8
run "$BUILD/bin/forkstat" -e no-such-event
events=$(sed -n 's/.*known are all, //p' "$TMP/err" | tr -d ' ' | tr ',' '\n')
is "$(tags "$page" EVENTS Cm)" "$(grep -v nonzeroexit <<<"$events" | sort)" 'every event'
like "$events" nonzeroexit 'the alias nonzeroexit is there'

# The defaults in the page are those in the help.
run "$BUILD/bin/forkstat" --help
default=$(sed -n 's/.*default:$//p;s/^ *\(fork,exec,exit,clone,ptrce\)).*/\1/p' "$TMP/out" | grep .)
documented=$(section "$page" EVENTS | sed -n '/^The default is/{n;s/^\.Cm //p;}')
is "$(tr -d ' ' <<<"${documented% .}")" "$default" 'the default events'

# --- powerstat: exit codes -------------------------------------------------------------
page=$TOP/man/powerstat.8
if [[ " ${LEFT_OUT-} " == *' powerstat '* ]]; then
	skip 'powerstat: is not built here'
else
	run "$BUILD/bin/powerstat" --help
	listed=$(tr '\n' ' ' <"$TMP/out" | sed 's/.*Exit status: //' | grep -oE '[0-9]' | sort -u)
	is "$(section "$page" 'EXIT STATUS' | sed -n 's/^\.It //p')" "$listed" 'powerstat: exit codes'
fi
done_testing
