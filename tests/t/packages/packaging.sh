#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 600
# The descriptions of packages in packaging/: rpmbuild and makepkg build packages of the tarball, rpmlint reports
# nothing, and the functions of APKBUILD divide an installation.  Each tool has a package of its own in all of them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make gcc
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' "$TOP/NEWS")
copy_tree
mapfile -t tools < <(printf '%s\n' */opts.c | sed 's,/.*,,')
make_ok 'make dist' dist
tarball=$PWD/dist/sysmon-tools-$version.tar.gz

# The files of a tool, except manual pages.
tool_files() { # TOOL
	printf '/usr/%s\n' "bin/$1" "share/bash-completion/completions/$1" "share/fish/vendor_completions.d/$1.fish" \
		"share/sysmon/$1.schema.json" "share/zsh/site-functions/_$1"
}
pages() { # TOOL
	local page
	page=$(printf '%s\n' "man/$1".[18])
	printf '/usr/share/man/%s\n' "man5/$1.5" "man${page##*.}/$1.${page##*.}"
}
links() { ! grep -qs "^SBIN_TOOLS.* $1\$" "$1/tool.mk" || echo "/usr/sbin/$1"; } # TOOL

# --- rpm ---

rpm_files() { rpm -qpl "$1" | grep -vE '^/usr/share/(licenses|doc)/|^/usr/share/sysmon$|/\.build-id' | sed 's/\.gz$//' | sort; }
if have_cmd rpmbuild; then
	# Fedora compresses manual pages and strips programs at the end of each build; Debian's sh cannot run the scripts.
	# shellcheck disable=SC2016 # variables of rpmbuild
	finish='bash /usr/lib/rpm/brp-compress && find "$RPM_BUILD_ROOT" -type f -path "*bin/*" -exec strip {} +'
	if rpmbuild -bb --nodeps --nocheck --define "__os_install_post $finish" --define "_topdir $TMP/rpm" \
		--define "_sourcedir $PWD/dist" packaging/sysmon-tools.spec >"$TMP/log" 2>&1; then
		pass 'rpmbuild'
	else
		fail 'rpmbuild' "$(tail -n 30 "$TMP/log")"
	fi
	for t in "${tools[@]}"; do
		file=$(printf '%s\n' "$TMP"/rpm/RPMS/*/sysmon-"$t"-"$version"*.rpm)
		is "$(rpm_files "$file")" "$({ tool_files "$t"; pages "$t"; links "$t"; } | sort)" "rpm: files of sysmon-$t"
		like "$(rpm -qp --provides "$file")" "(^|"$'\n'")$t = $version" "rpm: it provides $t"
		like "$(rpm -qp --requires "$TMP"/rpm/RPMS/*/sysmon-tools-"$version"*.rpm)" "sysmon-$t = " "rpm: the metapackage requires it"
	done
	like "$(rpm_files "$TMP"/rpm/RPMS/*/sysmon-tools-devel-*.rpm)" 'libsysmon\.a' 'rpm: the library'
	is "$(rpm_files "$TMP"/rpm/RPMS/*/sysmon-common-*.rpm)" /usr/share/man/man7/sysmon.7 'rpm: the common page'
else
	skip 'needs rpmbuild'
fi
if have_cmd rpmlint && have_cmd rpmbuild; then
	run rpmlint -c packaging/rpmlint.toml packaging/sysmon-tools.spec "$TMP"/rpm/RPMS/*/*.rpm
	like "$out" ' 0 errors, 0 warnings' 'rpmlint reports nothing' || diag "$out$err"
else
	skip 'needs rpmlint'
fi

# --- PKGBUILD and APKBUILD ---

is "$(shellcheck packaging/PKGBUILD packaging/APKBUILD 2>&1)" '' 'shellcheck reports nothing'
arch=$TMP/arch
mkdir "$arch"
cp packaging/PKGBUILD "$tarball" "$arch"
user=()
[ "$(id -u)" != 0 ] || { user=(setpriv --reuid=65534 --regid=65534 --clear-groups env "HOME=$arch") && chown -R 65534:65534 "$arch"; }
if have_cmd makepkg && have_cmd fakeroot; then
	if (cd "$arch" && "${user[@]}" env PACMAN=true CCACHE_DISABLE=1 makepkg --nodeps --nocheck --noconfirm PKGEXT=.pkg.tar.gz) >"$TMP/log" 2>&1; then
		pass 'makepkg'
	else
		fail 'makepkg' "$(tail -n 30 "$TMP/log")"
	fi
	arch_files() { tar -tzf "$1" | grep -vE '/$|^\.|^usr/share/(licenses|doc)/' | sed 's,^,/,; s/\.gz$//' | sort; } # FILE
	[ -e "$arch/libsysmon-$version-1-$(uname -m).pkg.tar.gz" ] || done_testing
	for t in "${tools[@]}"; do
		file=$(printf '%s\n' "$arch"/sysmon-"$t"-"$version"-*.pkg.tar.gz)
		is "$(arch_files "$file")" "$({ tool_files "$t"; pages "$t"; } | sort)" "PKGBUILD: files of sysmon-$t"
		like "$(tar -xOzf "$file" .PKGINFO)" "provides = $t=$version" "PKGBUILD: it provides $t"
	done
	like "$(arch_files "$arch"/libsysmon-*.pkg.tar.gz)" 'libsysmon\.a' 'PKGBUILD: the library'
	like "$(tar -xOzf "$arch"/sysmon-common-*.pkg.tar.gz .PKGINFO)" 'arch = any' 'PKGBUILD: the documents'
else
	skip 'needs makepkg and fakeroot'
fi

# As abuild does it: build and package in the folder of the sources, then a function for each package.
apk=$TMP/apk
mkdir "$apk"
[ -d "$arch/src/sysmon-tools-$version/build" ] && mv "$arch/src/sysmon-tools-$version" "$apk" || tar -xzf "$tarball" -C "$apk"
cat >"$apk/abuild" <<'END'
set -eu
depends='' _split='' pkgdir=$2/pkg
. "$1"
cd "$2/$pkgname-$pkgver"
build
package
amove() {
	for f; do
		mkdir -p "$subpkgdir/${f%/*}"
		mv "$pkgdir/$f" "$subpkgdir/$f"
	done
}
echo "version $pkgver"
for p in $subpackages; do
	case $p in *:*) ;; *) continue ;; esac
	subpkgname=${p%%:*} subpkgdir=$2/${p%%:*}
	(${p#*:} && echo "$subpkgname $provides")
done
echo "depends $depends"
END
run sh "$apk/abuild" "$TMP/copy/packaging/APKBUILD" "$apk"
expect_exit 0 'APKBUILD: all functions work'
like "$out" "version $version" 'APKBUILD: the version'
for t in "${tools[@]}"; do
	is "$(cd "$apk/sysmon-$t" && find . ! -type d | sed 's,^\.,,' | sort)" "$(tool_files "$t" | sort)" "APKBUILD: files of sysmon-$t"
	like "$out" "sysmon-$t $t=$version" "APKBUILD: it provides $t"
	like "$out" "depends .*sysmon-$t=$version" "APKBUILD: the metapackage depends on it"
done
is "$(cd "$apk/pkg" && find . ! -type d | grep -vE '^\./usr/(share/(man|doc)|include|lib)/')" '' \
	'APKBUILD: what remains belongs to -doc and -dev'
done_testing
