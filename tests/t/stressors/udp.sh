#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor udp: its datagrams are those that the kernel counts, lost ones are no failure, changed ones are.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare ip

stress --udp 2 --udp-ops=200
is "$status $(of udp '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
is "$(metric udp throughput | awk '{ print ($1 > 0) }')" 1 'a rate'
stress --udp 1 --udp-ops=200 --udp-domain=unix
is "$status $(of udp '[.status, .ops] | @csv') $(metric udp lost)" '0 "pass",200 0' 'unix loses none'
# OPTION...: what this kernel may lack
lacks_or_passes() {
	stress --udp 1 --udp-ops=200 "$@"
	like "$status $(of udp '"\(.status) \(.reason)"')" '^(0 pass null|4 skip (cannot (create a socket|bind to|reach)|the option).*)$' "$*"
}
lacks_or_passes --udp-domain=ipv6
lacks_or_passes --udp-lite
lacks_or_passes --udp-gro
stress --udp 1 --udp-ops=200 --udp-gro --udp-lite
is "$status $(of udp '"\(.status)"')" '4 skip' 'UDP-Lite has no segments'

# In a network namespace the kernel counts the datagrams of this run alone.
if unshare -rn ip link set lo up 2>/dev/null; then
	# COMMAND OPTION...: in a namespace of its own, after the command
	alone() {
		rm -f "$TMP/rows"
		# shellcheck disable=SC2016 # the inner shell's
		run unshare -rn bash -c "$1"' && shift && "$@"; code=$?; cat /proc/net/udp >"'"$TMP"'/left"; cat /proc/net/snmp >"'"$TMP"'/snmp"; exit $code' \
			sh "$1" "$STRESSORS" --udp 1 -t 600 --json="$TMP/rows" "${@:2}"
	}
	counted() { awk -v key="$1" '$1 == "Udp:" && !head[1] { split($0, head); next } $1 == "Udp:" { for (i in head) if (head[i] == key) print $i }' "$TMP/snmp"; }
	alone 'ip link set lo up' --udp-ops=1000
	is "$status $(of udp '[.status, .ops] | @csv')" '0 "pass",1000' 'only a loopback interface'
	# The acknowledgments, one for eight, arrive too.
	num "$(counted InDatagrams)" -ge 1000 'datagrams that the kernel counts'
	num "$(counted RcvbufErrors)" -ge "$(metric udp lost)" 'lost are those that had no room'
	is "$(tail -n +2 "$TMP/left")" '' 'no port is left'
	alone 'ip link set lo up' --udp-ops=10 --udp-port=7001
	is "$status $(of udp .status)" '0 pass' 'a port'
	alone true --udp-ops=1
	is "$status $(of udp '"\(.status) \(.reason)"')" '4 skip cannot reach the loopback address (ipv4): Network is unreachable' 'a loopback interface that is down'
else
	skip 'a network namespace: not permitted' 6
fi

if can_inject; then
	# CALL INJECT: such calls of the instances have another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --udp 1 --udp-ops=100 -t 600 --json="$TMP/rows"
		result="$status $(of udp '.status, .reason' | xargs)"
	}
	with sendmsg retval=100:when=5
	is "$result" '0 pass null' 'a datagram that is not sent'
	is "$(metric udp lost)" 1 'is lost'
	with sendmsg error=EIO:when=5
	is "$result" '2 fail the other process: Input/output error' 'an error of the other process'
	with recvmsg retval=4:when=3
	is "$result" '2 fail a datagram of 4 bytes' 'a datagram without a number'
fi
done_testing
