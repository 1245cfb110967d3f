#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# With capabilities of its file, or as a set-user-ID program, pagemon shows the state of the pages of every process,
# but the bytes only of those whose memory the caller may read without it, and it writes to no others.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
. "$TOP/tests/lib/tui.sh"
need_cmd setcap setpriv pgrep
need_cap setuid setgid setfcap
trap 'tui_close; umount -l "$TMP/caps" 2>/dev/null; tap_cleanup' EXIT
chmod 755 "$TMP"
mkdir "$TMP/caps"
mount -t tmpfs -o mode=755 tmpfs "$TMP/caps" 2>"$TMP/why" || skip_all "needs mount(2): $(cat "$TMP/why")"
user=(setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all)
recipe=$(sed -n 's/^setcap \(cap_[^ ]*\) .*/\1/p' "$TOP/man/pagemon.8")
for copy in recipe override suid; do cp "$PAGEMON" "$TMP/caps/$copy" && chmod 755 "$TMP/caps/$copy"; done
setcap "$recipe" "$TMP/caps/recipe" || skip_all 'capabilities cannot be given to a file'
setcap cap_sys_ptrace,cap_dac_override=ep "$TMP/caps/override"
chmod 4755 "$TMP/caps/suid"

is_now() { [ "$(cat "/proc/$1/comm") $(stat -c %u "/proc/$1/maps")" = "$2" ]; } # PID "COMM UID"
bg sleep 1000
roots=$bg_pid
bg "${user[@]}" sleep 1000
own=$bg_pid
wait_for is_now "$roots" "sleep 0"
wait_for is_now "$own" "sleep 4242"

# Yama (ptrace_scope) may refuse a user the memory of processes that are not his descendants.
"${user[@]}" bash -c ": <'/proc/$own/mem'" 2>"$TMP/why" || skip_all "a user may not read his own process's memory: $(tail -n 1 "$TMP/why")"

tui_open 130 30
shell=$(tui_tmux display-message -p '#{pane_pid}')
start() { # COPY PID [OPTION...]
	tui_type "clear; ${user[*]} $TMP/caps/$1 ${*:3} $2; echo STATUS''=\$?"
	tui_see "^Pagemon .* PID +$2 " || fail "$1: the screen" "$(tui_screen)"
}
quit() {
	tui_keys q
	tui_see 'STATUS=0$'
}
# PID: which of its two files pagemon has open
files() {
	local tool
	tool=$(pgrep -P "$shell")
	find "/proc/$tool/fd" -printf '%l\n' | sed -n "s,^/proc/$1/\(mem\|clear_refs\)\$,\1,p" | sort | tr '\n' ' '
}
elf='7f 45 4c 46'
refusal() { echo "^the mem of process $1: Permission denied; only the calling user's own permissions count *\$"; } # PID
for copy in recipe override suid; do
	start "$copy" "$roots"
	ok "$copy: pages of root's process" tui_see '^[0-9a-f]{16} [PM]'
	is "$(files "$roots")" '' "$copy: neither mem nor clear_refs of root's process is open"
	tui_keys Enter
	ok "$copy: the hex view says why it is empty" tui_see "$(refusal "$roots")"
	ok "$copy: no byte is shown" tui_differs "$elf"
	quit
	start "$copy" "$own"
	is "$(files "$own")" '' "$copy: nor are those of the caller's process, before their first use"
	tui_keys Enter
	ok "$copy: bytes of the caller's process" tui_see "$elf"
	is "$(files "$own")" 'mem ' "$copy: mem of the caller's process is open"
	quit
	run "${user[@]}" "$TMP/caps/$copy" -r "$roots"
	is "$status $err" "4 pagemon: -r: the mem of process $roots: Permission denied; only the calling user's own permissions count" "$copy: -r is refused"
	run "${user[@]}" "$TMP/caps/$copy" -r "$own"
	is "$status $err" '0 ' "$copy: -r of the caller's process"
	run "${user[@]}" "$TMP/caps/$copy" -D "$roots"
	if [ "$status" = 3 ]; then
		skip "-D: ${err#pagemon: }" 5
		continue
	fi
	is "$status $err" "4 pagemon: -D: the clear_refs of process $roots: Permission denied; only the calling user's own permissions count" "$copy: -D is refused"
	run "${user[@]}" "$TMP/caps/$copy" -D "$own"
	is "$status $err" '0 ' "$copy: -D of the caller's process"
	tui_type "clear; ${user[*]} $TMP/caps/$copy -t 5 $roots; echo STATUS''=\$?"
	ok "$copy: -t on the screen is refused" tui_see 'STATUS=4$'
	ok "$copy: -t: the reason" tui_see "-t: the clear_refs of process $roots: Permission denied"
	start "$copy" "$roots"
	tui_keys d
	ok "$copy: the key d says that it clears nothing" tui_see "the clear_refs of process $roots: Permission denied"
	quit
done

# A program that the caller's process executes later: the files are opened by the process that keeps the rights.
cp /bin/sleep "$TMP/caps/sleep"
cp /bin/sleep "$TMP/caps/roots"
chmod 4755 "$TMP/caps/roots"
mkfifo -m 666 "$TMP/go"
follow() { # PROGRAM
	bg "${user[@]}" bash -c "read -r _ <$TMP/go; exec $TMP/caps/$1 1000"
	wait_for is_now "$bg_pid" "bash 4242"
	start recipe "$bg_pid"
	tui_keys Enter
	tui_see "$elf" || fail "$1: before the exec" "$(tui_screen)"
	echo >"$TMP/go"
}
follow sleep
ok 'exec: it is told' tui_see "process $bg_pid has executed another program"
# The first mappings of an exec can be the stack alone.  Each try toggles the hex view once, so that every second one
# ends in it, whatever became of earlier keys.
first_bytes() {
	tui_keys Home Enter
	tui_see "$elf" 4
}
tui_keys Enter
ok 'exec: bytes of the new program' wait_for first_bytes
is "$(files "$bg_pid")" 'mem ' 'exec: mem is open'
quit
follow roots
ok 'exec of a set-user-ID program: the hex view says why it is empty' tui_see "$(refusal "$bg_pid")"
is "$(files "$bg_pid")" '' 'exec of a set-user-ID program: mem is not open'
quit

# Root itself, with sudo(8) or without, is not meant.
tui_type "clear; SUDO_UID=4242 SUDO_GID=4242 $TMP/caps/recipe $own; echo STATUS''=\$?"
tui_see "^Pagemon .* PID +$own "
tui_keys Enter
ok 'sudo: bytes' tui_see "$elf"
quit
done_testing
