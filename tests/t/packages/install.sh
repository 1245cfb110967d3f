#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 8
# make dist, install, uninstall and help, in a copy of the tree, from the finished build: nothing is compiled.
# The completions in their shells.  (package.sh builds what make dist makes.)
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' "$TOP/NEWS")

# The tarball: made here, unpacked, made again from the unpacked tree.
copy_tree
make_ok 'make dist' dist
tarball=$TMP/copy/dist/sysmon-tools-$version.tar.gz
tar -x -C "$TMP" -f "$tarball"
cd "$TMP/sysmon-tools-$version" || exit 2
make_ok 'make dist outside git' dist
ok 'gives the same bytes' cmp "$tarball" "dist/sysmon-tools-$version.tar.gz"

cd "$TMP/copy" || exit 2
mkdir build
ln -s "$BUILD" build/finished
tools=()
for f in */opts.c; do
	t=${f%/*}
	if [ -x "$BUILD/bin/$t" ]; then
		tools+=("$t")
	else
		skip "$t is not built here"
	fi
done
# -o all: all is there, whatever the compiler and the flags were.
installation=(-o all VARIANT=finished TOOLS="${tools[*]}" PREFIX=/usr)

dest=$TMP/dest
make_ok 'make install' install "${installation[@]}" DESTDIR="$dest"
is "$(grep -cE '^(CC|LD|AR) ' "$TMP/log")" 0 'compiles nothing'
for t in "${tools[@]}"; do
	run "$dest/usr/bin/$t" --version
	like "$status $out" "^0 $t .*$version" "the installed $t runs"
	ok "installs the schema of $t" cmp "$BUILD/schema/$t.schema.json" "$dest/usr/share/sysmon/$t.schema.json"
done
# Prints the links of the installed documents that lead nowhere.
broken_links() {
	local link
	cd "$dest/usr/share/doc/sysmon-tools" || return
	grep -ohE '\]\([^():#]+[)#]' ./*.md | sed 's/^](//; s/[)#]$//' | sort -u | while read -r link; do
		[ -e "$link" ] || echo "$link"
	done
}
is "$(broken_links)" '' 'the links of the installed documents lead to installed files'
like "$(cat "$dest/usr/share/doc/sysmon-tools/README.md")" '!\[[^]]*\]\(doc/pictures/hero\.svg\)' 'the installed README has its pictures'
needed() { readelf -dW "$dest/usr/bin/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; } # TOOL
for t in "${tools[@]}"; do
	unlike "$(needed "$t")" 'ncurses|tinfo|kmod' "$t starts without ncurses and libkmod"
done
plain=$(grep -c -- ' -fPIE -O2 -g ' "$BUILD/flags")
for t in "${tools[@]}"; do
	if [ "$plain" = 0 ]; then
		skip "$t: it was built with own flags" 2
		continue
	fi
	headers=$(readelf -hldW "$dest/usr/bin/$t")
	like "$headers" 'Type: +DYN .*GNU_RELRO.*NOW' "$t is hardened: its addresses vary, its tables are read-only"
	unlike "$headers" 'RWE' "$t: no memory can be both written and executed"
done
for t in $(sed -n 's/^SBIN_TOOLS += //p' */tool.mk); do
	[[ " ${tools[*]} " == *" $t "* ]] || continue
	is "$(readlink "$dest/usr/sbin/$t")" "../bin/$t" "the old path of $t"
	run "$dest/usr/sbin/$t" --version
	like "$status $out" "^0 $t " 'works'
done
for f in lib/libsysmon.a lib/pkgconfig/sysmon.pc include/sysmon/sysmon.h; do
	ok "installs $f" test -s "$dest/usr/$f"
done
for page in man/*.[1-9]; do
	t=${page##*/} t=${t%.*}
	[ -e "$page" ] && { [ ! -e "$t/opts.c" ] || [[ " ${tools[*]} " == *" $t "* ]]; } || continue
	ok "installs $page" cmp "$page" "$dest/usr/share/man/man${page##*.}/${page##*/}"
done

