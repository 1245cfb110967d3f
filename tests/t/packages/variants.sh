#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 300
# make static; a build without ncurses, in a copy of the tree.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make gcc
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' "$TOP/NEWS")

copy_tree
mapfile -t tools < <(printf '%s\n' */opts.c | sed 's,/.*,,')

make_ok 'make static' static
for t in "${tools[@]}"; do
	if grep -q "left out.* $t" "$TMP/log" && [ ! -e "build/static/bin/$t" ]; then
		skip "$t: no static ncursesw here" 2
		continue
	fi
	run "build/static/bin/$t" --version
	like "$status $out" "^0 $t .*$version" "the static $t runs"
	unlike "$(readelf -lW "build/static/bin/$t")" INTERP "$t needs no loader"
done

# Without the library ncursesw everything is built, as the tools open it at run time, except static
# programs.  Without its header the tools that need it are left out and named.
cat >"$TMP/no-curses" <<'END'
#!/bin/sh
exec gcc -Dinitscr=no_such_function_here "$@"
END
cat >"$TMP/no-header" <<'END'
#!/bin/sh
exec gcc -Dinitscr=@ "$@"
END
chmod 755 "$TMP/no-curses" "$TMP/no-header"
make_ok 'no-curses: builds' VARIANT=no-curses CFLAGS=-O0 CC="$TMP/no-curses" all
all=$(printf '%s\n' */opts.c | sed 's,/.*,,')
is "$(ls build/no-curses/bin)" "$all" 'no-curses: every tool is there'
screens=$(grep -l TUI_LIBS ./*/tool.mk | cut -d/ -f2)
left_out() { # NAME COMPILER MAKE-ARGUMENT...
	make_ok "$1: builds" VARIANT="$1" CFLAGS=-O0 CC="$TMP/$2" "${@:3}" all
	is "$(sed -n 's/^left out: \(.*\) (.*/\1/p' "$TMP/log" | tr ' ' '\n' | sort)" "$screens" "$1: tools with a screen are named as left out"
	is "$(ls "build/$1/bin")" "$(grep -vxF "$screens" <<<"$all")" "$1: the others are built"
}
left_out no-header no-header
left_out no-curses-linked no-curses TUI_LINKED=yes
done_testing
