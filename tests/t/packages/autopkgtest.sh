#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 400
# The autopkgtests of the Debian packages, on an installation below a directory.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
deb_need
if deb_is_kept; then
	cp -R "$deb_kept" "$TMP/deb"
else
	deb_build "$TMP/deb" nocheck && deb_keep "$TMP/deb" || done_testing
fi
arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
deb_install

# As run by `autopkgtest -- null`: output on standard error fails a test unless its
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
