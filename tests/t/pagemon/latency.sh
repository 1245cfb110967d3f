#!/bin/bash
# shellcheck disable=SC2154 # what tap.sh sets
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# needs: root
# quiet
# timeout: 120
# How long a process waits for its own memory map while it is watched: a call that reads pages holds the map's lock.
# Page tables without pages, which a call of unlimited size walks in 100 to 300 ms.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cap sys_admin
screen() { "$HELPERS/ptyrun" -t 4 -w 60 "$TMP/stats" "$PAGEMON" -p "$LOAD_PID" "$@"; }
rows() { "$PAGEMON" -q -S -i 0.1 -n 5 "$@" "$LOAD_PID" >"$TMP/rows"; }
figure() { load_said '^latency ' | sed -n "s/.* $1=\\([0-9]*\\).*/\\1/p"; }
# The best of three runs: each reads all pages several times, and other programs can delay one.  They also delay the
# tool while it holds the lock; then the load could not run for a similar time when it waited for nothing but a CPU.
waits() { # NAME COMMAND...
	local name=$1 least='' busy=0 now
	shift
	for _ in 1 2 3; do
		load_tell say '^latency '
		ok "$name: runs" "$@"
		load_tell say '^latency '
		now=$(figure worst_us)
		[ -n "$least" ] && [ "$least" -le "$now" ] || least=$now
		now=$(figure busy_us)
		[ "$now" -le "$busy" ] || busy=$now
	done
	if [ "$least" -gt 10000 ] && [ "$least" -le $((10 * busy)) ]; then
		skip "$name: busy machine: the longest wait took $least us, one for a CPU $busy us"
	else
		num "$least" -le 10000 "$name: the longest wait, us"
	fi
}

load_start latency_empty
waits 'page tables without pages, -a' screen -a
waits 'page tables without pages, folded' screen -a -e
waits 'page tables without pages, rows' rows
waits 'page tables without pages, mappings' rows -m
waits 'page tables without pages, runs' rows -x
load_start latency
waits 'scattered pages, -a' screen -a
done_testing
