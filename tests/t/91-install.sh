#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 200
# make dist, install, uninstall, static and help, in a copy of the tree; the completions in
# their shells.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_cmd make gcc
unset MAKEFLAGS MFLAGS MAKELEVEL VARIANT CC CFLAGS CPPFLAGS LDFLAGS DESTDIR PREFIX
jobs=-j$(nproc)
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' "$TOP/NEWS")

make_ok() { # NAME MAKE-ARGUMENTS...
	local name=$1
	shift
	if make "$jobs" "$@" >"$TMP/log" 2>&1; then
		pass "$name"
	else
		fail "$name" "$(tail -n 30 "$TMP/log")"
	fi
}

# The tarball: made here, unpacked, made again from the unpacked tree.  The tree itself may
# not be ours to write to, so dist/ is a copy's.
mkdir "$TMP/copy"
(cd "$TOP" && tar -c --exclude=./build --exclude=./dist .) | tar -x -C "$TMP/copy"
cd "$TMP/copy" || exit 2
make_ok 'make dist' dist
tarball=$TMP/copy/dist/sysmon-tools-$version.tar.gz
tar -x -C "$TMP" -f "$tarball"
cd "$TMP/sysmon-tools-$version" || exit 2
make_ok 'the tarball builds' all
make_ok 'make dist outside git' dist
ok 'gives the same bytes' cmp "$tarball" "dist/sysmon-tools-$version.tar.gz"

dest=$TMP/dest
make_ok 'make install' install DESTDIR="$dest"
run "$dest/usr/bin/forkstat" --version
like "$status $out" "^0 forkstat .*$version" 'the installed program runs'
for f in lib/libsysmon.a lib/pkgconfig/sysmon.pc include/sysmon/sysmon.h; do
	ok "installs $f" test -s "$dest/usr/$f"
done
for page in man/*.[1-9]; do
	[ -e "$page" ] || continue
	ok "installs $page" cmp "$page" "$dest/usr/share/man/man${page##*.}/${page##*/}"
done

cat >"$TMP/use.c" <<'END'
#include <sysmon/sysmon.h>
int main(void)
{
	struct sm_buf b = {0};
	sm_buf_str(&b, "x");
	return b.len != 1;
}
END
ok 'a program builds against it' gcc -D_GNU_SOURCE -std=gnu11 -Wall -Werror -o "$TMP/use" \
	"$TMP/use.c" -I"$dest/usr/include" -L"$dest/usr/lib" -lsysmon -lm
ok 'and runs' "$TMP/use"
if have_cmd pkg-config; then
	is "$(PKG_CONFIG_LIBDIR=$dest/usr/lib/pkgconfig pkg-config --modversion sysmon)" \
		"$version" 'pkg-config knows it'
else
	skip 'needs pkg-config, which is not installed'
fi

# Each shell takes the completion and knows then how to complete forkstat.
shell_knows() { # SHELL NAME OPTIONS-AND-COMMAND...
	local name=$2
	if ! have_cmd "$1"; then
		skip "needs $1, which is not installed"
		return
	fi
	set -- "$1" "${@:3}"
	run "$@"
	like "$status $err $out" '^0  .*forkstat' "$name"
}
share=$dest/usr/share
shell_knows bash 'bash loads the completion' --norc -c \
	". $share/bash-completion/completions/forkstat && complete -p forkstat"
shell_knows zsh 'zsh loads the completion' -f -c "fpath=($share/zsh/vendor-completions \$fpath)
	autoload -Uz compinit && compinit -u -d $TMP/zcompdump && echo forkstat \$_comps[forkstat] &&
	autoload +X -Uz _forkstat && [[ \$_comps[forkstat] = _forkstat ]]"
shell_knows fish 'fish loads the completion' --no-config -c \
	"source $share/fish/vendor_completions.d/forkstat.fish; and complete -C 'forkstat --vers'
	and echo forkstat"
if have_cmd fish; then
	run env HOME="$TMP" fish --no-config -c \
		"source $share/fish/vendor_completions.d/forkstat.fish; complete -C 'forkstat --vers'"
	like "$out" '--version' 'fish completes --version'
else
	skip 'needs fish, which is not installed'
fi

touch "$dest/usr/bin/neighbour"
make_ok 'make uninstall' uninstall DESTDIR="$dest"
is "$(cd "$dest" && find . ! -type d)" ./usr/bin/neighbour 'leaves nothing but what was there'
is "$(find "$dest" -type d -name '*sysmon*')" '' 'and none of its directories'
make_ok 'install and uninstall under another PREFIX' install uninstall \
	DESTDIR="$dest" PREFIX=/opt/a -j1
is "$(find "$dest/opt" ! -type d)" '' 'leave nothing either'

make_ok 'make static' static
run build/static/bin/forkstat --version
like "$status $out" "^0 forkstat .*$version" 'the static program runs'
unlike "$(readelf -lW build/static/bin/forkstat)" INTERP 'it needs no loader'

# What `make help` lists exists, and the other way round.
make help | sed -n 's/^make \([a-z-]*\) .*/\1/p' | sort -u >"$TMP/listed"
ok 'make help lists targets' grep -qx check "$TMP/listed"
sed -n ':a;/\\$/{N;s/\\\n//;ba};s/^\.PHONY: *//p' Makefile tools/*.mk tests/*.mk bench/*.mk |
	tr -s ' \t' '\n' | grep -vE '^(\$|all$|FORE?CE$|.*-run$|compile-|test-programs$)' |
	sort -u >"$TMP/phony"
is "$(grep -vxF -e core-run -f "$TMP/phony" "$TMP/listed")" '' 'all of them exist'
is "$(grep -vxF -f "$TMP/listed" "$TMP/phony")" '' 'and none is missing'
done_testing
