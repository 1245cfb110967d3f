#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# text_width.sh [DIR]: writes libsysmon/base/text_width.h to stdout, from the files of the Unicode
# Character Database in DIR (Debian's package unicode-data has them in /usr/share/unicode).
#
# Zero columns: nonspacing and enclosing marks (Mn, Me), and the Hangul vowels and finals that join
# the leading consonant.  Two columns: East Asian Wide and Fullwidth.  To keep the tables short, a range
# extends across unassigned code points, and one of two columns also across those of zero columns, which
# are looked up first.
dir=${1:-/usr/share/unicode}
if ! [ -r "$dir/UnicodeData.txt" ] || ! [ -r "$dir/EastAsianWidth.txt" ]; then
	echo "text_width.sh: no UnicodeData.txt and EastAsianWidth.txt in $dir" >&2
	exit 1
fi
LC_ALL=C exec awk -F'[;#]' '
function hex(s,  i, v) {
	for (i = 1; i <= length(s); i++)
		v = v * 16 + index("0123456789ABCDEF", substr(s, i, 1)) - 1
	return v + 0
}

# Do all code points between two ranges allow the same width?
function joins(from, to, zero_too,  cp) {
	if (to - from > 16384)
		return 0
	for (cp = from; cp < to; cp++)
		if ((cp in assigned) && !(zero_too && (cp in zero)))
			return 0
	return 1
}

function flush() {
	if (first == "")
		return
	printf "%s{0x%x, 0x%x},", n++ % 4 ? " " : "\n\t", first, last
	first = ""
}

function extend(from, to, zero_too) {
	if (first == "" || !joins(last + 1, from, zero_too)) {
		flush()
		first = from
	}
	last = to
}

FNR == 1 && FILENAME ~ /EastAsianWidth/ {
	version = $2
	sub(/^ *EastAsianWidth-/, "", version)
	sub(/\.txt.*/, "", version)
}

FILENAME ~ /UnicodeData/ {
	cp = hex($1)
	assigned[cp]
	if ($3 == "Mn" || $3 == "Me" || (cp >= 4448 && cp <= 4607) || (cp >= 55216 && cp <= 55291)) {
		zero[cp]
		zeros[nzeros++] = cp
	}
	next
}

$2 ~ /^[WF] *$/ {
	sub(/ *$/, "", $1)
	split($1, bounds, /\.\./)
	wide_first[nwide + 0] = hex(bounds[1])
	wide_last[nwide++] = hex(bounds[2] == "" ? bounds[1] : bounds[2])
}

END {
	print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
	print "/*"
	print " * text_width: columns of code points on a terminal, Unicode " version "."
	print " * Made by tools/text_width.sh out of the Unicode Character Database; not to be edited."
	print " */"
	print "#ifndef SM_TEXT_WIDTH_H\n#define SM_TEXT_WIDTH_H\n\n#include <stdint.h>\n"
	print "struct sm_text_range {\n\tuint32_t first, last;\n};\n"
	printf "/* Looked up first. */\nstatic const struct sm_text_range sm_text_zero_width[] = {"
	for (i = 0; i < nzeros; i++)
		extend(zeros[i], zeros[i], 0)
	flush()
	printf "\n};\n\nstatic const struct sm_text_range sm_text_wide[] = {"
	n = 0
	for (i = 0; i < nwide; i++)
		extend(wide_first[i], wide_last[i], 1)
	flush()
	print "\n};\n\n#endif"
}' "$dir/UnicodeData.txt" "$dir/EastAsianWidth.txt"
