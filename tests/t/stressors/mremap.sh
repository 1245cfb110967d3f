#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor mremap: its system calls and faults as the kernel sees them, and what ends its growth.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq
page=$(getconf PAGESIZE)
size=$((40 * page)) # 1 2 4 8 16 32 40 20 10 5 3 2 1 pages

stress --mremap 2 --mremap-bytes=$size --mremap-ops=1000 -t 600
is "$status $(of mremap '[.status, .ops] | @csv')" '0 "pass",2000' 'two instances: no more ops than asked for'
is "$(metric mremap 'time per mremap' | awk '{ print ($1 > 0) }')" 1 'time per mremap'
stress --mremap 1 --mremap-bytes=$size --spoil -t 600
like "$status $(of mremap .reason)" "^2 mapping: byte $((10 * page)): [0-9a-f]{16} instead of [0-9a-f]{16} " 'what is wrong is found'

if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=mremap -e signal=SEGV "$STRESSORS" --mremap 1 --mremap-bytes=$size --mremap-ops=12 --json -t 600
	calls='s/.*mremap(\(0x[0-9a-f]*\), \([0-9]*\), \([0-9]*\), MREMAP_MAYMOVE|MREMAP_FIXED, \(0x[0-9a-f]*\)) *= \(0x[0-9a-f]*\)$'
	is "$status $(sed -n "$calls/\\2 \\3/p" "$TMP/trace" | awk -v page="$page" '{ print $1 / page "-" $2 / page }' | xargs)" \
		'0 1-2 2-4 4-8 8-16 16-32 32-40 40-20 20-10 10-5 5-3 3-2 2-1' 'it doubles and halves its size'
	is "$(sed -n "$calls/\\1 \\5/p" "$TMP/trace" | awk '$1 == $2' | wc -l)" 0 'it moves each time'
	mapfile -t old < <(sed -n "$calls/\\1/p" "$TMP/trace")
	mapfile -t faulted < <(sed -n 's/.*SEGV_MAPERR, si_addr=\(0x[0-9a-f]*\)}.*/\1/p' "$TMP/trace")
	is "${faulted[*]}" "${old[*]}" 'it reads each old address, which faults'
	# The kernel moves nothing, and says that it has.
	run strace -f -qq -o /dev/null -e signal=none -e trace=mremap -e inject=mremap:retval=0x10000:when=1+ "$STRESSORS" --mremap 1 \
		--mremap-bytes=$size --json -t 600
	like "$status $(jq -r 'select(.type == "result").reason' <<<"$out")" '^2 mremap to 0x10000 instead of 0x[0-9a-f]+$' 'a wrong address is found'
	run strace -f -qq -o /dev/null -e signal=none -e trace=mremap -e inject=mremap:error=EFAULT:when=3+ "$STRESSORS" --mremap 1 \
		--mremap-bytes=$size --json -t 600
	is "$status $(jq -r 'select(.type == "result").reason' <<<"$out")" "2 mremap of $((8 * page)) bytes: Bad address" 'an error that is no lack is a failure'
else
	skip 'strace cannot trace here' 5
fi

# LIMIT COMMAND...: a run with this limit of ulimit, with its records in $out
limited() { run bash -c "ulimit $1 && exec \"\$@\"" sh "${@:2}" --mremap 1 --json -t 600 --max-memory=1g; }
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }
limited '-v 65536' "$STRESSORS" --mremap-bytes=512m --mremap-ops=100
is "$status $(result '[.status, .ops] | @csv')" '0 "pass",100' 'less memory than it may use is no failure'
if as_nobody test -x "$STRESSORS"; then
	nobody=()
	! have_cap setuid || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
	limited '-l 0' ${nobody[@]+"${nobody[@]}"} "$STRESSORS" --mremap-mlock
	like "$status $(result .reason)" "^3 $page bytes cannot be locked: " '--mremap-mlock: memory that may not be locked'
	limited "-l $((8 * page / 1024))" ${nobody[@]+"${nobody[@]}"} "$STRESSORS" --mremap-mlock --mremap-ops=50
	is "$status $(result '[.status, .ops] | @csv')" '0 "pass",50' '--mremap-mlock: it grows as far as it may be locked'
else
	skip 'the program cannot be run by another user' 2
fi
run "$STRESSORS" --mremap 2 --mremap-bytes=1m -n
like "$out" '--mremap 2 --mremap-bytes 1M  # memory: 2.0 MiB' '-n shows the memory'
stress --mremap 2 --mremap-ops=1 --max-memory=1m -t 600
is "$status $(of mremap .status)" '0 pass' 'a default fits into --max-memory'
stress --mremap 1 --mremap-bytes=4m --max-memory=1m
is "$status $(of mremap .reason)" '3 needs 4 MB of memory and may use 1 MB; --max-memory permits more' 'what was asked for does not fit'
done_testing
