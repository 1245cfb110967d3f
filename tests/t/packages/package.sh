#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 400
# The Debian packages: they build, lintian reports nothing, their files, and their autopkgtests on an
# installation below a directory.  (reproducible.sh builds them with the tests of the build.)
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd lintian
deb_need

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

# All files of the packages, as dpkg would install them.
root=$TMP/root
mkdir -p "$root/var/lib/dpkg/"{info,updates} && : >"$root/var/lib/dpkg/status"
run dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless \
	-i "$TMP"/deb/*.deb
expect_exit 0 'dpkg installs them'

tool_package() { # TOOL
	local package=sysmon-$1 f sbin=() page
	page=$(printf '%s\n' "man/$1".[18])
	[ ! -e "$1/tool.mk" ] || ! grep -q "^SBIN_TOOLS.* $1\$" "$1/tool.mk" || sbin=("/usr/sbin/$1")
	has "$package" "/usr/bin/$1" "${sbin[@]}" "/usr/share/man/man${page##*.}/${page##*/}.gz" "/usr/share/sysmon/$1.schema.json" \
		"/usr/share/bash-completion/completions/$1" "/usr/share/fish/vendor_completions.d/$1.fish" \
		"/usr/share/zsh/vendor-completions/_$1"
	for f in "${sbin[@]}"; do is "$(readlink "$root$f")" "../bin/$1" "$f"; done
	for f in Provides Conflicts Replaces; do is "$(field "$package" $f)" "$1" "$package: $f"; done
	like "$(field sysmon-tools Depends)" "$package " "the metapackage depends on $1"
	run "$root/usr/bin/$1" --version
	like "$status $out" "^0 $1 .*[0-9]\.[0-9]" "the packaged $1 runs"
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

# The autopkgtests as run by `autopkgtest -- null`: output on standard error fails a test unless its
# stanza has allow-stderr.
restrictions() { # TEST
	awk -v RS= -v test="$1" '$0 ~ "^Tests:[^\n]* " test "(\n| )"' debian/tests/control |
		sed -n 's/^Restrictions: //p'
}
autopkgtest() { # NAME
	local kind
	kind=$(restrictions "$1")
	if [[ $kind == *needs-root* ]] && ! have_root; then
		skip "autopkgtest $1: needs root"
		return
	fi
	if [[ $kind == *isolation-machine* && $(readlink /proc/self/ns/pid) != 'pid:[4026531836]' ]]; then
		skip "autopkgtest $1: needs the initial pid namespace"
		return
	fi
	mkdir "$TMP/$1"
	run env AUTOPKGTEST_TMP="$TMP/$1" PATH="$root/usr/bin:$PATH" DPKG_ROOT="$root" \
		DPKG_ADMINDIR="$root/var/lib/dpkg" PKG_CONFIG_SYSROOT_DIR="$root" \
		PKG_CONFIG_PATH="$root/usr/lib/$arch/pkgconfig" LIBRARY_PATH="$root/usr/lib/$arch" \
		"debian/tests/$1"
	[[ $kind != *allow-stderr* ]] || err=
	is "$status $err" '0 ' "autopkgtest $1"
}
mapfile -t names < <(sed -n 's/^Tests: //p' debian/tests/control | tr ' ' '\n')
is "$(printf '%s\n' "${names[@]}" control | sort)" "$(cd debian/tests && printf '%s\n' *)" \
	'every autopkgtest has its stanza'
for name in "${names[@]}"; do autopkgtest "$name"; done
done_testing
