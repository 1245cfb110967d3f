#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# needs: root
# timeout: 60
# hidepid, foreign and stale /proc: a user who sees only a part gets a message, and percentages are of
# the right processes.  All in pid namespaces with a proc of their own: an option of the
# machine's proc would change it for all users.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cap sys_admin
need_cmd jq unshare setpriv
unshare -fpm --mount-proc true 2>/dev/null || skip_all 'needs unshare -fpm'

cp "$CPUSTAT" "$TMP/cpustat"
cp "$HELPERS/cpuload" "$TMP/"
mkdir -p "$TMP/root/proc" "$TMP/root/sys"
# In the namespace: a load of root's, then cpustat as nobody; what it shows of which pids.
# shellcheck disable=SC2016
hidden() { # PROC-OPTIONS SHELL-COMMAND
	run unshare -fpm --mount-proc bash -c '
		mount -t proc ${0:+-o "$0"} proc "$1/root/proc" || exit 99
		nice -n -10 "$1/cpuload" -t 20 duty 30 >"$1/load" 2>"$1/nice" &
		until [ -s "$1/load" ]; do sleep 0.01; done
		cd "$1"
		'"$2
		exit" "$1" "$TMP"
}
as_user='setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all ./cpustat'

hidden hidepid=2 "$as_user --root=root 0.2 2"
isnt "$status" 99 'proc with hidepid=2 is mounted'
like "$err" '(^|'$'\n'')cpustat: /proc hides the processes of other users \(hidepid\); their CPU time is shown without a name or as \[unaccounted\]' 'hidepid=2: a user without access gets a message'
is "$(wc -l <"$TMP/err")" 1 'once'
hidden hidepid=2 './cpustat -j --keep-privileges --root=root 0.2 4'
expect_exit 0 'root sees all'
is "$err" '' 'and no message'
is "$(jqs 'map(select(.comm == "cpuload" and .cpu_ns > 0)) | length >= 1' "$TMP/out")" true 'the load is there'
hidden '' "$as_user --root=root -j 0.2 4"
expect_exit 0 'without hidepid'
is "$err" '' 'no message'
is "$(jqs 'map(select(.comm == "cpuload" and .cpu_ns > 0)) | length >= 1' "$TMP/out")" true 'the load is there'

# A pid namespace whose /proc is still the host's: CPU clocks there are those of other pids.
load cpuload duty 30
run unshare -fp "$CPUSTAT" -j 0.5 4
cp "$TMP/out" "$TMP/rows"
expect_exit 0 "the host's /proc in a new pid namespace"
end_load
judge --pid "${tasks[0]}"
is "${V[covered]}" 4 'four samples'
num "${V[shown]}" -ge 1 'the load of the host is there'
num "${V[hidden_us]}" -le 20000 'in each sample in which it got a tick of user and system time'
near "${V[cpu_us]}" "${V[truth_us]}" 50 'with its own time, which is in ticks' 30000
load cpuload duty 30
run unshare -fpm --mount-proc "$CPUSTAT" -j 0.3 2
expect_exit 0 'a pid namespace with its own /proc'
is "$(jqs "map(select(.type == \"task\" and .kind == \"process\" and .pid > 10)) | length" "$TMP/out")" 0 'nothing of outside'
is "$(jqs 'map(select(.kind == "unaccounted")) | length' "$TMP/out")" 0 "and the machine's load is not unaccounted"
end_load
done_testing
