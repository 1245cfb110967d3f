#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 8
# make install and uninstall neither overwrite nor remove a file of a package.  Nothing is compiled: what the
# build directory has is installed; the packages are those of a database of the test's own.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
need_cmd make
unset MAKEFLAGS MFLAGS MAKELEVEL VARIANT CC CFLAGS CPPFLAGS LDFLAGS DESTDIR PREFIX
make_it() { # ARGUMENTS...
	run make -s -C "$TOP" VARIANT="${BUILD##*/}" -o all "$@"
}
owned() { run sh "$TOP/tools/owned.sh" "$@"; }

mkdir -p "$TMP/empty/info" "$TMP/empty/updates" "$TMP/bin" "$TMP/dest/usr/bin" "$TMP/dest/usr/share/man/man8"
: >"$TMP/empty/status"
export DPKG_ADMINDIR=$TMP/empty
dest=$TMP/dest
theirs=$dest/usr/bin/cpustat
page=$dest/usr/share/man/man8/pagemon.8
listing() { (cd "$dest" && find . -printf '%p %l %m\n' -type f -exec cat {} + | LC_ALL=C sort | sha256sum); }

# --- the default ----------------------------------------------------------------------

make_it install DESTDIR="$TMP/plain"
is "$status $err" '0 ' 'make install'
is "$(cd "$TMP/plain" && find . ! -type d ! -path './usr/local/*')" '' 'all is below /usr/local'
for tool in "$TOP"/*/opts.c; do
	tool=${tool%/opts.c} tool=${tool##*/}
	[ -x "$BUILD/bin/$tool" ] || continue
	ok "$tool" test -x "$TMP/plain/usr/local/bin/$tool"
	ok "$tool: zsh" test -s "$TMP/plain/usr/local/share/zsh/site-functions/_$tool"
done
old='/usr/(bin/(cpustat|forkstat|pagemon|powerstat|eventstat)|share/(sysmon|doc))\>'
is "$(cd "$TMP/plain/usr/local/share" && grep -rnE "$old" man doc/sysmon-tools/examples/*.service)" '' 'pages and units name the files where they are'
make_it install DESTDIR="$TMP/plain"
is "$status $err" '0 ' 'it can be repeated'
make_it uninstall DESTDIR="$TMP/plain"
is "$status $(find "$TMP/plain" ! -type d)" '0 ' 'make uninstall removes it'

# --- packages of dpkg -----------------------------------------------------------------

package() { # NAME FILE...: of dpkg's database, which then is DPKG_ADMINDIR
	local dir=$TMP/dpkg
	mkdir -p "$dir/info" "$dir/updates"
	printf 'Package: %s\nStatus: install ok installed\nMaintainer: x\nArchitecture: all\nVersion: 1\nDescription: x\n\n' "$1" >>"$dir/status"
	printf '%s\n' "${@:2}" >"$dir/info/$1.list"
	export DPKG_ADMINDIR=$dir
}
remedy='Nothing was installed. Install elsewhere (the default is PREFIX=/usr/local), or remove the package first.'
refuses() { # NAME FILES-AND-PACKAGES MAKE-ARGUMENT...: "FILE PACKAGE", a line each
	local before want
	# shellcheck disable=SC2001 # of each line
	want=$(sed 's/^\([^ ]*\) \(.*\)/make install: \1 belongs to the package \2/' <<<"$2")
	before=$(listing)
	make_it "${@:3}"
	like "$status" '^[1-9]' "$1: make fails"
	is "${err%%$'\n'make: *}" "$want"$'\n'"$remedy" "$1: it says whose the file is, and what to do"
	is "$(listing)" "$before" "$1: nothing is written"
}

if have_cmd dpkg-query; then
	echo theirs | tee "$theirs" >"$page"
	package their-cpustat /. /usr "$theirs" "$dest/usr/share/man/man8/pagemon.8.gz"
	refuses 'a program' "$theirs their-cpustat" install PREFIX=/usr DESTDIR="$dest"
	ln -s usr "$dest/link"
	refuses 'through a link' "$dest/link/bin/cpustat their-cpustat" install PREFIX=/link DESTDIR="$dest"
	rm "$dest/link"
	mkdir "$dest/far"
	ln -s ../usr/bin "$dest/far/bin"
	refuses 'only the programs' "$dest/far/bin/cpustat their-cpustat" install PREFIX=/far DESTDIR="$dest"
	rm -r "$dest/far"
	make_it install-docs PREFIX=/usr DESTDIR="$dest"
	is "$status $err" '0 ' 'documents beside it can be installed'
	echo theirs >"$page"
	package their-pages "$page"
	refuses 'two files' "$theirs their-cpustat"$'\n'"$page their-pages" install PREFIX=/usr DESTDIR="$dest"
	refuses 'a page' "$page their-pages" install-docs PREFIX=/usr DESTDIR="$dest"
	make_it install PREFIX=/usr/local DESTDIR="$dest"
	is "$status $err" '0 ' 'installed beside it'
	cp "$dest/usr/local/bin/forkstat" "$dest/usr/bin/"
	make_it uninstall PREFIX=/usr DESTDIR="$dest"
	is "$status $err" "0 make uninstall: $theirs is left: it belongs to a package
make uninstall: $page is left: it belongs to a package" 'uninstall leaves the files of packages'
	is "$(cat "$theirs" "$page")" $'theirs\ntheirs' 'as they were'
	is "$(cd "$dest/usr" && find bin share ! -type d)" $'bin/cpustat\nshare/man/man8/pagemon.8' 'and removes the others'

	export DPKG_ADMINDIR=$TMP/empty
	make_it install PREFIX=/usr DESTDIR="$dest"
	is "$status $err" '0 ' 'a file that no package owns is replaced'
	ok 'it is the program' cmp "$BUILD/bin/cpustat" "$theirs"
	if [ /bin -ef /usr/bin ]; then
		package their-sh /bin/sh
		owned refuse /usr/bin/sh
		like "$status $err" '^1 make install: /usr/bin/sh belongs to the package their-sh' 'a package has /bin/NAME, the file is /usr/bin/NAME'
	else
		skip '/bin is not /usr/bin'
	fi
else
	skip 'needs dpkg-query, which is not installed' 23
fi

# --- other package managers, as programs that answer as these do -----------------------

export DPKG_ADMINDIR=$TMP/empty
answers() { # PROGRAM ARGUMENTS ANSWER: asked with these arguments for the file, the program gives this answer
	rm -f "$TMP/bin/"*
	printf '%s\n' '#!/bin/sh' "[ \"\$*\" = '$2 $theirs' ] || exit 1" "echo '$3'" >"$TMP/bin/$1"
	chmod 755 "$TMP/bin/$1"
	PATH=$TMP/bin:$PATH owned refuse "$dest/usr/bin/forkstat" "$theirs"
	is "$status $err" "1 make install: $theirs belongs to the package $4"$'\n'"$remedy" "$1: refused"
	PATH=$TMP/bin:$PATH owned refuse "$dest/usr/bin/forkstat"
	is "$status $err" '0 ' "$1: another file"
	PATH=$TMP/bin:$PATH owned remove "$theirs" "$dest/nowhere"
	ok "$1: not removed" test -e "$theirs"
}
echo theirs >"$theirs"
answers rpm '-qf --qf %{NAME}\n --' cpustat cpustat
answers apk 'info --who-owns' "$theirs is owned by cpustat-0.02-r1" cpustat-0.02-r1
answers pacman '-Qoq --' cpustat cpustat
owned remove "$theirs"
is "$status $err" '0 ' 'without a package: removed'
ok 'it is gone' test ! -e "$theirs"
done_testing
