#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 10
# The restrictions of the systemd units in examples/: their score, and that the tools work under them.  systemd does not
# run in a test, so that each unit's capabilities, mounts, namespaces and system call filter are made here with
# setpriv(1), unshare(1), mount(8) and strace(1), which makes each call that the filter does not list fail with EPERM.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
limit=3.0 # of `systemd-analyze security`; 10 is a unit without restrictions
mapfile -t tools < <(cd "$TOP/examples" && printf '%s\n' *-prometheus.service | sed 's/-prometheus.*//')

unit_of() { printf '%s\n' "$TOP/examples/$1-prometheus.service"; }        # TOOL
setting() { sed -n "s/^$2=//p" "$(unit_of "$1")"; }                       # TOOL KEY: a line for each
is_set() { [[ $(setting "$1" "$2") = @(yes|strict|invisible) ]]; }         # TOOL KEY
members() { systemd-analyze syscall-filter "$1" | sed '1d; s/#.*//; s/ //g; /^$/d'; } # GROUP
expand() { # the names on standard input, and the members of the groups among them
	local name
	while read -r name; do
		if [[ $name != @* ]]; then echo "$name"; else members "$name" | expand; fi
	done
}
allowed() { # TOOL: the calls that its filter allows
	local line file=$TMP/allowed
	: >"$file"
	while read -r line; do
		tr ' ' '\n' <<<"${line#'~'}" | expand | sort -u >"$TMP/names"
		if [[ $line = '~'* ]]; then comm -23 "$file" "$TMP/names"; else sort -u "$file" "$TMP/names"; fi >"$TMP/next"
		mv "$TMP/next" "$file"
	done < <(setting "$1" SystemCallFilter)
	cat "$file"
}

static() { # TOOL: what needs no run
	local file prom score words
	file=$(unit_of "$1")
	read -r -a words < <(setting "$1" ExecStart)
	run "$BUILD/bin/$1" "${words[@]:1}" --version
	is "$status" 0 "$1: the options of its unit"
	prom=$(grep -o -- '--prom=[^ ]*' <<<"${words[*]}")
	is "$(setting "$1" ExecStopPost)" "-/bin/rm -f ${prom#--prom=}" "$1: its file is removed when it has stopped"
	run systemd-analyze security --offline=yes "$file"
	is "$err" '' "$1: systemd knows each setting"
	score=$(sed -n 's/^.*Overall exposure level for [^:]*: \([0-9.]*\) .*/\1/p' "$TMP/out")
	ok "$1: a score of $score, below $limit" awk -v s="$score" -v l="$limit" 'BEGIN { exit !(s != "" && s < l) }'
}

# TOOL: prints the shell script that makes its mounts and runs the words after it; $TMP is /mnt.
stage() {
	cat <<-END
	set -e
	mount --make-rprivate /
	mount --bind "$TMP" /mnt
	END
	! is_set "$1" PrivateDevices || cat <<-'END'
	mkdir /mnt/dev
	for f in null zero full random urandom; do touch /mnt/dev/$f; mount --bind /dev/$f /mnt/dev/$f; done
	mount --rbind /mnt/dev /dev
	END
	! is_set "$1" PrivateTmp || echo 'mount -t tmpfs tmpfs /tmp'
	! is_set "$1" ProtectHome || echo 'for f in /home /root; do mount -t tmpfs -o mode=000 tmpfs $f; done'
	! is_set "$1" ProtectKernelModules || echo '[ ! -d /lib/modules ] || mount -t tmpfs -o mode=000 tmpfs /lib/modules'
	! is_set "$1" ProtectKernelTunables || cat <<-'END'
	touch /mnt/hidden
	chmod 0 /mnt/hidden
	for f in /proc/kallsyms /proc/kcore; do [ ! -e $f ] || mount --bind /mnt/hidden $f; done
	mount --bind /proc/sys /proc/sys
	for f in /proc/sys /sys /sys/kernel/tracing /sys/fs/cgroup; do
		! mountpoint -q $f || mount -o remount,bind,ro $f
	done
	END
	! is_set "$1" ProtectProc || echo 'mount -t proc -o hidepid=2 proc /proc'
	! is_set "$1" ProtectSystem || echo 'mount --bind / / && mount -o remount,bind,ro /'
	# Not exec: strace waits for all of its children, and the server of a simulated machine would be one.
	printf '%s\n' 'cd /' '"$@"' 'exit $?'
}
# TOOL WORD...: runs the words under the unit's restrictions, without its filter
restricted() {
	local namespaces=(-m) caps
	caps=$(setting "$1" CapabilityBoundingSet | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
	! is_set "$1" PrivateNetwork || namespaces+=(-n)
	! is_set "$1" ProtectHostname || namespaces+=(-u)
	stage "$1" >"$TMP/stage"
	rm -rf "${TMP:?}/dev"
	run ${machine[@]+"${machine[@]}"} unshare "${namespaces[@]}" sh "$TMP/stage" \
		setpriv --no-new-privs --bounding-set="-all${caps:+,$caps}" "${@:2}"
}
data() { # TOOL: its file has data
	case $1 in
	cpustat) echo 'cpu_seconds_total{mode="system"}' ;;
	eventstat) echo 'starts_total' ;;
	forkstat) echo 'events_total{event="exec"}' ;;
	pagemon) echo 'samples_total' ;;
	powerstat) echo 'energy_joules_total{kind="measured"}' ;;
	esac
}
has_data() { grep -qF "sysmon_$1_$(data "$1") " "$TMP/prom" && ! grep -qxF "sysmon_$1_$(data "$1") 0" "$TMP/prom"; } # TOOL
notes() { grep -vE '^powerstat: power source: |^forkstat: [0-9]+ events received' "$TMP/err"; }

