#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# language.sh: counts phrases that make text hard to read, in man pages, in the other documents and in comments
# of the product's code.  The style gate holds the counts of tools/language.counts: they may fall, never rise.
#
#   language.sh              a line "RULE AREA COUNT" for each
#   language.sh RULE [FILE]  the places, of one file or of all
set -u
cd "$(dirname "$0")/.." || exit 2
shopt -s nullglob globstar
export LC_ALL=C.UTF-8

man=(man/*.[1-9])
md=(README.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md NEWS tests/README.md)
code=()
for f in libsysmon/**/*.[ch] */*.[ch] */**/*.[ch] tools/*.[ch]; do
	[[ $f == tests/* || $f == build/* || $f == *.bpf.h ]] || code+=("$f")
done
mapfile -t code < <(printf '%s\n' "${code[@]}" | sort -u)

# Patterns of grep -P; those with \n are looked for in whole files.
declare -A pattern=(
	[subject]='/\* (Of|What|Those|So|Also|Not|Nothing|None|Else|Where|How|Whose|Who|As|With|Without|From|For) '
	[what]='\b[Ww]hat (is|was|it|they|can|must|does|has|the|a|comes|finds|ends|wakes|needs|this|one|no|could)\b'
	[back]='\b([Tt]hose|that) of\b|\b[Tt]he same\b'
	[with]='\nWith\n\.Fl [^\n]* :\n'
	[semicolon]=';[^;.|]*;[^.|]*\.'
	[isof]='\b(is|are|be|was) of (a|an|the|no|one|all|its|their|this|two|each|other)\b'
	[say]='\b(tells?|told|says?|said|wants?|sees)\b'
	[by]='\b([Oo]ps|events|energy|total|CPU time|watts) by (the|its|real|CPU|time)\b'
	[verb]='\b(Then|At the end|[Aa]fter [^.,;]{3,40}) (follow|follows|come|comes|has|have)\b'
	[too]=', (also|too)\b|\ball the same\b'
	[no]='\b(in|is|are|of|has|have) no (?!longer|more|such)\w+|\bnone\b|\b(sockets|nothing|all|zero|no \w+) but\b'
	[archaic]='\b(anew|meanwhile|beside|seldom|in vain|for want of|any more|no more|somebody|(?<!^\.Dq )nobody|anybody|whoever|so (many|much)|goes? on)\b|\bfrom (its |the |[\dA-Z])[^.,;]{1,25} on\b'
	[option]='\n\.It Fl [^\n]*\n(Only|A|At|The|How|What|With|No|Columns?|Percent|Instances|Memory)\b[^\n]*'
)
rules=(subject what back with semicolon isof say by verb too no archaic option)

files_of() { # AREA
	case $1 in
	man) printf '%s\n' "${man[@]}" ;;
	md) printf '%s\n' "${md[@]}" ;;
	comments) printf '%s\n' "${code[@]}" ;;
	esac
}

# Each match once, as FILE:LINE:TEXT; several on a line are one, except in whole files.
matches() { # RULE AREA [FILE]
	local p=${pattern[$1]} files
	mapfile -t files < <(files_of "$2" | { [ -z "${3-}" ] && cat || grep -xF "$3"; })
	[ ${#files[@]} -gt 0 ] || return 0
	if [[ $p == *'\n'* || $1 == semicolon ]]; then
		grep -HPzo "$p" "${files[@]}" | tr '\n\0' ' \n' | sed 's/^ *//'
	elif [ "$2" = comments ]; then
		grep -HnE '/\*|^[[:space:]]*\* ' "${files[@]}" | grep -P "^[^:]*:\d+:.*(?:$p)"
	else
		grep -HnP "$p" "${files[@]}"
	fi
}

if [ $# -gt 0 ]; then
	for area in man md comments; do matches "$1" "$area" "${2-}"; done
	exit
fi
for rule in "${rules[@]}"; do
	for area in man md comments; do
		case $rule,$area in
		subject,m* | with,md | with,comments | option,md | option,comments | semicolon,comments) ;;
		*) echo "$rule $area $(matches "$rule" "$area" | wc -l)" ;;
		esac
	done
done
