#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 5
# make dist gives the same bytes from another folder, with another umask, time zone, locale, file times, modes and
# environment, and after a build.  (install.sh makes it from the unpacked tarball, outside git.)
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make
sum() { sha256sum <"$(printf '%s\n' dist/*.tar.gz)"; } # of the tarball here

copy_tree
make_ok 'make dist' dist
first=$(sum)
tarball=$(printf '%s\n' "$PWD"/dist/*.tar.gz)
is "$(tar --utc -tvzf "$tarball" | awk '{ print $2, $4, $5 }' | sort -u)" \
	"0/0 $(date -u -d "$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" '+%F %H:%M')" \
	'owner and time of its files are those of the release'
is "$(tar -tvzf "$tarball" | awk '{ print $1 }' | sort -u)" $'-rw-r--r--\n-rwxr-xr-x' 'modes of its files'

cp -r "$TMP/copy" "$TMP/a second copy" && cd "$TMP/a second copy" || exit 2
mkdir -p build/default/obj
echo object >build/default/obj/main.o
echo '[]' >compile_commands.json
find . -exec touch -h -d 2001-02-03 {} +
chmod -R go-rwx .
umask 077
again() { env TZ=Pacific/Chatham LC_ALL="$1" LANG="$1" GZIP=--rsyncable TAR_OPTIONS=--owner=7 make -s dist >"$TMP/log" 2>&1; } # LOCALE
for locale in C C.UTF-8 en_US.UTF-8; do
	rm -r dist
	again "$locale"
	is "$(sum)" "$first" "another copy, $locale: the same bytes"
done
rm -rf .git dist
again C
is "$(sum)" "$first" 'and outside git'
done_testing
