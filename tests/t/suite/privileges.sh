#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# Privileges of every tool: what it is after the start, and as whom it runs a command.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
unset SUDO_UID SUDO_GID SUDO_USER PKEXEC_UID DOAS_USER
able_tools
bg bash -c 'while :; do sleep 0.05; done' # an event tool needs events to write rows

has_rows() { [ "$(wc -l <"$TMP/rows")" -ge 2 ]; }
state() { # FIELD...: of /proc/PID/status
	awk -v want=" $* " 'index(want, " " substr($1, 1, length($1) - 1) " ") { $1 = ""; printf "%s;", substr($0, 2) }' \
		"/proc/$bg_pid/status"
}
none=0000000000000000
dropped() { # TOOL UID NAME OPTION...
	brief_bg "$1" --json "${@:4}"
	wait_for has_rows || fail "$1, $3: it starts" "$(cat "$TMP/msg")"
	is "$(state Uid Gid Groups CapPrm CapEff NoNewPrivs Seccomp)" "$2 $2 $2 $2;$2 $2 $2 $2;;$none;$none;1;2;" "$1, $3"
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$status" "$(status_after "$1" INT)" "$1, $3: exit status"
}
drops() { # TOOL
	dropped "$1" 65534 root
	SUDO_UID=12345 SUDO_GID=12345 dropped "$1" 12345 sudo
	DOAS_USER=daemon dropped "$1" "$(id -u daemon)" doas
	PKEXEC_UID=$(id -u daemon) dropped "$1" "$(id -u daemon)" pkexec
	SUDO_UID=12345 SUDO_GID=12345 dropped "$1" 65534 --drop-to --drop-to=nobody
	SUDO_UID=12345 SUDO_GID=12345 dropped "$1" 65534 '--drop-to, a number' --drop-to=65534
	brief "$1" --drop-to='no such user'
	refused "$1" 'an unknown user' 2 "--drop-to: unknown user 'no such user'\$"
	misuse "$1" '--drop-to and --keep-privileges' --drop-to=nobody --keep-privileges
}

# sudo sets these; the user is one that the machine knows.
user_of_sudo=(SUDO_UID=65534 SUDO_GID=65534)
ids() { # TOOL NAME WANT VARIABLE... -- OPTION...: the command's user and groups
	local tool=$1 name=$2 want=$3 env=()
	shift 3
	while [ "$1" != -- ]; do
		env+=("$1")
		shift
	done
	shift
	program "$tool"
	run env "${env[@]}" "${program[@]}" --quiet --output=/dev/null "$@" \
		-- sh -c 'echo "$(id -u) $(id -g) $(id -G) $USER $HOME" >&2; sleep 0.35'
	like "$err" "(^|"$'\n'")$want($|"$'\n'")" "$tool: $name"
}
commands() { # TOOL
	local root nobody
	root="0 0 $(id -G) root /root"
	nobody="65534 65534 $(id -G nobody) nobody $(getent passwd nobody | cut -d: -f6)"
	ids "$1" 'COMMAND of root' "$root" USER=root HOME=/root --
	if [ "$1" = pagemon ] && ! have_cap sys_ptrace; then
		skip "$1: COMMAND under sudo: needs CAP_SYS_PTRACE" 4
	else
		ids "$1" 'COMMAND under sudo: the calling user' "$nobody" "${user_of_sudo[@]}" USER=root HOME=/root --
		ids "$1" 'COMMAND under doas: the calling user' "$nobody" DOAS_USER=nobody USER=root HOME=/root --
		ids "$1" 'COMMAND under pkexec: the calling user' "$nobody" PKEXEC_UID=65534 USER=root HOME=/root --
		ids "$1" '--as-root under sudo' "$root" "${user_of_sudo[@]}" USER=root HOME=/root -- --as-root
	fi
	misuse "$1" '--as-root needs a COMMAND' --as-root
}

