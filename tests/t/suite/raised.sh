#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# seconds: 10
# A set-user-ID program and one with capabilities of its file: files are written with the rights of the caller, COMMAND
# has no more of them, and what keeps other rights is refused.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd setcap setpriv
need_cap setuid setgid setfcap
unset SUDO_UID SUDO_GID SUDO_USER
mkdir "$TMP/raised"
mount -t tmpfs -o mode=755 tmpfs "$TMP/raised" 2>"$TMP/why" || skip_all "needs mount(2): $(cat "$TMP/why")"
trap 'umount -l "$TMP/raised" 2>/dev/null; tap_cleanup' EXIT
able_tools
chmod 755 "$TMP"
mkdir -m 700 "$TMP/shut"
mkdir -m 777 "$TMP/open"

# TOOL KIND OPTION...: as a user; COMMAND says on standard error who it is
raised() {
	local options
	read -r -a options < <(brief_options "$1")
	machine "$1"
	ending=()
	! has_command "$1" || ending=(-- sh -c 'echo "user $(id -u)" "$(grep ^CapEff /proc/self/status)" >&2; sleep 0.35')
	run ${machine[@]+"${machine[@]}"} setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all \
		"$TMP/raised/$1-$2" ${options[@]+"${options[@]}"} "${@:3}" ${ending[@]+"${ending[@]}"}
	without_notes
}
caps=cap_net_admin,cap_bpf,cap_perfmon,cap_sys_ptrace,cap_dac_override,cap_dac_read_search,cap_syslog
for tool in "${tools[@]}"; do
	for kind in caps suid; do
		cp "$BUILD/bin/$tool" "$TMP/raised/$tool-$kind"
		if [ "$kind" = suid ]; then
			chmod 4755 "$TMP/raised/$tool-suid"
		else
			chmod 755 "$TMP/raised/$tool-caps"
			setcap $caps=ep "$TMP/raised/$tool-caps" || skip_all 'capabilities cannot be given to a file'
		fi
		raised "$tool" "$kind" --quiet --prom="$TMP/shut/$tool"
		like "$status $err" "^1 $tool: $TMP/shut/$tool: Permission denied\$" "$tool, $kind: --prom where only root may write"
		is "$(ls -A "$TMP/shut")" '' "$tool, $kind: nothing is there"
		raised "$tool" "$kind" --quiet --prom="$TMP/open/$tool-$kind"
		is "$status $(stat -c %u "$TMP/open/$tool-$kind")" '0 4242' "$tool, $kind: --prom where the caller may write"
		if has_command "$tool"; then
			like "$err" "user 4242 CapEff:[[:space:]]*0000000000000000" "$tool, $kind: COMMAND has no more rights than the caller"
			raised "$tool" "$kind" --as-root
			refused "$tool" "$kind: --as-root" 4 "--as-root is not allowed for a program with file capabilities$"
		fi
		options_of "$tool" --keep-privileges --drop-to=nobody
		for option in ${options[@]+"${options[@]}"}; do
			raised "$tool" "$kind" $option
			refused "$tool" "$kind: $option" 4 "${option%=*} is not allowed for a program with file capabilities$"
		done
	done
done
done_testing
