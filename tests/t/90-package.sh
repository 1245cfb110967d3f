#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 300
# The Debian packages: they build, lintian has nothing to say, what is in them, and a second
# build, in another directory, at another time and with another umask, has the same bytes.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_cmd dpkg-buildpackage dh lintian make
cd "$TOP" || exit 2
dpkg-checkbuilddeps >"$TMP/deps" 2>&1 || skip_all "packages: $(head -n 1 "$TMP/deps")"
# Both builds from the same bytes, whoever edits the tree meanwhile.
mkdir "$TMP/tree"
tar -c --exclude=./build --exclude=./dist . | tar -x -C "$TMP/tree"
cd "$TMP/tree" || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL VARIANT CC CFLAGS CPPFLAGS LDFLAGS

build() { # NAME, into $TMP/NAME
	mkdir -p "$TMP/$1"
	if make deb DEB_OUT="$TMP/$1" >"$TMP/$1.log" 2>&1; then
		pass "build $1"
	else
		fail "build $1" "$(tail -n 40 "$TMP/$1.log")"
	fi
}

files() { # PACKAGE: the files in it
	dpkg-deb -c "$TMP"/first/"$1"_*.deb | awk '!/^d/ { print $6 }' | sed 's,^\.,,' | sort
}
has() { # PACKAGE FILE...: exactly these beside the documentation
	local package=$1
	shift
	is "$(files "$package" | grep -v ^/usr/share/doc/)" "$(printf '%s\n' "$@" | sort)" \
		"files of $package"
}
field() { dpkg-deb -f "$TMP"/first/"$1"_*.deb "$2"; } # PACKAGE FIELD
sums() { (cd "$TMP/$1" && sha256sum -- *.deb); }      # NAME

build first
ls "$TMP"/first/*.changes >/dev/null 2>&1 || { done_testing; }
run lintian --fail-on error,warning "$TMP"/first/*.changes
expect_exit 0 'lintian: no error, no warning'
is "$(grep -E '^[EW]:' "$TMP/out")" '' 'lintian says nothing'

arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
mapfile -t headers < <(grep -L 'Private to' libsysmon/*.h | sed 's,.*/,/usr/include/sysmon/,')
of_tool() { # TOOL: what each tool's package has
	printf '%s\n' "/usr/bin/$1" "/usr/share/man/man8/$1.8.gz" \
		"/usr/share/bash-completion/completions/$1" \
		"/usr/share/fish/vendor_completions.d/$1.fish" \
		"/usr/share/lintian/overrides/sysmon-$1" "/usr/share/zsh/vendor-completions/_$1"
}
tools=(cpustat forkstat powerstat)
mapfile -t expected < <(of_tool cpustat)
has sysmon-cpustat "${expected[@]}" /usr/sbin/cpustat
mapfile -t expected < <(of_tool forkstat)
has sysmon-forkstat "${expected[@]}"
mapfile -t expected < <(of_tool powerstat)
has sysmon-powerstat "${expected[@]}"
has libsysmon-dev "/usr/lib/$arch/libsysmon.a" "/usr/lib/$arch/pkgconfig/sysmon.pc" \
	/usr/share/lintian/overrides/libsysmon-dev "${headers[@]}"
has sysmon-common /usr/share/man/man7/sysmon.7.gz /usr/share/lintian/overrides/sysmon-common
has sysmon-tools /usr/share/lintian/overrides/sysmon-tools
is "$(printf '%s\n' "${tools[@]}")" "$(printf '%s\n' */opts.c | sed 's,/.*,,')" \
	'every tool has its package'
for t in "${tools[@]}"; do
	for f in Provides Conflicts Replaces; do
		is "$(field "sysmon-$t" $f)" "$t" "sysmon-$t: $f"
	done
	like "$(field sysmon-tools Depends)" "sysmon-$t " "the metapackage brings $t"
	dpkg-deb -x "$TMP/first/sysmon-$t"_*.deb "$TMP/x"
	run "$TMP/x/usr/bin/$t" --version
	like "$status $out" "^0 $t .*[0-9]\.[0-9]" "the packaged $t runs"
	like "$(readelf -dW "$TMP/x/usr/bin/$t")" 'NOW PIE' "$t is hardened"
done
is "$(readlink "$TMP/x/usr/sbin/cpustat")" ../bin/cpustat 'the old path of cpustat'
like "$(field sysmon-cpustat Depends)" libncursesw 'cpustat brings ncursesw'
unlike "$(field sysmon-forkstat Depends)" ncurses 'forkstat does not'
unlike "$(field sysmon-powerstat Depends)" 'ncurses|kmod' 'powerstat needs no library but libc'
is "$(field sysmon-powerstat Suggests)" libkmod2 'and suggests the one that loads modules'

dpkg-deb -x "$TMP"/first/libsysmon-dev_*.deb "$TMP/x"
unlike "$(readelf -SW "$TMP/x/usr/lib/$arch/libsysmon.a")" gnu.lto_ \
	'the library is machine code, not a compiler'"'"'s notes'

# The tests have run in the first build.
umask 077
export DEB_BUILD_OPTIONS=nocheck TZ=Pacific/Chatham
build a/second-build
is "$(sums a/second-build)" "$(sums first)" 'a second build has the same bytes'
done_testing
