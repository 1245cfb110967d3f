#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sock: its connections are those that the kernel counts, none is left, it needs the loopback interface
# and no other, and lost or changed bytes are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare ip

# OPTION...: its result
try() {
	stress --sock 1 --sock-ops=200 -t 600 "$@"
	result="$status $(of sock '[.status, .ops] | @csv')"
}
stress --sock 2 --sock-ops=200
is "$status $(of sock '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
for name in throughput connections; do
	is "$(metric sock $name | awk '{ print ($1 > 0) }')" 1 "a rate: $name"
done
for way in send sendmsg sendmmsg random; do
	try --sock-opts=$way --sock-domain=unix
	is "$result" '0 "pass",200' "unix, $way"
	try --sock-opts=$way --sock-domain=unix --sock-type=seqpacket
	is "$result" '0 "pass",200' "seqpacket, $way"
	try --sock-opts=$way --sock-nodelay
	is "$result" '0 "pass",200' "ipv4, without delay, $way"
done
try --sock-type=seqpacket
is "$status $(of sock '"\(.status) \(.reason)"')" '4 skip cannot create a socket (ipv4): Socket type not supported' 'ipv4 has no packets in order'
# COMMAND: what this kernel may lack
lacks_or_passes() {
	try "$@"
	like "$status $(of sock '"\(.status) \(.reason)"')" '^(0 pass null|4 skip (cannot (create a socket|bind to|reach)|an option).*)$' "$*"
}
lacks_or_passes --sock-domain=ipv6
lacks_or_passes --sock-protocol=mptcp
lacks_or_passes --sock-zerocopy --sock-opts=random

# In a network namespace the kernel counts the connections of this run alone.
if unshare -rn ip link set lo up 2>/dev/null; then
	prepare_user 65534
	# COMMAND OPTION...: in a namespace of its own, after the command
	alone() {
		rm -f "$TMP/rows"
		# shellcheck disable=SC2016 # the inner shell's
		run unshare -rn bash -c "$1"' && shift && "$@"; code=$?; cat /proc/net/tcp >"'"$TMP"'/left"; cat /proc/net/snmp >"'"$TMP"'/snmp"; exit $code' \
			sh "$1" "$STRESSORS" --sock 1 -t 600 --json="$TMP/rows" "${@:2}"
	}
	counted() { awk -v key="$1" '$1 == "Tcp:" && !head[1] { split($0, head); next } $1 == "Tcp:" { for (i in head) if (head[i] == key) print $i }' "$TMP/snmp"; }
	alone 'ip link set lo up' --sock-ops=640
	is "$status $(of sock '[.status, .ops] | @csv')" '0 "pass",640' 'only a loopback interface'
	is "$(counted ActiveOpens) $(counted PassiveOpens)" '11 11' '640 messages: ten connections, and one that tells the end'
	is "$(tail -n +2 "$TMP/left")" '' 'no connection and no port is left'
	alone 'ip link set lo up' --sock-ops=64 --sock-port=7001
	is "$status $(of sock '[.status, .ops] | @csv')" '0 "pass",64' 'a port'
	alone true --sock-ops=1
	is "$status $(of sock '"\(.status) \(.reason)"')" '4 skip cannot reach the loopback address (ipv4): Network is unreachable' 'a loopback interface that is down'
	alone true --sock-ops=64 --sock-domain=unix
	is "$status $(of sock .status)" '0 pass' 'unix needs none'
else
	skip 'a network namespace: not permitted' 6
fi

if can_inject; then
	# CALL INJECT: such calls of the instances have another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --sock 1 --sock-ops=200 -t 600 --json="$TMP/rows"
		result="$status $(of sock '.status, .reason' | xargs)"
	}
	with sendto retval=100:when=2
	like "$result" '^2 fail (message [0-9]+: [0-9]+ bytes of [0-9]+ arrived|[0-9]+ messages were checked|.*)' 'bytes that are not sent are missed'
	like "$(of sock .reason)" '^message [0-9]+: ' 'as a message that differs'
	with connect error=ECONNREFUSED:when=3
	is "$result" '2 fail a connection: Connection refused' 'an error'
	with accept4 error=EMFILE
	is "$result" '3 no-resource the other process: Too many open files' 'a lack of the other process'
fi
done_testing
