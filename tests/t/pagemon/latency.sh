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
# The best of three runs: each reads all pages several times, and other programs can delay one.
waits() { # NAME COMMAND...
	local name=$1 least='' now
	shift
	for _ in 1 2 3; do
		load_tell say '^latency '
		ok "$name: runs" "$@"
		load_tell say '^latency '
		now=$(load_said '^latency ' | sed -n 's/.* worst_us=\([0-9]*\).*/\1/p')
		[ -n "$least" ] && [ "$least" -le "$now" ] || least=$now
	done
	num "$least" -le 10000 "$name: the longest wait, us"
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
