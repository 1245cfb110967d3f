#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# What cannot be watched is told for what it is, with the exit status of its kind.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"

refused() { # NAME CODE ERE ARGUMENT...: no rows, one message
	pm "${@:4}"
	like "$status|$out|$err" "^$2\\|\\|pagemon: $3\$" "$1"
}
refused 'no such process' 1 'no such process: 4194304' 4194304
refused 'no process of that name' 1 'no such process: no-such-name' no-such-name
if grep -qs '^Kthread:.1' /proc/2/status; then
	refused 'a kernel thread' 1 'process 2 is a kernel thread and has no memory of its own' 2
else
	skip 'process 2 is no kernel thread here'
fi

# In a PID namespace, because an option of the machine's /proc would change it for all users.
if have_cap sys_admin && have_cmd unshare && unshare -fpm --mount-proc true 2>/dev/null; then
	cp "$PAGEMON" "$TMP/pagemon"
	# shellcheck disable=SC2016
	run unshare -fpm --mount-proc sh -c 'cd "$0" && mount -t proc -o hidepid=2 proc /proc &&
		setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all ./pagemon -b 1; exit' "$TMP"
	is "$status$out $err" '1 pagemon: no such process: 1; /proc may hide it (hidepid): run pagemon as root' 'a process that /proc hides'
else
	skip 'hidepid: needs CAP_SYS_ADMIN and a PID namespace'
fi

# Its parent never waits for it: it ends when that is a sleep, and no shell any more.
# shellcheck disable=SC2016
bg bash -c '{ until [ "$(cat /proc/$$/comm)" = sleep ]; do :; done; } & exec sleep 100'
has_zombie() { zombie=$(pgrep -P "$bg_pid") && grep -q '^State:.Z' "/proc/$zombie/status"; }
wait_for has_zombie
refused 'a zombie' 1 "process $zombie is a zombie: it has exited, but its parent has not reaped it" "$zombie"

# A process without mappings, in another tree
mkdir -p "$TMP/tree/proc/17" "$TMP/tree/sys"
: >"$TMP/tree/proc/17/maps"
: >"$TMP/tree/proc/17/pagemap"
echo "17 (empty) S 1 1 1 0 -1 0$(printf ' 0%.0s' {1..42})" >"$TMP/tree/proc/17/stat"
printf 'Name:\tempty\nTgid:\t17\nPid:\t17\nPPid:\t1\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n' >"$TMP/tree/proc/17/status"
for options in -b '-b -i 0.01' '-b -m -n 2'; do
	# shellcheck disable=SC2086
	refused "no mappings: $options" 1 'process 17 has no mappings' --root="$TMP/tree" $options 17
done

# A COMMAND that is over before it could be read has its own exit status, and nothing to say.
pm -i 10 -- true
is "$status$err" 0 'COMMAND: true'
pm -i 10 -- false
is "$status$err" 1 'COMMAND: false'
pm -i 10 -- sh -c 'kill -TERM $$'
is "$status" 143 'COMMAND ends by a signal'

# Soft-dirty bits
pm -b -D $$
case $status in
0) like "$(awk 'NR == 2 { print $14 }' "$TMP/out")" '^[0-9]+$' '-D: soft-dirty pages are counted' ;;
*) is "$status $err" '3 pagemon: -D: this kernel does not keep soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)' '-D without them' ;;
esac

# Rights
if ! have_cap setuid; then
	skip 'needs CAP_SETUID' 12
	done_testing
	exit
fi
cp "$PAGEMON" "$TMP/pagemon"
chmod 755 "$TMP" "$TMP/pagemon"
user=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
run "${user[@]}" "$TMP/pagemon" $$
like "$status|$out|$err" "^4\\|\\|pagemon: the maps of process $$: Permission denied; it needs CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH, or the same user\$" \
	"a user, another's process"
# The message names what is missing: some of the capabilities, or all of them in the namespace of the process.
denied() { # NAME FILE REMEDY COMMAND...
	run "${@:4}" "$TMP/pagemon" -b $$
	is "$status|$out|$err" "4||pagemon: the $2 of process $$: Permission denied; it needs $3" "$1"
}
with() { # CAPABILITIES: sets the array
	user_with=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="-all,$1" --ambient-caps="-all,$1")
}
if have_cap sys_ptrace && have_cap dac_read_search && have_cap setpcap; then
	with +sys_ptrace
	denied 'a user with CAP_SYS_PTRACE' pagemap 'CAP_DAC_READ_SEARCH or the same user' "${user_with[@]}"
	with +dac_read_search
	denied 'a user with CAP_DAC_READ_SEARCH' maps 'CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH, or the same user' "${user_with[@]}"
	with +sys_ptrace,+dac_read_search
	run "${user_with[@]}" "$TMP/pagemon" -b $$
	is "$status$err" 0 'a user with both'
	# Newer kernels accept CAP_PERFMON and CAP_SYS_ADMIN, too.
	denied 'root without CAP_SYS_PTRACE' maps 'CAP_SYS_PTRACE, because the process is not dumpable or has more privileges' \
		setpriv --inh-caps=-all --bounding-set=-sys_ptrace,-sys_admin,-perfmon
	if unshare -Ur true 2>/dev/null; then
		denied 'root of another user namespace' maps \
			'CAP_SYS_PTRACE in the user namespace of the process, or a security module refuses it' unshare -Ur
	else
		skip 'needs a user namespace'
	fi
else
	skip 'needs capabilities' 5
fi
bg "${user[@]}" sleep 100
own=$bg_pid
is_users() { [ "$(stat -c %u "/proc/$own/maps")" = 65534 ] && [ "$(cat "/proc/$own/comm")" = sleep ]; }
wait_for is_users
run "${user[@]}" "$TMP/pagemon" --json -m "$own"
is "$status$err" 0 'a user, his own'
num "$(grep -c '"type":"mapping"' "$TMP/out")" -ge 5 'a user, his own: rows'
run "${user[@]}" "$TMP/pagemon" --json --method=read "$own"
unlike "$out" '"zero_kb"' 'without page frame numbers the zero page is not known'
like "$out" '"present_kb":[1-9]' 'but present pages are'

# A program that its user may not read: its memory is closed to him, too.
cp /bin/sleep "$TMP/closed"
chmod 711 "$TMP/closed"
mkfifo -m 666 "$TMP/go"
bg "${user[@]}" bash -c "read -r _ <$TMP/go; exec $TMP/closed 100"
own=$bg_pid
user_bash() { [ "$(cat "/proc/$own/comm")" = bash ] && [ "$(stat -c %u "/proc/$own/maps")" = 65534 ]; }
wait_for user_bash
bg "${user[@]}" "$TMP/pagemon" -i 0.05 "$own" >"$TMP/rows" 2>"$TMP/msg"
wait_for has_line "$TMP/rows" ' bash$'
echo >"$TMP/go"
ok 'a program that may not be read: the run ends' wait_for has_exited "$bg_pid"
reap "$bg_pid"
is "$status" 0 'exit status 0, for there were snapshots'
like "$(tail -n 1 "$TMP/rows")" " $own lost\$" 'the last row'
like "$(cat "$TMP/msg")" "^pagemon: .*process $own.*Permission denied.*\$" 'the message'
done_testing
