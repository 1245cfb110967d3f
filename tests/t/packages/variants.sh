#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 300
# make static; builds without ncurses, in a copy of the tree.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make gcc script
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' "$TOP/NEWS")

copy_tree
mapfile -t tools < <(printf '%s\n' */opts.c | sed 's,/.*,,')

make_ok 'make static' static
for t in "${tools[@]}"; do
	run "build/static/bin/$t" --version
	like "$status $out" "^0 $t .*$version" "the static $t runs"
	unlike "$(readelf -lW "build/static/bin/$t")" INTERP "$t needs no loader"
done
# Another C library than its own could be loaded with the modules that /etc/nsswitch.conf names.
if have_cmd strace && strace -o /dev/null true 2>/dev/null; then
	run strace -o "$TMP/trace" -e trace=openat,open build/static/bin/cpustat -u no-such-user
	like "$status $err" "^2 cpustat: .*unknown user 'no-such-user'" 'the static cpustat: an unknown user'
	like "$(cat "$TMP/trace")" /etc/passwd 'it reads /etc/passwd'
	unlike "$(cat "$TMP/trace")" '\.so' 'and loads no library'
else
	skip 'needs strace and permission to trace' 3
fi

# Without the library ncursesw all tools have their screens, as they open it at run time, except static
# programs.  Without its header the screens answer with a message, and everything else works.
cat >"$TMP/no-curses" <<'END'
#!/bin/sh
exec gcc -Dinitscr=no_such_function_here "$@"
END
cat >"$TMP/no-header" <<'END'
#!/bin/sh
exec gcc -Dinitscr=@ "$@"
END
chmod 755 "$TMP/no-curses" "$TMP/no-header"
without='built without ncurses: install its header (Debian: libncurses-dev) and rebuild'
screen() { # VARIANT COMMAND: runs it on a terminal
	run env TERM=xterm script -qec "build/$1/bin/$2" /dev/null
	out=${out//$'\r'/}
}
builds() { # VARIANT COMPILER MAKE-ARGUMENT...
	make_ok "$1: builds" VARIANT="$1" CFLAGS=-O0 CC="$TMP/$2" "${@:3}" all
	is "$(ls "build/$1/bin")" "$(printf '%s\n' "${tools[@]}")" "$1: every tool is there"
}
no_screens() { # VARIANT COMPILER MAKE-ARGUMENT...
	builds "$@"
	like "$(cat "$TMP/log")" 'without screens .*libncurses-dev' "$1: make reports it"
	screen "$1" 'cpustat -X'
	is "$status $out" "1 cpustat: --tui: $without" "$1: cpustat -X"
	screen "$1" "pagemon $$"
	is "$status $out" "1 pagemon: $without; use -b to print rows" "$1: the screen of pagemon"
	run "build/$1/bin/cpustat" -n 3 0.1 1
	like "$status $out" '^0 .*%CPU' "$1: the table of cpustat"
	run "build/$1/bin/pagemon" -b $$
	like "$status $out" "^0 .*$$" "$1: the rows of pagemon"
}
builds no-curses no-curses
run build/no-curses/bin/cpustat -X
is "$status $err" '1 cpustat: --tui: standard output is not a terminal' 'no-curses: cpustat has a screen'
no_screens no-header no-header
no_screens no-curses-linked no-curses TUI_LINKED=yes
done_testing
