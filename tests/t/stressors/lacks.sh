#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An instance that gets no memory, for itself, for the process that works with it or for a library, has the result
# "no resource"; it has not failed, and the machine does not lack what it needs.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"

# CALL STRESSOR OPTION...: all calls of this name fail in the instance, after the first ones
without() {
	stress_under strace -f -qq -o /dev/null -e signal=none -e trace="$1" -e inject="$1:error=ENOMEM:when=3+" \
		-- "$STRESSORS" --"$2" 1 "${@:3}" -t 600
	is "$status $(of "$2" .status)" '3 no-resource' "$2: $1 fails"
	like "$(of "$2" .reason)" '^(number [0-9]+|write): (Cannot allocate memory|no memory for the partner)$' "$2: $1 fails: the reason"
}
stress_under() { # COMMAND...
	rm -f "$TMP/rows"
	run "$@" --json="$TMP/rows" --max-memory=16m -q
}
if can_inject; then
	without vmsplice pipe --pipe-method=vmsplice
	without futex switch --switch-method=futex
fi

# Allocations of the supervisor, of an instance, and of the loader of libbsd in both.
# N MORE: prints what is wrong with a run whose Nth allocation fails
try() {
	stress_under env "$preload" FAIL_AT="$1" FAIL_MORE="$2" "$STRESSORS" --heapsort 1 --heapsort-size=1k --heapsort-ops=1 -t 600
	jq -r 'select(.type == "result" and (.status == "fail" or .status == "skip")) | "\(.status) \(.reason)"' "$TMP/rows" 2>/dev/null |
		sed "s/^/allocation $1 (all after it: $2): /"
}
stress_under env "$preload" FAIL_COUNT=9 "$STRESSORS" --heapsort 1 --heapsort-size=1k --heapsort-ops=1 -t 600 9>"$TMP/n"
if [ "$(of heapsort .status)" = pass ]; then
	n=$(($(tail -n 1 "$TMP/n") + 6))
	bad=$(for ((i = 1; i <= n; i++)); do try "$i" 0 && try "$i" 1; done)
	is "$bad" '' "heapsort: each of $n allocations fails"
else
	skip "heapsort: $(of heapsort .reason)"
fi
done_testing