# A program with capabilities of its file: what would use up the machine is not the caller's.
with_capabilities() { # TOOL
	local option options words
	options_of "$1" --realtime --root=/
	mkdir "$TMP/suid"
	if ! have_cmd setcap || ! mount -t tmpfs -o mode=755 tmpfs "$TMP/suid" 2>/dev/null; then
		skip "$1: needs setcap and mount(2)" ${#options[@]}
		return
	fi
	trap 'umount -l "$TMP/suid"; tap_cleanup' EXIT
	cp "$BUILD/bin/$1" "$TMP/suid/"
	setcap cap_net_admin,cap_bpf,cap_perfmon,cap_sys_nice=ep "$TMP/suid/$1"
	read -r -a words < <(brief_options "$1")
	machine "$1"
	ending "$1"
	for option in "${options[@]}"; do
		run ${machine[@]+"${machine[@]}"} setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
			"$TMP/suid/$1" ${words[@]+"${words[@]}"} "$option" ${ending[@]+"${ending[@]}"}
		without_notes
		refused "$1" "$option with capabilities" 4 "${option%=*} is not allowed for a program with file capabilities$"
	done
}

# What the filter refuses, asked by calls inside the running tool.  With --keep-privileges, where there
# is no filter, each of them gives something else, so none is refused by the kernel for another reason.
bg setpriv --reuid=65534 --regid=65534 --clear-groups sleep 1000
peer=$bg_pid
inject() { # fails while the tool is not in a system call
	run "$HELPERS/inject" "$bg_pid" "$dir" "$peer"
	[ "$status" != 3 ]
}
injected() { # TOOL OPTION...: "NAME..." of the calls that are allowed
	brief_bg "$@" --json
	wait_for has_rows || fail "$*: it starts" "$(cat "$TMP/msg")"
	rm -rf "$dir/new" "$dir/old"
	echo old >"$dir/old"
	wait_for inject
	allowed=$(sed -n 's/ allowed$//p' "$TMP/out" | tr '\n' ' ')
	refused=$(grep -c ' refused$' "$TMP/out")
	[ "$status" = 0 ] || fail "$1: calls inside the tool" "$status: $err"
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$status" "$(status_after "$1" INT)" "$1 ${*:2}: it goes on after the calls, and ends"
}
filtered() { # TOOL
	dir=$TMP/inject
	mkdir -m 777 "$dir"
	injected "$1" --keep-privileges
	is "$refused" 0 "$1: without the filter nothing is refused"
	injected "$1"
	is "$allowed" 'read signal-self unix map ' "$1: what the filter allows"
	is "$refused" 38 "$1: what it refuses"
	is "$(ls "$dir")$(cat "$dir/old")" oldold "$1: no file was made or changed"
	injected "$1" --prom="$TMP/prom"
	is "$allowed" 'read write create open truncate rename unlink signal-self unix map ' "$1: what it allows with --prom"
}

without_proc() { # TOOL
	if ! unshare --mount true 2>/dev/null; then
		skip "$1: needs a mount namespace of its own"
		return
	fi
	[ "$1" != stressors ] || return 0 # it needs no /proc: t/stressors/place.sh
	# shellcheck disable=SC2016
	run unshare --mount sh -c 'umount -l /proc && exec "$1"' sh "$BUILD/bin/$1"
	refused "$1" 'without /proc' 3 '/proc is not mounted$'
}

"$HELPERS/inject" 2>/dev/null
injects=$?
privileges() { # TOOL
	chmod 755 "$TMP"
	! drops_privileges "$1" || drops "$1"
	! has_command "$1" || commands "$1"
	with_capabilities "$1"
	without_proc "$1"
	if ! drops_privileges "$1"; then
		return
	elif [ "$injects" = 77 ]; then
		skip "$1: inject is not written for $(uname -m)"
	elif ! have_cap sys_ptrace; then
		skip "$1: inject needs CAP_SYS_PTRACE"
	else
		filtered "$1"
	fi
}
chmod 755 "$TMP"
each_tool privileges
done_testing
