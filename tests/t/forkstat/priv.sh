#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 8
# needs: root
# Privileges: given up after the start; enough without them where the kernel allows; clear
# words where it does not.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
try_tracefs
need_tracing

field() { awk -v f="$1:" '$1 == f { $1 = ""; print substr($0, 2) }' "/proc/$tool/task/$2/status"; }
every_thread() { # FIELD WANT NAME
	local task bad=''
	for task in /proc/"$tool"/task/*; do
		[ "$(field "$1" "${task##*/}")" = "$2" ] || bad+="${task##*/}: $(field "$1" "${task##*/}") "
	done
	is "$bad" '' "$3"
}
unset SUDO_UID SUDO_GID SUDO_USER PKEXEC_UID DOAS_USER
dropped() { # UID GID NAME
	every_thread Uid "$1 $1 $1 $1" "$3: user $1"
	every_thread Gid "$2 $2 $2 $2" "$3: group $2"
	every_thread Groups '' "$3: no other group"
	for set in CapInh CapPrm CapEff CapAmb; do every_thread $set 0000000000000000 "$3: $set is empty"; done
	every_thread NoNewPrivs 1 "$3: no new privileges"
	every_thread Seccomp 2 "$3: seccomp"
}
start
dropped 65534 65534 root
ok 'the same user cannot trace it' test "$(stat -c %U "/proc/$tool/maps")" = root
finish
SUDO_UID=1 SUDO_GID=1 start
dropped 1 1 sudo
finish
SUDO_UID=0 SUDO_GID=0 start -x
isnt "$(field Uid "$tool" | cut -d' ' -f1)" '' 'SUDO_UID=0 starts'
finish
for bad in x -1 4294967295 99999999999 ''; do
	SUDO_UID=$bad SUDO_GID=1 start
	isnt "$(field CapEff "$tool")" "$(awk '/^CapEff/ { print $2 }' /proc/self/status)" "SUDO_UID='$bad' keeps no privileges"
	finish
done
start --keep-privileges
is "$(field Uid "$tool")" '0 0 0 0' '--keep-privileges'
finish

# After the drop it works as before.
follow -x -- "$HELPERS/load" -n 200 -o "$TMP/truth" exec
expect_exit 0
is "$(grep -c ' exec .*tiny load-exec' "$TMP/rows")" 200 'arguments are known after the drop'

# The output file is made with the rights of the user who called sudo.
mkdir -m 755 "$TMP/roots"
mkdir -m 777 "$TMP/open"
SUDO_UID=65534 SUDO_GID=65534 run "$FORKSTAT" -o "$TMP/roots/file" -- true
expect_exit 1 "sudo: a file where the user may not write"
like "$err" "^forkstat: $TMP/roots/file: Permission denied$" 'the message'
ok 'it is not there' test ! -e "$TMP/roots/file"
SUDO_UID=65534 SUDO_GID=65534 run "$FORKSTAT" -o "$TMP/open/file" -- true
expect_exit 0 'sudo: a file where the user may write'
is "$(stat -c %u:%g "$TMP/open/file")" 65534:65534 'it is his'
for variable in "PKEXEC_UID=$(id -u daemon)" DOAS_USER=daemon; do
	run env "$variable" "$FORKSTAT" -o "$TMP/open/${variable%=*}" -- true
	is "$status $(stat -c %u:%g "$TMP/open/${variable%=*}")" "0 $(id -u daemon):$(id -g daemon)" "$variable: the file is of the user who called the tool"
	run env "$variable" "$FORKSTAT" -o "$TMP/roots/file" -- true
	like "$status $err" "^1 forkstat: $TMP/roots/file: Permission denied$" "$variable: a file where the user may not write"
done
echo secret >"$TMP/roots/secret"
chmod 600 "$TMP/roots/secret"
SUDO_UID=65534 SUDO_GID=65534 run "$FORKSTAT" --json="$TMP/roots/secret" -- true
is "$(cat "$TMP/roots/secret")" secret "sudo: root's files are not overwritten"

# Without any privilege: the kernel allows it since 6.6.
newer() { [ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]; }
mkdir -m 777 "$TMP/w"
cp "$FORKSTAT" "$HELPERS/load" "$HELPERS/tiny" "$TMP/"
as_user() { # PRIVILEGES-FOR-setpriv... -- OPTION...
	local -a how=()
	while [ "$1" != -- ]; do
		how+=("$1")
		shift
	done
	shift
	run setpriv --reuid=65534 --regid=65534 --clear-groups "${how[@]}" "$TMP/forkstat" "$@"
	mv "$TMP/out" "$TMP/rows"
	err=$(messages "$TMP/err")
}
tracefs() { [ -d /sys/kernel/tracing/events ] || [ -d /sys/kernel/debug/tracing/events ]; }
missing='Permission denied|Operation not permitted'
tracefs || missing+='|No such file or directory'
if newer 6.6; then
	as_user --inh-caps=-all -- -- "$TMP/load" -n 50 -r 200 -o "$TMP/w/truth" exec
	cp "$TMP/w/truth" "$TMP/truth"
	expect_exit 0 'an ordinary user'
	like "$err" '^forkstat: arguments will be read from /proc .*\(BPF: Operation not permitted; tracepoint .*: ('"$missing"')\)' \
		'reports what is missing'
	run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
	like "$out" '(^|[^_])lost=0' 'nothing lost'
	like "$out" 'exec_wrong=0' 'no name wrong'
	like "$out" 'parent_wrong=0' 'no parent wrong'
else
	as_user --inh-caps=-all -- -- true
	expect_exit 4 'an ordinary user: not permitted'
	like "$err" 'CAP_NET_ADMIN' 'what he needs'
	skip 'needs Linux 6.6' 3