if have_cmd pkg-config; then
	is "$(PKG_CONFIG_LIBDIR=$dest/usr/lib/pkgconfig pkg-config --modversion sysmon)" \
		"$version" 'pkg-config knows it'
else
	skip 'needs pkg-config, which is not installed'
fi

# Each shell loads the completion and can then complete the tool.
shell_knows() { # TOOL SHELL NAME OPTIONS-AND-COMMAND...
	local tool=$1 name="$1: $3"
	if ! have_cmd "$2"; then
		skip "$1: needs $2, which is not installed"
		return
	fi
	set -- "$2" "${@:4}"
	run "$@"
	like "$status $err $out" "^0  .*$tool" "$name"
}
share=$dest/usr/share
completions() { # TOOL
	local f=$share/fish/vendor_completions.d/$1.fish
	shell_knows "$1" bash 'bash loads the completion' --norc -c \
		". $share/bash-completion/completions/$1 && complete -p $1"
	if "$dest/usr/bin/$1" --help | grep -q '^Usage: .*-- COMMAND'; then
		run bash --norc -c ". $share/bash-completion/completions/$1
			COMP_WORDS=($1 1 -- mkfif) COMP_CWORD=3; _${1//-/_}; printf '%s\n' \"\${COMPREPLY[@]}\""
		like "$out" '^mkfifo' "$1: bash completes the command after --"
	fi
	shell_knows "$1" zsh 'zsh loads the completion' -f -c "
		fpath=($share/zsh/vendor-completions \$fpath)
		autoload -Uz compinit && compinit -u -d $TMP/zcompdump && echo $1 \$_comps[$1] &&
		autoload +X -Uz _$1 && [[ \$_comps[$1] = _$1 ]]"
	shell_knows "$1" fish 'fish loads the completion' --no-config -c \
		"source $f; and complete -C '$1 --vers'; and echo $1"
	if have_cmd fish; then
		run env HOME="$TMP" fish --no-config -c "source $f; complete -C '$1 --vers'"
		like "$out" '--version' "$1: fish completes --version"
	else
		skip "$1: needs fish, which is not installed"
	fi
}
for t in "${tools[@]}"; do completions "$t"; done

touch "$dest/usr/bin/neighbour"
make_ok 'make uninstall' uninstall "${installation[@]}" DESTDIR="$dest"
is "$(cd "$dest" && find . ! -type d)" ./usr/bin/neighbour 'leaves only files of others'
is "$(find "$dest" -type d -name '*sysmon*')" '' 'and none of its directories'
make_ok 'install and uninstall under another PREFIX' install uninstall \
	"${installation[@]}" DESTDIR="$dest" PREFIX=/opt/a -j1
is "$(find "$dest/opt" ! -type d)" '' 'leave nothing either'

make_ok 'install into one directory' install "${installation[@]}" DESTDIR="$TMP/one" SBINDIR=/usr/bin
is "$(find "$TMP/one" -type l)" '' 'makes no link'
mkdir -p "$TMP/merged/usr/bin"
ln -s bin "$TMP/merged/usr/sbin"
make_ok 'install where /usr/sbin is /usr/bin' install "${installation[@]}" DESTDIR="$TMP/merged"
is "$(find "$TMP/merged" -type l)" "$TMP/merged/usr/sbin" 'makes none either'

# Each target in `make help` exists, and each target is in `make help`.
make help | sed -n 's/^make \([a-z-]*\) .*/\1/p' | sort -u >"$TMP/listed"
ok 'make help lists targets' grep -qx check "$TMP/listed"
sed -n ':a;/\\$/{N;s/\\\n//;ba};s/^\.PHONY: *//p' Makefile tools/*.mk tests/*.mk tests/vm/*.mk bench/*.mk */tool.mk |
	tr -s ' \t' '\n' | grep -vE '^(\$|all$|FORE?CE$|.*-run$|compile-|test-programs$|no-screens$|(native-)?generators$|need-check$)' |
	sort -u >"$TMP/phony"
is "$(grep -vxF -e core-run -f "$TMP/phony" "$TMP/listed")" '' 'all of them exist'
is "$(grep -vxF -f "$TMP/listed" "$TMP/phony")" '' 'and none is missing'
done_testing
