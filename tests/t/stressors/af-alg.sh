#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor af-alg: without AF_ALG it is skipped, with it the algorithms of /proc/crypto are used, and wrong
# results are found.  A virtual machine has AF_ALG: tests/vm/stressors.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --af-alg 2 --af-alg-ops=50
if can_inject; then
	# ERROR: socket(2) fails with it
	without() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace=socket -e inject="socket:error=$1" "$STRESSORS" --af-alg 1 --af-alg-ops=1 -t 600 --json="$TMP/rows"
		result="$status $(of af-alg '.status, .ops, .reason' | xargs)"
	}
	without EAFNOSUPPORT
	is "$result" '4 skip 0 this kernel has no AF_ALG (CONFIG_CRYPTO_USER_API)' 'a kernel without AF_ALG'
	without EPERM
	is "$result" '4 skip 0 AF_ALG is not permitted here' 'a container that forbids it'
fi
stress --af-alg 2 --af-alg-ops=50
if [ "$(of af-alg .status)" = skip ]; then
	is "$status $(of af-alg .ops)" '4 0' 'no AF_ALG: no success'
	skip "$(of af-alg .reason)" 2
	done_testing
fi
is "$status $(of af-alg '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
is "$(metric af-alg throughput | awk '{ print ($1 > 0) }')" 1 'a rate'
like "$(of af-alg .reason)" "^[0-9]+ of $(grep -c ^name /proc/crypto) entries of /proc/crypto were used\$" 'the entries'
done_testing