fi
# A set of capabilities, as setcap or a service would give.
caps=+net_admin,+perfmon,+bpf
as_user --inh-caps=$caps --ambient-caps=$caps -- -- "$TMP/load" -n 200 -o "$TMP/w/truth" exec
cp "$TMP/w/truth" "$TMP/truth"
expect_exit 0 'capabilities'
if tracefs; then
	is "$err" '' 'capabilities: no message'
	judge 'capabilities: all right'
	num "${V[exec_full]:-0}" -ge 190 'capabilities: full arguments'
else
	skip 'needs tracefs, which is not mounted' 3
fi

# Without CAP_BPF perf takes its place; a message says so.
without_bpf() {
	run setpriv --bounding-set=-bpf,-sys_admin --inh-caps=-bpf,-sys_admin "$FORKSTAT" -D 100ms -j "$@"
}
if tracefs; then
	without_bpf
	like "$err" '^forkstat: using perf to capture arguments; some will be missed \(BPF: Operation not permitted; it needs .*CAP_PERFMON\)' \
		'perf instead of BPF: why'
	is "$(head -n 1 <<<"$out" | jq -r .source)" perf 'perf instead of BPF: in the JSON header'
else
	skip 'needs tracefs, which is not mounted' 2
fi
without_bpf -q --source=perf
unlike "$err" BPF '--source=perf: no message'
without_bpf -q
unlike "$err" BPF '-q: no message'
run "$FORKSTAT" -D 100ms -j --source=proc
is "$(head -n 1 <<<"$out" | jq -r .source)" proc '--source=proc: in the JSON header'

# The setcap line of the manual page: nothing is missing, and large buffers are refused.
mkdir "$TMP/suid"
if have_cmd setcap && mount -t tmpfs tmpfs "$TMP/suid" 2>/dev/null; then
	cp "$TMP/forkstat" "$TMP/suid/"
	setcap "$(sed -n 's/^setcap \(cap_[^ ]*\) .*/\1/p' "$TOP/man/forkstat.8")" "$TMP/suid/forkstat"
	mv "$TMP/forkstat" "$TMP/plain"
	ln -s suid/forkstat "$TMP/forkstat"
	as_user --inh-caps=-all -- --source=bpf -- "$TMP/load" -n 200 -o "$TMP/w/truth" exec
	cp "$TMP/w/truth" "$TMP/truth"
	is "$status$err" 0 'file capabilities: exit status 0, no message'
	judge 'file capabilities: all right'
	for option in --buffer=65M --ring=9M; do
		as_user --inh-caps=-all -- $option -- true
		expect_exit 4 "file capabilities: $option is refused"
	done
	rm "$TMP/forkstat"
	mv "$TMP/plain" "$TMP/forkstat"
	umount "$TMP/suid"
else
	skip 'needs setcap and mount(2)'
fi

# Namespaces: silence would be a lie.  Also while a listener on the host lets events in.
in_namespace() { # NAME UNSHARE-OPTION...
	local name=$1
	shift
	if ! unshare "$@" true 2>/dev/null; then
		skip "needs unshare $*" 3
		return
	fi
	run unshare "$@" "$FORKSTAT" -D 10
	expect_exit 3 "$name: exit status 3"
	like "$err" '(^|'$'\n'')forkstat: no process events in this .*namespace; run forkstat on the host' "$name: the message"
	unlike "$out" 'fork|exec|exit' "$name: no row"
}
for listener in '' ' while the host listens'; do
	[ -z "$listener" ] || start
	in_namespace "user namespace$listener" -Ur
	in_namespace "pid namespace$listener" -pf --mount-proc
	in_namespace "pid namespace, the host's /proc$listener" -pf
	in_namespace "network namespace$listener" -n
	[ -z "$listener" ] || finish
done

# In a time namespace times are those of its clocks.
if unshare -T --monotonic 100000 --boottime 200000 true 2>/dev/null; then
	for source in auto perf proc; do
		if [ "$source" = perf ] && [ -n "${NO_TRACING-}" ]; then
			skip "$NO_TRACING" 4
			continue
		fi
		before=${EPOCHREALTIME%.*}
		run unshare -T --monotonic 100000 --boottime 200000 "$FORKSTAT" --source="$source" \
			-e exit -N --timestamp=epoch -- sleep 0.2
		like "$(grep sleep <<<"$out")" "^([0-9]+)[0-9.]* exit .* 0 +([0-9]+)[.0-9]*s .*sleep 0.2$" "a time namespace, $source: the row"
		num "${BASH_REMATCH[1]:-0}" -ge "$before" "a time namespace, $source: not before the run"
		num "${BASH_REMATCH[1]:-0}" -le "${EPOCHREALTIME%.*}" "a time namespace, $source: nor after"
		num "${BASH_REMATCH[2]:-99}" -lt 60 "a time namespace, $source: the lifetime"
	done
else
	skip 'needs unshare -T --monotonic' 12
fi
# --source=bpf: a missing privilege is not a missing feature
run setpriv --reuid=65534 --regid=65534 --clear-groups "$TMP/forkstat" --source=bpf -D 0.1
expect_exit 4 '--source=bpf without privileges'
like "$err" '^forkstat: cannot capture arguments at the exec with BPF: .*; --source=bpf needs 64-bit Linux .*CAP_BPF' 'it says what is needed'
mkdir -p "$TMP/old/proc" "$TMP/old/sys"
run "$TMP/forkstat" --root="$TMP/old" --source=bpf -D 0.1
expect_exit 3 '--source=bpf on a kernel without BTF'
like "$err" 'CONFIG_DEBUG_INFO_BTF' 'and that it lacks it'
done_testing
