#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor io: which calls its methods make, that what is wrong is found, and that nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
mkdir "$TMP/work"
cd "$TMP/work" || exit 2
calls=(fsync fdatasync sync_file_range syncfs)

stress --io 2 --io-ops=80
is "$status $(of io '[.status, .ops] | @csv')" '0 "pass",160' 'two instances: no more ops than asked for'
for name in commits "${calls[@]/#/time per }"; do
	is "$(metric io "$name" | awk '{ print ($1 > 0) }')" 1 "metric: $name"
done
is "$(metric io 'time per sync')" '' 'sync(2) is not called if it is not asked for'
is "$(ls -A)" '' 'nothing is left'

traced() { # STRACE-OPTION... -- OPTION...
	local options=()
	while [ "$1" != -- ]; do options+=("$1") && shift; done
	run strace -f -qq -e signal=none "${options[@]}" -- "$STRESSORS" --json="$TMP/rows" --io 1 -t 600 "${@:2}"
}
counts() { # OPTION...: "CALL N" of each call that was made
	traced -e trace=sync,syncfs,fsync,fdatasync,sync_file_range -o "$TMP/trace" -- "$@"
	sed -nE 's/^[0-9]+ +([a-z_]+)\(.*= 0$/\1/p' "$TMP/trace" | sort | uniq -c | awk '{ printf "%s %d,", $2, $1 }'
}
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	is "$(counts --io-ops=40)" 'fdatasync 10,fsync 10,sync_file_range 10,syncfs 10,' 'all: each in turn'
	for call in "${calls[@]}" sync; do
		is "$(counts --io-ops=3 --io-method="$call")" "$call 3," "--io-method=$call: this call in each op"
	done
	traced -e trace=fdatasync -e inject=fdatasync:error=EIO:when=2 -o /dev/null --
	is "$status $(of io '"\(.status): \(.reason)"')" '2 fail: fdatasync: Input/output error' 'a commit that fails is a failure'
	traced -e trace=fdatasync -e inject=fdatasync:error=ENOSPC:when=2 -o /dev/null --
	is "$status $(of io '"\(.status): \(.reason)"')" '3 no-resource: fdatasync: No space left on device' 'a full disk is none'
	traced -e trace=sync_file_range -e inject=sync_file_range:error=ENOSYS -o /dev/null -- --io-method=sync_file_range
	is "$status $(of io '"\(.status): \(.reason)"')" '4 skip: sync_file_range: Function not implemented' 'a kernel without the call'
	traced -e trace=pwrite64 -e inject=pwrite64:retval=4096:when=70 -o /dev/null -- --io-method=fsync
	is "$status $(of io .status)" '2 fail' 'a write that is lost is found'
	like "$(of io .reason)" '^byte [0-9]+ of the file is not the one that was written$' 'and named'
else
	skip 'needs strace, and ptrace(2)' 11
fi

bg_group "$STRESSORS" --io 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"io".*"ops":[1-9]'
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
wait_for group_gone
is "$(find . -type f)" '' 'SIGKILL of all: no file is left'
done_testing
