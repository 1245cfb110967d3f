#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor exec: the kernel has executed the program as often as it says, by each method, and a new image that is
# not as it should be is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --exec 2 --exec-ops=20 --exec-max=4 -t 600
is "$status $(of exec '[.status, .ops] | @csv')" '0 "pass",40' 'two instances: no more ops than asked for'
is "$(metric exec 'time per execution' | awk '{ print ($1 > 0) }')" 1 'a time'

# What a new image must not have.
exec {open}<"$STRESSORS"
image() { # FD COMMAND...
	local fd=$1
	shift
	run "$@" bash -c 'exec -c -a stressors-image "$0" 7 "$1"' "$STRESSORS" "$fd"
}
image 77
is "$status" 9 'an image: its status is made of its number'
image "$open"
is "$status" 1 'an image with an open descriptor'
run bash -c 'exec -a stressors-image "$0" 7 77' "$STRESSORS"
is "$status" 1 'an image with an environment'
exec {open}<&-
rm -f "$TMP/rows"
run bash -c 'cp "$0" program && exec ./program --exec 1 --exec-ops=2 -t 600 -q --json=rows' "$STRESSORS"
is "$status $(of exec .status)" '0 pass' 'a relative path'

if can_inject; then
	# OPTION...: what the kernel has executed for 8 ops, by call
	executed() {
		run strace -f -qq -o "$TMP/trace" -e trace=execve,execveat "$STRESSORS" --exec 1 --exec-ops=8 -t 600 -q --json="$TMP/rows" "$@"
		grep '"stressors-image"' "$TMP/trace" | sed -n 's/^[0-9]* *\(exec[a-z]*\)(.*= 0$/\1/p; s/.*<unfinished.*//p' | sort | uniq -c | xargs
	}
	for method in clone fork spawn vfork; do
		is "$(executed --exec-fork-method=$method --exec-method=execve --exec-no-pthread)" '8 execve' "--exec-fork-method=$method"
	done
	is "$(executed --exec-method=execveat --exec-no-pthread)" '8 execveat' '--exec-method=execveat'
	is "$(executed --exec-method=all --exec-no-pthread)" '4 execve 4 execveat' '--exec-method=all'
	executed --exec-method=execve >/dev/null
	is "$status $(grep -c 'superseded by execve' "$TMP/trace")" '0 2' 'one in four is executed from a thread'

	# The first execve of a process is that of the program itself; a child has made none.
	run strace -f -qq -o /dev/null -e trace=execveat -e inject=execveat:error=EIO "$STRESSORS" --exec 1 --exec-ops=8 -t 600 -q \
		--exec-method=execveat --json="$TMP/rows"
	is "$status $(of exec .reason)" "2 execveat of $STRESSORS: Input/output error" 'a call that fails'
	run strace -f -qq -o /dev/null -e trace=execveat -e inject=execveat:error=ENOMEM "$STRESSORS" --exec 1 --exec-ops=8 -t 600 -q \
		--exec-method=execveat --json="$TMP/rows"
	is "$status $(of exec .status)" '3 no-resource' 'a lack is no failure'
	run strace -f -qq -o /dev/null -e trace=execveat -e inject=execveat:error=ENOSYS "$STRESSORS" --exec 1 --exec-ops=8 -t 600 -q \
		--json="$TMP/rows"
	is "$status $(of exec '"\(.status) \(.ops) \(.reason)"')" '0 pass 8 execveat is not used: Function not implemented' \
		'execveat that is absent is left out'
	run strace -f -qq -o /dev/null -e trace=execveat -e inject=execveat:error=ENOSYS "$STRESSORS" --exec 1 --exec-ops=8 -t 600 -q \
		--exec-method=execveat --json="$TMP/rows"
	is "$status $(of exec .status)" '4 skip' 'or the stressor is skipped'
fi
done_testing
