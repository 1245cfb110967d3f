# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v dir=DIRECTORY -f tools/doc_links.awk README.md: prints the document as it is installed in the directory.  A
# link to a file that is not installed there becomes its text, because it would lead nowhere.

# Returns whether the target of a link exists.
function resolves(target) {
	sub(/#.*/, "", target)
	if (target == "" || target ~ /^[a-z]+:/)
		return 1
	gsub(/'/, "'\\''", target)
	return system("test -e '" dir "/" target "'") == 0
}

{
	rest = $0
	line = ""
	while (match(rest, /\[[^][]*\]\([^()]*\)/)) {
		link = substr(rest, RSTART, RLENGTH)
		text = target = link
		sub(/^\[/, "", text)
		sub(/\]\([^()]*\)$/, "", text)
		sub(/^\[[^][]*\]\(/, "", target)
		sub(/\)$/, "", target)
		line = line substr(rest, 1, RSTART - 1) (resolves(target) ? link : text)
		rest = substr(rest, RSTART + RLENGTH)
	}
	print line rest
}
