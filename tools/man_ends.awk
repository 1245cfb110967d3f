# SPDX-License-Identifier: GPL-2.0-or-later
# man_ends.awk: prints a man page with the parts that `make man` makes: the names of the system, for the title that
# groff prints, and of this project after .Os, the pages of the suite in SEE ALSO, in addition to those that the page
# names itself, and REPORTING BUGS.
#
#   awk -v page=man/cpustat.8 -v pages='man/cpustat.5 man/cpustat.8 ...' -f tools/man_ends.awk PAGE

function name_of(path) { sub(/.*\//, "", path); sub(/\.[^.]*$/, "", path); return path }
function section_of(path) { sub(/.*\./, "", path); return path }

# Pages of a single tool other than its own: formats, lists.
function is_part(path) { return section_of(path) == 5 || (section_of(path) == 7 && name_of(path) != "sysmon") }

# Parts refer to their tool and sysmon(7); all other pages refer to every tool and to their own parts.
function add_suite(    list, n, i) {
	n = split(pages, list, " ")
	for (i = 1; i <= n; i++) {
		if (list[i] == page) continue
		if (is_part(list[i]) && name_of(list[i]) != tool) continue
		if (is_part(page) && name_of(list[i]) != tool && name_of(list[i]) != "sysmon") continue
		refs[section_of(list[i]) " " name_of(list[i])]
	}
}

function print_refs(    n, key, i, j, order, part) {
	n = 0
	for (key in refs) order[++n] = key
	for (i = 2; i <= n; i++) {
		key = order[i]
		for (j = i - 1; j > 0 && order[j] > key; j--) order[j + 1] = order[j]
		order[j + 1] = key
	}
	for (i = 1; i <= n; i++) {
		split(order[i], part, " ")
		print ".Xr " part[2] " " part[1] (i < n ? " ," : "")
	}
}

function print_bugs() {
	print ".Sh REPORTING BUGS"
	print "Report bugs to the package maintainer or in the issue tracker of sysmon-tools."
	print "Include the output of"
	if (tool == "sysmon") print ".Ql TOOL --version ,"
	else print ".Ql " tool " --version ,"
	print "the kernel release, the command line and its output."
}

function leave() {
	if (in_refs) { add_suite(); print_refs() }
	in_refs = in_bugs = 0
}

BEGIN { tool = name_of(page) }
/^\.ds doc-volume-operating-system/ { next }
/^\.Dd/ { print; print ".ds doc-volume-operating-system Linux"; next }
/^\.Os/ { print ".Os sysmon-tools"; next }
/^\.Sh / {
	leave()
	if ($0 == ".Sh SEE ALSO") in_refs = 1
	if ($0 == ".Sh REPORTING BUGS") { in_bugs = 1; next }
}
in_bugs { next }
in_refs && /^\.Xr / { refs[$3 " " $2]; next }
{ print }
END { leave(); print_bugs() }
