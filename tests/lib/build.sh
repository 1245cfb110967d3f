# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# build: builds a copy of the tree, for the scripts of tests/t/packages (after tap.sh).  The Debian
# packages are kept in build/test-packages with the checksum of their sources, for the next script.
deb_kept=${BUILD%/*}/test-packages
unset MAKEFLAGS MFLAGS MAKELEVEL VARIANT CC CFLAGS CPPFLAGS LDFLAGS DESTDIR PREFIX

# The tree itself can be read-only, or edited during the test.
copy_tree() { # and changes the directory to the copy
	mkdir "$TMP/copy"
	(cd "$TOP" && tar -c --exclude=./build --exclude=./dist .) | tar -x -C "$TMP/copy"
	cd "$TMP/copy" || exit 2
}

make_ok() { # NAME MAKE-ARGUMENTS...: a test; the output in $TMP/log
	local name=$1
	shift
	if make -j"$(nproc)" "$@" >"$TMP/log" 2>&1; then
		pass "$name"
	else
		fail "$name" "$(grep -nE '^ *not ok|[1-9][0-9]* failed|ERROR:|(error|warning):' "$TMP/log" | tail -n 20)
the end of its output:
$(tail -n 20 "$TMP/log")"
	fi
}

deb_need() {
	need_cmd dpkg-buildpackage dh make
	copy_tree
	dpkg-checkbuilddeps >"$TMP/deps" 2>&1 || skip_all "packages: $(head -n 1 "$TMP/deps")"
	make -s dist >/dev/null && deb_sources=$(sha256sum <dist/*.tar.gz)
}

deb_build() { # DIRECTORY [OPTION...]: a test; options of DEB_BUILD_OPTIONS
	local dir=$1
	shift
	mkdir -p "$dir"
	DEB_BUILD_OPTIONS="parallel=$(nproc) $*" make_ok "make deb: ${*:-with its tests}" -j1 deb DEB_OUT="$dir"
}

deb_is_kept() { [ "$(cat "$deb_kept/sources" 2>/dev/null)" = "$deb_sources" ]; }

deb_keep() { # DIRECTORY: keeps the packages for later scripts, if build/ can be written
	rm -rf "$deb_kept" 2>/dev/null
	mkdir -p "$deb_kept" 2>/dev/null && cp "$1"/*.deb "$deb_kept" && echo "$deb_sources" >"$deb_kept/sources"
}

# All files of the packages in $TMP/deb, as dpkg would install them, below $root: a test.
deb_install() {
	root=$TMP/root
	mkdir -p "$root/var/lib/dpkg/"{info,updates} && : >"$root/var/lib/dpkg/status"
	run dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless \
		-i "$TMP"/deb/*.deb
	expect_exit 0 'dpkg installs them'
}
