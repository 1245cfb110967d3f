#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# heavy
# seconds: 7
# needs: root
# Process ids that come round again: the names of their former owners do not come with them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
max=$(cat /proc/sys/kernel/pid_max)
[ "$max" -le 40000 ] || skip_all "needs a pid_max of at most 40000, it is $max"

# More than all ids there are, programs, forks and threads in turn.
follow -- "$HELPERS/load" -n "$((max + 2000))" -o "$TMP/truth" mix
expect_exit 0
reused=$(awk -F'\t' 'NF > 4 && $1 != "cpu" && seen[$4]++ { n++ } END { print n + 0 }' "$TMP/truth")
num "$reused" -gt 1000 "$reused ids were used again"
judge 'nothing lost, wrong or out of order over a round of all ids'
is "${V[exec_wrong]} ${V[fork_name_wrong]} ${V[exit_name_wrong]} ${V[parent_wrong]}" '0 0 0 0' 'no name or parent of a former owner'
done_testing
