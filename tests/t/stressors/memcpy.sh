#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor memcpy: its methods, and what they call.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq
methods=(libc builtin naive naive_o0 naive_o1 naive_o2 naive_o3)
stress --memcpy 2 --memcpy-ops=9 -t 600
is "$status $(of memcpy '[.status, .ops] | @csv') $(of memcpy '[.metrics[].name] | @csv')" '0 "pass",18 "libc"' 'two instances: as many ops as asked for, by libc'
stress --memcpy 1 --memcpy-method=all --memcpy-ops=${#methods[@]} -t 600
is "$status $(of memcpy '[.metrics[].name] | join(" ")')" "0 ${methods[*]}" 'all: each of them'
for m in "${methods[@]}"; do
	stress --memcpy 1 --memcpy-method="$m" --memcpy-ops=4 -t 600
	is "$status $(of memcpy '[.status, .ops] | @csv') $(of memcpy '[.metrics[] | .name, .value > 0] | @csv')" "0 \"pass\",4 \"$m\",true" "$m"
	stress --memcpy 1 --memcpy-method="$m" --spoil -t 600
	like "$status $(of memcpy .reason)" "^2 $m: byte [0-9]+: [0-9a-f]{16} instead of [0-9a-f]{16} " "$m: a wrong byte is found"
done
# What an op copies is no more than the rate of a run says: 8 MB.
stress --memcpy 1 --memcpy-ops=50 -t 600
is "$(metric memcpy libc | awk -v s="$(of memcpy .wall_s)" '{ print ($1 * s >= 0.9 * 50 * 8) }')" 1 'the rate is at least that of the whole run'
run "$STRESSORS" --memcpy 1 --memcpy-method=fast
like "$status $err" '^1 .*fast' 'a method that does not exist'

# The program is not stripped in the build directory: bytes are not copied by a call.
if have_cmd objdump && objdump -d "$STRESSORS" 2>/dev/null >"$TMP/code" && grep -q '<copy_naive_o2>:' "$TMP/code"; then
	for m in naive naive_o0 naive_o1 naive_o2 naive_o3; do
		is "$(sed -n "/<\(copy\|move\)_$m>:/,/^\$/p" "$TMP/code" | grep -c 'mem\(cpy\|move\)')" 0 "$m calls no function"
	done
else
	skip 'no symbols, or no objdump' 5
fi
done_testing