works() { # TOOL
	local words plain families allowed filter
	read -r -a words < <(setting "$1" ExecStart)
	words=("${words[@]:1}" --interval=0.2 --duration=1)
	words=("${words[@]/%PROCESS/$victim}")
	machine=()
	[ "$1" != powerstat ] ||
		machine=("$TOP/tests/lab/run" "$TOP/tests/lab/trees/rapl-square.spec" /dev/null --)
	cp "$BUILD/bin/$1" "$TMP/tool"
	run ${machine[@]+"${machine[@]}"} "$TMP/tool" "${words[@]/--prom=*/--prom=$TMP/prom}"
	if [ "$status" != 0 ]; then
		skip "$1 cannot run here: ${err##*$'\n'}" 7
		return
	fi
	plain=$(notes)
	words=("${words[@]/--prom=*/--prom=/mnt/prom}")

	rm "$TMP/prom"
	restricted "$1" strace -ff -o /mnt/trace /mnt/tool "${words[@]}"
	cat "$TMP"/trace.* >"$TMP/calls"
	is "$status $(notes)" "0 $plain" "$1: it runs under the restrictions of its unit, without new messages"
	allowed=$(allowed "$1")
	# A call that the restrictions refuse anyway needs not be listed.
	is "$(sed -nE '/ = -1 EPERM /d; s/^([a-z0-9_]+)\(.*/\1/p' "$TMP/calls" | sort -u | comm -23 - <(echo "$allowed"))" '' \
		"$1: the filter lists all of its calls"
	families=$(setting "$1" RestrictAddressFamilies | tr ' ' '|')
	is "$(sed -nE 's/^socket(pair)?\((AF_[A-Z0-9]+).*/\2/p' "$TMP/calls" | sort -u | grep -vxE "$families")" '' \
		"$1: its sockets are of the families listed"
	is "$(grep -E '(mmap|mprotect)\(.*PROT_WRITE\|PROT_EXEC|mprotect\(.*PROT_EXEC' "$TMP/calls")" '' \
		"$1: it makes no memory writable and executable"

	rm "$TMP/prom"
	filter="!$(sed 's/^/?/' <<<"$allowed" | paste -sd,):error=EPERM"
	restricted "$1" strace -f -o /dev/null -e inject="$filter" /mnt/tool "${words[@]}"
	is "$status $(notes)" "0 $plain" "$1: it runs with the filter"
	ok "$1: and writes data" has_data "$1"
	restricted "$1" strace -f -o /dev/null -e inject="$filter" /bin/rm -f /mnt/prom
	is "$status $(ls "$TMP/prom" 2>/dev/null)" '0 ' "$1: the file can be removed"
}
each() { # TOOL
	if [ ! -x "$BUILD/bin/$1" ]; then
		skip "$1: is not built here" 11
		return
	fi
	if [ -n "${no_analyze-}" ]; then skip "$1: needs systemd-analyze with --offline" 4; else static "$1"; fi
	if [ -n "${no_run-}" ]; then skip "$1: $no_run" 7; else works "$1"; fi
}

no_analyze='' no_run=''
systemd-analyze security --offline=yes "$(unit_of cpustat)" >/dev/null 2>&1 || no_analyze=yes
[ -z "$no_analyze" ] || no_run='needs systemd-analyze'
for program in strace setpriv unshare mountpoint; do have_cmd "$program" || no_run="needs $program, which is not installed"; done
unshare -mnu sh -c 'mount --make-rprivate / && mount --bind /mnt /mnt' 2>/dev/null || no_run='cannot make mounts here'
bg bash -c 'while :; do /bin/true; sleep 0.05; done' # events for all tools
bg setpriv --reuid=65534 --regid=65534 --clear-groups sleep 1000
victim=$bg_pid
each_tool each
done_testing
