#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# A thread that is not the leader execs: it becomes the process, its own id is no longer used.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing

for i in 1 2 3; do
	follow -o "$TMP/file" -- "$HELPERS/nonleader"
	read -r pid tid <"$TMP/rows"
	mv "$TMP/file" "$TMP/rows"
	expect_exit 0 "run $i"
	is "$(awk -v t="$tid" '$2 == "clone" && $3 == t { print $4 }' "$TMP/rows")" thread 'the thread is born'
	is "$(awk -v t="$tid" '$3 == t && $2 != "clone"' "$TMP/rows")" '' 'and never heard of again'
	is "$(awk -v p="$pid" '$2 == "exec" && $3 == p { print $4, $5 }' "$TMP/rows" | tail -n 1)" 'tiny nonleader-exec' \
		'the process has the new program'
	like "$(awk -v p="$pid" '$2 == "exit" && $3 == p' "$TMP/rows" | tail -n 1)" ' 0 +[0-9.]+s tiny nonleader-exec$' \
		'its exit has the name of it, a status and a lifetime'
	is "$(awk -v p="$pid" '$3 == p && $2 ~ /^ex/ { print $2 }' "$TMP/rows" | tail -n 2 | tr '\n' ' ')" 'exec exit ' \
		'exec before exit'
done
done_testing
