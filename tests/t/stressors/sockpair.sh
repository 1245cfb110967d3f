#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sockpair: all types of pairs, as many as there are descriptors for; lost bytes are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --sockpair 2 --sockpair-ops=500
is "$status $(of sockpair '[.status, .ops] | @csv')" '0 "pass",1000' 'two instances: no more ops than asked for'
is "$(metric sockpair pairs)" 96 'pairs'
is "$(metric sockpair throughput | awk '{ print ($1 > 0) }')" 1 'a rate'
stress --sockpair 1 --sockpair-ops=1
is "$status $(of sockpair '[.status, .ops] | @csv')" '0 "pass",1' 'one message'

# DESCRIPTORS: with so few
limited() {
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run bash -c 'ulimit -n "$1" && shift && exec "$@"' sh "$1" "$STRESSORS" --sockpair 1 --sockpair-ops=100 -t 600 --json="$TMP/rows"
	result="$status $(of sockpair '.status, .reason' | xargs)"
}
limited 30
like "$result" '^0 pass [0-9]+ pairs: Too many open files$' 'few descriptors: fewer pairs'
is "$(of sockpair .reason | grep -o '^[0-9]*')" "$(metric sockpair pairs)" 'the metric tells how many'

if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=socketpair "$STRESSORS" --sockpair 1 --sockpair-ops=1 -t 600 -q
	is "$(grep -o 'SOCK_[SD][A-Z]*' "$TMP/trace" | sort | uniq -c | xargs)" '32 SOCK_DGRAM 32 SOCK_SEQPACKET 32 SOCK_STREAM' 'all types'
	# CALL INJECT: such calls of the instances have another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --sockpair 1 --sockpair-ops=300 -t 600 --json="$TMP/rows"
		result="$status $(of sockpair '.status, .reason' | xargs)"
	}
	with socketpair error=EMFILE:when=3+
	is "$result" '3 no-resource a pair of sockets: Too many open files' 'too few for one of each type'
	with sendto error=EIO:when=100
	is "$result" '2 fail send: Input/output error' 'an error'
	with recvfrom error=EIO:when=50
	is "$result" '2 fail the other process: Input/output error' 'an error of the other process'
fi
done_testing
