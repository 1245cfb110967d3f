#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor stack: how far its stacks grow, by the counters of the kernel, and by which faults they end.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq pgrep
page=$(getconf PAGESIZE)
size=$((64 * page))

# Page faults of all children that this shell has waited for, and of theirs.
faults() {
	local field
	read -r -a field <"/proc/$$/stat"
	echo "${field[10]}"
}
# LIMIT COMMAND...: a run with this limit of ulimit, with its records in $out
limited() { run bash -c "ulimit $1 && exec \"\$@\"" sh "${@:2}" --stack 1 --json -t 600; }
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }

before=$(faults)
stress --stack 2 --stack-bytes=$size --stack-ops=50 -t 600
is "$status $(of stack '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
num $(($(faults) - before)) -ge $((100 * 64)) 'the kernel counts a fault for each page'
is "$(metric stack 'time per page' | awk '{ print ($1 > 0) }')" 1 'time per page'
for option in fill unmap pageout; do
	stress --stack 1 --stack-bytes=$size --stack-$option --stack-ops=5 -t 600
	is "$status $(of stack '[.status, .ops] | @csv')" '0 "pass",5' "--stack-$option"
	stress --stack 1 --stack-bytes=$size --stack-$option --spoil -t 600
	like "$status $(of stack .reason)" '^2 stack: byte [0-9]+: [0-9a-f]{16} instead of [0-9a-f]{16} ' "--stack-$option: what is wrong is found"
done

# The limit is that of the instance, and no higher than its hard limit.
soft_limit() { awk '/^Max stack size/ { print $4 }' "/proc/$1/limits"; }
bg "$STRESSORS" --stack 1 --stack-bytes=$size --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"stack".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
is "$(soft_limit "$instance")" $size 'RLIMIT_STACK of the instance'
is "$(soft_limit "$bg_pid")" "$(soft_limit $$)" 'RLIMIT_STACK of the supervisor is as it was'
kill -SEGV "$instance"
reap "$bg_pid"
is "$status $(of stack .reason)" '2 killed by SIGSEGV' 'a signal that was sent is no expected fault'
before=$(faults)
limited "-s $((32 * page / 1024))" "$STRESSORS" --stack-bytes=1g --stack-ops=1 --max-memory=2g
is "$status" 0 'a hard limit that is lower'
num $(($(faults) - before)) -lt 20000 'a hard limit that is lower: the stack does not exceed it'

# One fault for each stack, a page below its limit: its address, seen from outside.
if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=mmap -e signal=SEGV "$STRESSORS" --stack 1 --stack-bytes=$size --stack-ops=3 -t 600
	is "$status $(grep -c 'SIGSEGV.*si_code=SEGV_MAPERR' "$TMP/trace")" '0 3' 'a fault for each stack'
	beyond='' # of each fault: how far below the limit it is
	while read -r line; do
		case $line in
		*MAP_GROWSDOWN*) top=$((${line##*= } + page)) ;;
		*si_addr=*) address=${line##*si_addr=} beyond+=" $((top - size - ${address%%\}*}))" ;;
		esac
	done <"$TMP/trace"
	is "$beyond" " $page $page $page" 'it is at the first page beyond the limit'
else
	skip 'strace cannot trace here' 2
fi

# Memory that may be used.
run "$STRESSORS" --stack 2 --stack-bytes=1m -n
like "$out" '--stack 2 --stack-bytes 1M  # memory: 2.0 MiB' '-n shows the memory'
stress --stack 2 --stack-ops=1 --max-memory=1m -t 600
is "$status $(of stack .status)" '0 pass' 'a default fits into --max-memory'
stress --stack 1 --stack-bytes=4m --max-memory=1m
is "$status $(of stack .reason)" '3 needs 4 MB of memory and may use 1 MB; --max-memory permits more' 'what was asked for does not'
if as_nobody test -x "$STRESSORS"; then
	nobody=()
	! have_cap setuid || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
	limited '-l 0' ${nobody[@]+"${nobody[@]}"} "$STRESSORS" --stack-bytes=$size --stack-mlock
	like "$status $(result .reason)" "^3 $size bytes cannot be locked: " '--stack-mlock: memory that may not be locked'
else
	skip 'the program cannot be run by another user'
fi
limited '-v 65536' "$STRESSORS" --stack-bytes=128m --max-memory=1g
like "$status $(result .reason)" '^3 mmap of [0-9]+ bytes: Cannot allocate memory$' 'no memory for a stack is no failure'
done_testing
