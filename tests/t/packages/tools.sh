#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A tool has six places: its folder (TOOL/opts.c makes it a tool; with TOOL/records.c), its two man
# pages, a stanza in debian/control, a line each in README, sysmon(7) and NEWS.  Each tool has all of them, and
# each man page of section 1, 5 or 8 has its tool.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
cd "$TOP" || exit 2

section() { # PAGE TITLE
	awk -v want=".Sh $2" '/^\.Sh / { on = $0 == want; next } on' "$1" 2>/dev/null
}

check_tool() { # TOOL
	local page
	page=$(printf '%s\n' "man/$1".[18])
	ok "$1: $page" test -f "$page"
	ok "$1: man/$1.5" test -f "man/$1.5"
	ok "$1: the schema of its records" test -f "$1/records.c"
	like "$(section "$page" 'SEE ALSO')" '\.Xr sysmon 7' "$1: the page refers to sysmon(7)"
	like "$(section "$page" EXAMPLES)" 'example:' "$1: its page has examples"
	like "$(section man/sysmon.7 'SEE ALSO')" "\\.Xr $1 ${page##*.}" "$1: in sysmon(7)"
	ok "$1: in the table of README.md" grep -qE "^\\|.*\\[[^]]*$1[^]]*\\]\\($page\\) \\|" README.md
	ok "$1: in NEWS" grep -q "^\* $1: " NEWS
	is "$(awk -v RS= -v package="sysmon-$1" '$2 == package && $1 == "Package:"' debian/control |
		sed -n 's/^\(Provides\|Conflicts\|Replaces\): //p' | sort -u)" "$1" \
		"$1: its package provides, conflicts with and replaces it"
}
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' NEWS)
described() { # FILE: version and tools of a description of packages
	sed -nE 's/^(pkgver=|Version: +)([0-9.]+)$/\2/p; s/^(%package -n |package_)sysmon-([a-z-]*).*/\2/p; s/^_tools="(.*)"/\1/p' "$1" |
		tr ' ' '\n' | grep -vxE 'tools|common'
}
for f in packaging/{sysmon-tools.spec,PKGBUILD,APKBUILD}; do
	is "$(described "$f" | sort)" "$(printf '%s\n' "$version" */opts.c | sed 's,/.*,,' | sort)" "$f: the version, a package for each tool"
done
is "$(sed -n '1s/^[^(]*(\(.*\)-.*/\1/p' debian/changelog)" "$version" 'debian/changelog: the version'

for f in */opts.c; do check_tool "${f%/*}"; done

tools=$(printf '%s\n' */opts.c | sed 's,/.*,,')
is "$(sed -n 's/^Package: sysmon-//p' debian/control | grep -vxE 'tools|common' | sort)" "$tools" \
	'debian/control: no package without a tool'
is "$(printf '%s\n' man/*.[18] | sed 's,.*/,,; s,\..*,,')" "$tools" 'no man page without a tool'
is "$(printf '%s\n' man/*.5 | sed 's,.*/,,; s,\..*,,')" "$tools" 'no page of formats without a tool'
done_testing
