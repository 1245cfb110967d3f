#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The generated part of stressors(7) is current.  stressors(1) and stressors(7) agree with the tables: for each stressor, its
# purpose, its op, its checks and needs, its metrics, and each option with range, default and choices; also
# classes, events, headings, YAML keys and exit statuses.  suite/man.sh compares the names of options and
# fields.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
page=$TOP/man/stressors.1
list=$TOP/man/stressors.7
formats=$TOP/man/stressors.5

# SECTION: prints its lines in the three pages, up to the next .Sh or .Ss
section() {
	awk -v want="$1" 'FNR == 1 { on = 0 } /^\.S[hs] / { on = substr($0, 5) == want; next } on' "$page" "$list" "$formats"
}
# SECTION MACRO: prints the arguments of the macro, one per line
words() { section "$1" | sed -n "s/^\\.$2 //p" | tr -d ',.' | tr ' ' '\n' | grep . | sort -u; }
# SECTION: prints the tags of its lists that are plain text
tags() { section "$1" | sed -n 's/^\.It //p' | sort -u; }

# Removes differences of case, quotes and line breaks.
squeeze() { sed "s/[‘’]/'/g" | tr -d '[:space:]' | tr '[:upper:]' '[:lower:]'; }
rendered() { # SECTION
	{
		printf '.Dd November 23, 2026\n.Dt STRESSORS 1\n.Os\n.Sh STRESSORS\n'
		section "$1"
	} | mandoc -T utf8 2>/dev/null | col -b | squeeze
}

# Reads the output of --help=NAME and prints a line "KIND<tab>TEXT" for each fact: does, Class, One op, Checked,
# Needs, Metric, --OPTION=ARG.
facts() {
	awk '
		function flush() {
			if (kind == "Metric") gsub(/\) */, ")\nMetric\t", text)
			if (kind != "") print kind "\t" text
			kind = ""
		}
		NR == 1 { next }
		NR == 2 { kind = "does"; text = $0; next }
		/^(Options:)?$/ { flush(); next }
		/^ +(-., )?--[a-z0-9-]+/ {
			flush()
			match($0, /--[^ ]+/)
			kind = substr($0, RSTART, RLENGTH)
			text = $0
			sub(/^ +(-., )?--[^ ]+ */, "", text)
			next
		}
		/^(Class|One op|Checked|Needs): / {
			flush()
			kind = substr($0, 1, index($0, ":") - 1)
			text = substr($0, index($0, ":") + 2)
			next
		}
		/^Metrics/ { flush(); kind = "Metric"; text = ""; next }
		{ sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
		END { flush() }' | grep -vE $'^Metric\t$'
}

# Prints the text of an option as the page has it, without the choices, which the page has in a list.
documented() { # TEXT
	local range=${1##*(}
	case $range in
	"$1" | *' to '* | *' or more'* | 'default '*) echo "$1" ;;
	*) echo "${1%(*}(${range##*; }" ;;
	esac
}
choices() { # TEXT
	local range=${1##*(}
	case $range in
	"$1" | *' to '* | *' or more'* | 'default '*) ;;
	*) sed 's/;.*//; s/, /\n/g' <<<"$range" ;;
	esac
}

check_stressor() { # NAME
	local text kind what missing='' chosen='' model
	text=$(rendered "$1")
	# It refers to the stressor that describes the same options and metrics.
	model=$(section "$1" | sed -n '/^[Ss]ee$/{n;s/^\.Sx \([a-z0-9-]*\).*/\1/p;}' | sort -u)
	[ -z "$model" ] || text+=$(rendered "$model" | sed "s/$model/$1/g")
	"$STRESSORS" --help="$1" | facts >"$TMP/facts"
	num "$(wc -l <"$TMP/facts")" -ge 7 "$1: its help was understood"
	while IFS=$'\t' read -r kind what; do
		case $kind in
		does | Metric) kind='' ;;
		"--$1="* | "--$1-ops="*) continue ;;
		Needs) [ "$what" != nothing ] || continue ;;
		--*)
			chosen+=$(choices "$what")$'\n'
			what=$(documented "$what")
			;;
		esac
		[[ $text == *"$(squeeze <<<"$kind$what")"* ]] || missing+="$kind: $what"$'\n'
	done <"$TMP/facts"
	is "$missing" '' "$1: what its table says"
	is "$(words "$1" '\(It \)\?Cm')" "$(grep . <<<"$chosen" | sort -u)" "$1: the choices of its options"
}

if [ -x "$BUILD/gen/complete-stressors" ]; then
	run "$BUILD/gen/complete-stressors" man
	expect_exit 0 'the generator prints the part of the page that is made from the tables'
	is "$(awk '/^\.\\" end of tables/ { on = 0 } on { print } /^\.\\" tables: / { on = 1 }' "$list" | diff - "$TMP/out")" '' \
		'which the page has (make man)'
else
	skip 'the part that is made from the tables: needs complete-stressors, which is not built' 2
fi
is "$(awk '/^\.Sh / { on = $2 == "STRESSORS" } on && sub(/^\.Ss /, "")' "$list")" "$(printf '%s\n' "${all_stressors[@]}")" \
	'each stressor has a part of the page, in their order'
if have_cmd mandoc; then
	for name in "${all_stressors[@]}"; do check_stressor "$name"; done
else
	skip 'the texts: needs mandoc, which is not installed'
fi

# --- what all have in common -----------------------------------------------------------
cd "$TOP/stressors" || exit 2
is "$(section 'What runs' | awk '/^\.It / { on = /-class/ } on && sub(/^\.Cm /, "")' | tr -d ',.' | tr ' ' '\n' | grep . | sort)" \
	"$("$STRESSORS" --class '?' | sed 's/:.*//' | sort)" 'the classes'
is "$(sed -n 's/^[[:space:]]\(HW\|SW\|TRACE\)("\([^"]*\)".*/\2/p' run/perf.c | sort | comm -23 - <(words 'Metrics and figures' Cm))" '' \
	'the events of --perf'
is "$(tags 'Metrics and figures')" "$(grep -o '\.head = "[^"]*"' result/report_tables.c | cut -d '"' -f 2 | sort -u)" \
	'the headings of metrics and figures'
is "$(tags 'The report')" "$(sed -n 's/^[[:space:]]\[RESULT_[A-Z]*\] = {"\([^"]*\)".*/\1/p' result/report.c | sort)" 'the words of the report'
keys=$({
	# sizeof() has the longest of the keys cpu-N-maximum-ns.
	grep -ohE '"[a-z]+(-[a-z0-9]+)+"' result/yaml.c | tr -d '"' | sed 's/^bogo-ops-per-joule$/energy-&/; /^cpu-4294967295-/d'
	# In the page with the name of a method and of a stressor.
	sed -n 's/.*\.yaml = "\([^"]*\)".*/\1/p' s_*.c */*.c | sed 's/\*/pipe/; s/@/qsort/'
} | sort -u)
num "$(wc -l <<<"$keys")" -gt 30 'YAML has keys'
is "$(comm -23 <(echo "$keys") <({ words YAML Va && words YAML 'It Va'; } | sort))" '' 'which are all in the page'
is "$(tags 'EXIT STATUS')" "$({ sed -n 's/^[[:space:]]STRESSORS_[A-Z]* = \([0-9]*\),.*/\1/p' opts.h && echo 128+n; } | sort)" \
	'the exit statuses'
done_testing
