#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-gates
# heavy
# seconds: 90
# timeout: 400
# The tarball has what git has; the Debian packages of its files build, lintian reports nothing, their files on an
# installation below a directory, whose tools run.  (autopkgtest.sh runs the autopkgtests; reproducible.sh builds
# the packages with the tests of the build.)
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd lintian
deb_need

# What git tracks, of the copy, and what it would add.
if git -c safe.directory='*' ls-files >"$TMP/tracked" 2>/dev/null; then
	version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' NEWS)
	git -c safe.directory='*' ls-files -o --exclude-standard >>"$TMP/tracked"
	is "$(tar -tzf "dist/sysmon-tools-$version.tar.gz" | sed "s,^sysmon-tools-$version/,," | sort)" \
		"$(while read -r f; do [ ! -e "$f" ] || printf '%s\n' "$f"; done <"$TMP/tracked" | sort)" \
		'the tarball has the files of git'
else
	skip 'not a clone of git'
fi

files() { # PACKAGE: the files in it
	dpkg-deb -c "$TMP/deb/$1"_*.deb | awk '!/^d/ { print $6 }' | sed 's,^\.,,' | sort
}
has() { # PACKAGE FILE...: exactly these beside the documentation
	local package=$1
	shift
	is "$(files "$package" | grep -v ^/usr/share/doc/)" \
		"$(printf '%s\n' "/usr/share/lintian/overrides/$package" "$@" | sort)" "files of $package"
}
field() { dpkg-deb -f "$TMP/deb/$1"_*.deb "$2"; } # PACKAGE FIELD

deb_build "$TMP/deb" nocheck || done_testing
deb_keep "$TMP/deb"
run lintian --fail-on error,warning "$TMP"/deb/*.changes
expect_exit 0 'lintian: no error, no warning'
is "$(grep -E '^[EW]:' "$TMP/out")" '' 'lintian reports nothing'

arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
mapfile -t headers < <(grep -L 'Private to' libsysmon/*/*.h | sed 's,^libsysmon/,/usr/include/sysmon/,')
has libsysmon-dev /usr/include/sysmon/sysmon.h "/usr/lib/$arch/libsysmon.a" \
	"/usr/lib/$arch/pkgconfig/sysmon.pc" "${headers[@]}"
has sysmon-common /usr/share/man/man7/sysmon.7.gz
has sysmon-tools

deb_install

tool_package() { # TOOL
	local package=sysmon-$1 f sbin=() list=() page
	page=$(printf '%s\n' "man/$1".[18])
	[ ! -e "$1/tool.mk" ] || ! grep -q "^SBIN_TOOLS.* $1\$" "$1/tool.mk" || sbin=("/usr/sbin/$1")
	[ ! -e "man/$1.7" ] || list=("/usr/share/man/man7/$1.7.gz")
	has "$package" "/usr/bin/$1" "${sbin[@]}" "${list[@]}" "/usr/share/man/man${page##*.}/${page##*/}.gz" \
		"/usr/share/man/man5/$1.5.gz" "/usr/share/sysmon/$1.schema.json" \
		"/usr/share/bash-completion/completions/$1" "/usr/share/fish/vendor_completions.d/$1.fish" \
		"/usr/share/zsh/vendor-completions/_$1"
	for f in "${sbin[@]}"; do is "$(readlink "$root$f")" "../bin/$1" "$f"; done
	for f in Provides Conflicts Replaces; do is "$(field "$package" $f)" "$1" "$package: $f"; done
	like "$(field sysmon-tools Depends)" "$package " "the metapackage depends on $1"
	run "$root/usr/bin/$1" --version
	like "$status $out" "^0 $1 .*[0-9]\.[0-9]" "the packaged $1 runs"
	run "$root/usr/bin/$1" --help
	like "$status $out" "^0 Usage: $1 " 'and shows its help'
	like "$(readelf -dW "$root/usr/bin/$1")" 'NOW PIE' "$1 is hardened"
	is "$(readelf -dW "$root/usr/bin/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^lib[cm]\.so|^ld-linux')" '' "$1 needs no library but libc"
}
for f in */opts.c; do tool_package "${f%/*}"; done
like "$(field sysmon-cpustat Depends)" libncursesw 'cpustat depends on ncursesw'
like "$(field sysmon-eventstat Depends)" libncursesw 'eventstat, too'
unlike "$(field sysmon-forkstat Depends)$(field sysmon-powerstat Depends)" ncurses 'the others do not'
is "$(field sysmon-powerstat Suggests)" libkmod2 'powerstat suggests libkmod'
unlike "$(readelf -SW "$root/usr/lib/$arch/libsysmon.a")" gnu.lto_ \
	'the library is machine code, not a compiler'"'"'s notes'
done_testing
