# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f shape.awk BLOCK OUTPUT: prints the lines of BLOCK, a copy of a tool's output in a document, whose like the
# tool's OUTPUT does not have.  Numbers may differ.  A line with at least as many words as the heading, which is the
# first line of BLOCK, is a row: its text may differ, but OUTPUT must have a row, too.  A word "..." of the heading
# stands for any columns.

function shape(line) {
	gsub(/[0-9][0-9,.]*/, "N", line)
	$0 = line
	$1 = $1
	return $0
}

# Is the heading "a b ... z" that of the line "a b c d z"?
function is_heading(line, heading,    at, begin, end) {
	at = index(heading, " ... ")
	if (!at)
		return line == heading
	begin = substr(heading, 1, at)
	end = substr(heading, at + 4)
	return index(line, begin) == 1 && length(line) >= length(heading) - 4 &&
		substr(line, length(line) - length(end) + 1) == end
}

{ line = shape($0) }
NR == FNR {
	if (FNR == 1) {
		heading = line
		columns = split(line, word, " ") - (index(line, " ... ") > 0)
	} else {
		block[++lines] = line
	}
	next
}
is_heading(line, heading) { headed = 1; next }
{ seen[line] = 1 }
headed && NF >= columns { rows = 1 }

END {
	if (!headed)
		print "heading: " heading
	for (i = 1; i <= lines; i++)
		if (!(block[i] in seen) && !(split(block[i], word, " ") >= columns && rows))
			print block[i]
}
