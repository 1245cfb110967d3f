#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# each_tool of tests/lib/suite.sh: no test of a subshell is lost, and one that dies is a failure.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"

cat >"$TMP/inner.sh" <<'END'
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
tools=(one two three four)
pass first
bg sleep 1000
tests() { # TOOL
	pass "$1 - with # SKIP in its name"
	skip "$1 - a reason" 2
	is "$1" three "$1 is the third" # fails but once
	is "$(jobs -p)" '' "$1: processes of others are not its own"
	[ "${TMP##*/}" = "$1.dir" ] || exit
	[ "$1" != two ] || exit 0
	[ "$1" != four ] || kill -KILL "$BASHPID"
	bg sleep 1000
}
each_tool tests
ok 'the load has not ended' kill -0 "$bg_pid"
is "$(ls "$TMP")" "$(printf '%s\n' {one,three,two}.tap four.{dir,tap} | sort)" 'directories are removed'
done_testing
END
run bash "$TMP/inner.sh"
is "$status" 1 'exit status'
is "$(grep -v '^#' <<<"$out")" "ok 1 - first
ok 2 - one - with # SKIP in its name
ok 3 # SKIP one - a reason
ok 4 # SKIP one - a reason
not ok 5 - one is the third
ok 6 - one: processes of others are not its own
ok 7 - two - with # SKIP in its name
ok 8 # SKIP two - a reason
ok 9 # SKIP two - a reason
not ok 10 - two is the third
ok 11 - two: processes of others are not its own
not ok 12 - two: the subshell of its tests runs to its end
ok 13 - three - with # SKIP in its name
ok 14 # SKIP three - a reason
ok 15 # SKIP three - a reason
ok 16 - three is the third
ok 17 - three: processes of others are not its own
ok 18 - four - with # SKIP in its name
ok 19 # SKIP four - a reason
ok 20 # SKIP four - a reason
not ok 21 - four is the third
ok 22 - four: processes of others are not its own
not ok 23 - four: the subshell of its tests runs to its end
ok 24 - the load has not ended
ok 25 - directories are removed
1..25" 'all tests in the order of the tools, with new numbers'
is "$(grep '^#' <<<"$out")" '# got:  one
# want: three
# got:  two
# want: three
# status 0
# got:  four
# want: three
# status 137' 'diagnostics'

# If the script is ended, its subshells end what they have started.
cat >"$TMP/ended.sh" <<'END'
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
tools=(one two)
tests() { # TOOL
	bg sleep 1000
	echo "$bg_pid" >>"$0.pids"
	reap "$bg_pid"
}
each_tool tests
END
bg bash "$TMP/ended.sh"
both_wait() { [ "$(wc -l <"$TMP/ended.sh.pids")" = 2 ]; }
wait_for both_wait
kill -TERM "$bg_pid"
reap "$bg_pid"
is "$status" 143 'ended by SIGTERM'
while read -r pid; do ok 'what it had started has ended' wait_for has_exited "$pid"; done <"$TMP/ended.sh.pids"
done_testing
