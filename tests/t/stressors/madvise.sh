#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor madvise: which advice the kernel gets, and that an advice without its effect is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq
page=$(getconf PAGESIZE)

stress --madvise 2 --madvise-bytes=256k --madvise-ops=3000 -t 600
is "$status $(of madvise '[.status, .ops] | @csv')" '0 "pass",6000' 'two instances: no more ops than asked for'
is "$(metric madvise 'time per madvise' | awk '{ print ($1 > 0) }')" 1 'time per madvise'
stress --madvise 1 --madvise-bytes=64k --spoil -t 600
like "$status $(of madvise .reason)" '^2 before an advice: byte [0-9]+: [0-9a-f]{16} instead of [0-9a-f]{16} ' 'what is wrong is found'

# COMMAND...: what one instance asks the kernel for, in $TMP/trace, and its result, in $out
traced() { run strace -f -qq "$@" "$STRESSORS" --madvise 1 --madvise-bytes=64k --seed 1 --json -t 600; }
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }
if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=madvise -e signal=SEGV "$STRESSORS" --madvise 1 --madvise-bytes=64k --madvise-ops=2000 -t 600
	is "$status" 0 'a traced run'
	for advice in NORMAL RANDOM SEQUENTIAL WILLNEED DONTNEED FREE REMOVE DONTFORK DOFORK WIPEONFORK KEEPONFORK DONTDUMP DODUMP; do
		grep -q "madvise(0x[0-9a-f]*, [0-9]*, MADV_$advice)" "$TMP/trace" || echo "$advice"
	done >"$TMP/missing"
	is "$(cat "$TMP/missing")" '' 'each advice is given'
	is "$(sed -n 's/.*madvise(0x[0-9a-f]*, \([0-9]*\), .*/\1/p' "$TMP/trace" | awk -v page="$page" '$1 % page || $1 > 16 * page' | wc -l)" 0 'for 1 to 16 pages'
	# Each page of a guard faults, no other.
	guarded=$(sed -n 's/.*madvise(0x[0-9a-f]*, \([0-9]*\), \(MADV_GUARD_INSTALL\|0x66\).*) = 0$/\1/p' "$TMP/trace" |
		awk -v page="$page" '{ n += $1 / page } END { print n + 0 }')
	is "$(grep -c '^[0-9]* *--- SIGSEGV' "$TMP/trace")" "$guarded" 'each page of a guard faults, and no other'
	# The kernel does nothing, and says that it has.
	traced -o /dev/null -e signal=none -e trace=madvise -e inject=madvise:retval=0
	like "$status $(result .reason)" '^2 (after (dontneed|dontneed_locked|remove): byte|a page does not fault)' 'an advice without its effect is found'
	traced -o "$TMP/trace" -e signal=none -e trace=madvise -e inject=madvise:error=EINVAL:when=2+
	is "$status $(result .reason)" '2 madvise: normal: Invalid argument' 'a kernel that knows no advice'
	is "$(sed -n 's/.*, \(MADV_[A-Z_]*\|0x[0-9a-f]*\).*EINVAL.*/\1/p' "$TMP/trace" | sort | uniq -d)" '' 'what it does not know is not given again'
	traced -o "$TMP/trace" -e signal=none -e trace=madvise -e inject=madvise:error=ENOMEM:when=20+
	is "$status $(result .status)" '3 no-resource' 'no memory is no failure'
	traced -o "$TMP/trace" -e signal=none -e trace=madvise -e inject=madvise:error=EPERM:when=20+
	like "$status $(result .reason)" '^2 madvise: [a-z_]+: Operation not permitted$' 'an error that is no lack is a failure'
	run strace -f -qq -o /dev/null -e signal=none -e trace=madvise -e inject=madvise:error=ENOSYS "$STRESSORS" --madvise 1 --json -t 600
	is "$status $(result '[.status, .reason] | @csv')" '4 "skip","this kernel has no madvise(2) (CONFIG_ADVISE_SYSCALLS)"' 'a kernel without madvise'
else
	skip 'strace cannot trace here' 10
fi

run "$STRESSORS" --madvise 2 --madvise-bytes=1m -n
like "$out" '--madvise 2 --madvise-bytes 1M  # memory: 4.0 MiB' '-n shows the memory of both regions'
stress --madvise 2 --madvise-ops=1 --max-memory=1m -t 600
is "$status $(of madvise .status)" '0 pass' 'a default fits into --max-memory'
stress --madvise 1 --madvise-bytes=4m --max-memory=1m
is "$status $(of madvise .reason)" '3 needs 8 MB of memory and may use 1 MB; --max-memory permits more' 'what was asked for does not fit'
done_testing
