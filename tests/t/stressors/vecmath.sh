#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor vecmath: its metrics, and that its code has instructions for vectors.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq
stress --vecmath 2 --vecmath-ops=23 -t 600
is "$status $(of vecmath '[.status, .ops] | @csv')" '0 "pass",46' 'two instances: as many ops as asked for'
is "$(of vecmath '[.metrics[] | select(.value > 0).name] | join(", ")')" '16 x 8 bits, 8 x 16 bits, 4 x 32 bits, 2 x 64 bits' 'a rate of each type'
for seed in 1 2 3; do
	stress --vecmath 1 --vecmath-ops=8 --seed=$seed -t 600
	is "$status $(of vecmath .status)" '0 pass' "seed $seed: all operands"
done
stress --vecmath 1 --spoil -t 600
is "$status $(of vecmath .reason)" '2 vectors of 8 bits: the results differ from those without vectors' 'a wrong result is found'
# An op has 26,000 operations of each type: no more than the rate says were made in the run.
stress --vecmath 1 --vecmath-ops=200 -t 600
is "$(metric vecmath '16 x 8 bits' | awk -v s="$(of vecmath .wall_s)" '{ print ($1 * 1e6 * s >= 0.9 * 200 * 26000) }')" 1 'the rate is at least that of the whole run'
if have_cmd objdump && [ "$(uname -m)" = x86_64 ] && objdump -d "$STRESSORS" 2>/dev/null >"$TMP/code" && grep -q '<vectors32>:' "$TMP/code"; then
	for want in '8 v?psub[b]' '16 v?pmullw' '32 v?psubd' '64 v?psubq'; do
		num "$(sed -n "/<vectors${want% *}>:/,/^\$/p" "$TMP/code" | grep -cE "	${want#* } ")" -gt 0 "${want% *} bits: ${want#* }"
	done
else
	skip 'no symbols, or not x86-64' 4
fi
done_testing
