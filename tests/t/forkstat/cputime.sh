#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# The CPU time of programs in the statistics, against the clock that the load read of each child.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_root
need_cap sys_admin
need_cmd jq

open_helpers cpuspawn nonleader tiny
[ -r /sys/kernel/btf/vmlinux ] || skip_all 'needs BTF, which the kernel does not have'
ln -s "$HELPERS/cpuspawn" "$TMP/spawn"
ln -s "$HELPERS/cpuspawn" "$TMP/tree"
cpu() { jqs "map(select(.type == \"summary\"))[0].cpu_s$1" "${2:-$TMP/rows}"; }
program() { jqs "[.[-1].programs[] | select(.name == \"$1\").cpu_s] | add"; }

# The children's clocks, and the program's own when it last looked, are what it used at least; the rest
# is writing the truth.  For a few processes the kernel gives no record.
clocks() { awk '$1 == "child" || $1 == "step" { cpu[$3] = $5 } END { for (p in cpu) sum += cpu[p]; printf "%.9f", sum / 1e9 }' "$1"; }
longest() { awk '($1 == "child" || $1 == "step") && $5 > most { most = $5 } END { printf "%.9f", most / 1e9 }' "$1"; }
used() { # NAME
	local got want most
	got=$(program "$1")
	want=$(clocks "$TMP/$1.truth")
	most=$(longest "$TMP/$1.truth")
	ok "$1: its CPU time (${got}s of ${want}s, $(cpu .unknown) not known)" awk -v got="$got" -v want="$want" -v most="$most" \
		-v unknown="$(cpu .unknown)" 'BEGIN { exit !(got >= want - unknown * most && got <= want * 1.1 + 0.03) }'
}
# shellcheck disable=SC2016
follow -S -q -j -- sh -c '"$0/spawn" -t 0.6 -o "$0/spawn.truth" spawn 100 2000; "$0/tree" -t 0.3 -o "$0/tree.truth" tree 2 3 1000' "$TMP"
expect_exit 0 'two programs'
used spawn
used tree
num "$(cpu .count)" -ge "$(($(cat "$TMP"/*.truth | grep -c '^child') * 9 / 10))" 'most processes are known'
num "$(cpu '| .count + .unknown')" -eq "$(($(cat "$TMP"/*.truth | grep -c '^child') + 3))" 'and all are counted'
is "$(jqs '.[-1] | (.cpu_s.total - ([.programs[].cpu_s] | add)) * 1e9 | round | fabs')" 0 'the programs add up'

# The table: the same programs, most CPU time first.
# shellcheck disable=SC2016
follow -q -- sh -c '"$0/tree" -t 0.1 tree 2 3 1000; sleep 0.01' "$TMP"
like "$(cat "$TMP/rows")" $'\nCPU time of [0-9]+ processes that exited: 0\.[0-9]{3}s(; unknown for [0-9]+)?\n\n +CPU +% +Lifetime +Exits Most CPU time\n +0\.[0-9]{3}s +[0-9.]+ +[0-9.]+s +[0-9]+ tree\n' \
	'the table'

# A thread that is not the leader executes a program: the old leader's end is none of the process.
follow -q -j -- "$HELPERS/nonleader"
is "$(cpu '| .count + .unknown')" 1 'one process whose leader ended twice'

# Without privileges the rest of the statistics is as ever.
if [ "$(printf '%s\n' 6.6 "$(uname -r)" | sort -V | head -n 1)" = 6.6 ]; then
	cp "$FORKSTAT" "$TMP/"
	nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$TMP/forkstat")
	run "${nobody[@]}" -q -- true
	expect_exit 0 'an ordinary user'
	is "$(grep -c 'CPU' <<<"$out")" 1 'the CPU time is mentioned once'
	like "$out" $'\nCPU time of programs is unknown \\(BPF: Operation not permitted\\)\n\n +Lifetime +Exits Longest total lifetime\n' 'and why it is not known'
	run "${nobody[@]}" -q -j -- true
	is "$(tail -n 1 "$TMP/out" | jq 'has("cpu_s"), (.programs[0] | has("cpu_s"))' | sort -u)" false 'JSON: no value, no key'
else
	skip 'needs Linux 6.6' 4
fi
done_testing
