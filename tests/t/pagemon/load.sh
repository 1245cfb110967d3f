#!/bin/bash
# shellcheck disable=SC2154 # what tap.sh sets
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# timeout: 120
# The loads of the other tests have the maps that they print: pagetruth, which reads pagemap entry by entry and shares no
# code with them or with the tool, counts the same.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
need_cap sys_admin

as_constructed() { # MODE: a test for each region
	local name start end counts n=0
	while read -r name start end counts; do
		is "$(truth "$start" "$end")" "$counts" "$1: $name"
		n=$((n + 1))
	done < <(regions)
	[ "$n" -gt 0 ] || fail "$1: has regions"
}
perms_of() { sed -n "s/^$1-[0-9a-f]* \\(....\\) .*/\\1/p" "/proc/$LOAD_PID/maps"; }
name_of() { sed -nE "s/^$1-[0-9a-f]+ .... [0-9a-f]+ [0-9a-f:]+ [0-9]+ *//p" "/proc/$LOAD_PID/maps"; }

# --- every kind of page; huge pages of hugetlbfs only while the load maps them
huge=/proc/sys/vm/nr_hugepages
huge_before=$(cat $huge 2>/dev/null)
restore_huge() { [ -z "$huge_before" ] || echo "$huge_before" >$huge; }
trap 'restore_huge; tap_cleanup' EXIT
[ -z "$huge_before" ] || echo $((huge_before + 2)) >$huge 2>/dev/null
load_start known
while read -r _ name reason; do skip "$name: $reason"; done < <(grep -a '^missing' "$LOAD_OUT")
as_constructed known
total=$(truth)
sum() { regions | grep -oE "\\b$1=[0-9]+" | awk -F= '{ n += $2 } END { print n }'; }
for kind in guard huge; do
	is "$(count $kind "$total")" "$(sum $kind)" "known: no other pages of kind $kind in the process"
done
for kind in swap dirty; do
	num "$(count $kind "$total")" -ge "$(sum $kind)" "known: pages of kind $kind"
done
num "$(count present "$total")" -gt "$(sum present)" 'known: the program itself is present, too'
is "$("$HELPERS/pagetruth" -s "$LOAD_PID")" "$("$HELPERS/pagetruth" "$LOAD_PID" | sed 's/how=read/how=scan+read/')" \
	'pagetruth -s counts the same'
is "$("$HELPERS/pagetruth" -m "$LOAD_PID" | grep -c '^map ')" "$(wc -l <"/proc/$LOAD_PID/maps")" 'pagetruth -m: a line for each mapping'
region zero_mixed
is "$("$HELPERS/pagetruth" -p "$LOAD_PID" "$START" "$END" | awk '!/^total/ { print $3 }' | uniq -c | xargs)" '10 PZ 5 PE 5 PZ' 'pagetruth -p: each page'
region odd_name
is "$(name_of "$START")" "$LOAD_OUT.files/we ird  "$'\u00e9\e[31mred\\012\xff (deleted)' 'a name with blanks, an escape sequence and a newline'
region deleted
is "$(name_of "$START")" "$LOAD_OUT.files/deleted file (deleted)" 'a deleted file'
region none_touched
is "$(perms_of "$START")" '---p' 'no access to pages that are present'
region memfd
is "$(name_of "$START")" '/memfd:page load (deleted)' 'memfd'
if lacks anon_name; then
	skip 'the kernel has no names of anonymous memory'
else
	region named
	is "$(name_of "$START")" '[anon:page load]' 'a name of anonymous memory'
fi
load_end
is "$status" 0 'known ends at SIGTERM'
restore_huge

# --- sizes
for mode in stride small big:64 sparse:1024 sparse sparseres:1024:1000 maps:1000; do
	load_start "$mode"
	case $mode in
	sparse*) # 12 s for 16 TiB, entry by entry
		read -r _ START END COUNTS < <(regions)
		got=$("$HELPERS/pagetruth" -s "$LOAD_PID" "$START" "$END" | sed 's/^total mappings=1 //; s/ how=.*//')
		is "$got" "$COUNTS" "$mode: as constructed"
		;;
	maps*) ;;
	*) as_constructed "$mode" ;;
	esac
done
region maps
is "$(truth "$START" "$END")" "$COUNTS" 'maps:1000: as constructed'
is "$(awk -v from="$START" -v to="$END" '{ split($1, a, "-") } a[1] "" >= from "" && a[2] "" <= to ""' "/proc/$LOAD_PID/maps" | wc -l)" 1000 'maps:1000: so many mappings'
load_start stride
region stride
is "$COUNTS" 'pages=2048 present=1024 file=0 zero=0 huge=0 guard=0 swap=0 dirty=0 exclusive=1024' 'stride: half of its pages'
is "$("$HELPERS/pagetruth" -p "$LOAD_PID" "$START" "$END" | awk 'NR == 65 { print $1 }')" "$(printf '%x' $((0x$START + 128 * 4096)))" 'stride: the 65th page that is there is the 129th'
load_start sparse
region sparse
is "$((0x$END - 0x$START))" $((16 << 40)) 'sparse: 16 TiB'
load_start big:16
region big
is "$((0x$END - 0x$START)) $(count present "$COUNTS")" "$((64 << 20)) 4096" 'big:16: 64 MiB with 16 MiB resident'

# --- hostile names
load_start hostile:2000
while read -r name start end counts; do
	[ "$name" = maps ] || is "$(truth "$start" "$end")" "$counts" "hostile: $name"
done < <(regions)
for split in 4095 4096; do
	region "split_$split"
	is "$(grep -a "^$START-" "/proc/$LOAD_PID/maps" | cut -b $((split + 1))-)" '123000000000-123000400000 rw-p 00000000 00:00 0 [fake]' \
		"hostile: the rest of a line behind $split bytes looks like one"
done
is "$(grep -ac '^123000000000-' "/proc/$LOAD_PID/maps")" 0 'hostile: no line is really one'
region escape
is "$(name_of "$START")" "$LOAD_OUT.files/"$'\e]0;title\a\e[2J\e[31mred' 'hostile: escape sequences'

# --- changes
load_start moves
region moves
before=$START
load_tell go '^moved '
moved=$(load_said '^moved ')
is "${moved%% "${moved##* }"}" "moved $before" 'moves: from where it was'
is "$(perms_of "$before")$(perms_of "${moved##* }")" 'rw-p' 'moves: it is in the new place only'
load_tell go '^moved '
is "$(load_said '^moved ')" "moved ${moved##* } $before" 'moves: and back'
load_start grow
load_tell 'grow 100' '^region '
region grow
is "$COUNTS" "$(truth "$START" "$END")" 'grow: its truth'
is "$(count pages "$COUNTS")" 164 'grow: larger'
load_tell 'shrink 150' '^region '
region grow
is "$COUNTS" "$(truth "$START" "$END")" 'shrink: its truth'
is "$(count pages "$COUNTS")" 14 'shrink: smaller'

# --- faults: what the load says is what the kernel counts
faults_of() { # of all threads, before and after the load's own answer
	sed 's/.*) //' "/proc/$LOAD_PID/stat" | awk '{ print $8 }'
}
for mode in churn threads:3; do
	load_start "$mode"
	before=$(faults_of)
	load_tell say '^faults '
	after=$(faults_of)
	said=$(load_said '^faults ')
	said=${said#*minor=} said=${said%% *}
	num "$before" -le "$said" "$mode: not fewer than stat had before"
	num "$said" -le "$after" "$mode: nor more than it has after"
	more_faults() { [ "$(faults_of)" -gt $((after + 1000)) ]; }
	ok "$mode: it goes on" wait_for more_faults
done
is "$(grep -c '^thread ' "$LOAD_OUT")" 4 'threads:3: a line for each thread'
load_start writer:4
load_tell say '^writer '
load_tell say '^writer '
like "$(load_said '^writer ')" '^writer passes=[1-9][0-9]* minor=[0-9]? worst' 'writer: no faults but the first ones'
load_start latency_empty:1
region tables
is "$COUNTS" 'pages=4294967296 present=0 file=0 zero=0 huge=0 guard=0 swap=0 dirty=0 exclusive=0' 'latency_empty: no pages'
num "$(awk '$1 == "VmPTE:" { print $2 }' "/proc/$LOAD_PID/status")" -ge 2048 'latency_empty: the page tables of a GiB'
load_start latency:16:100
load_tell say '^latency '
like "$(load_said '^latency ')" '^latency n=[1-9][0-9]* median_us=[0-9.]+ p99_us=[0-9.]+ worst_us=[0-9.]+ busy_us=[0-9.]+$' 'latency: its line'

# --- processes
load_start exec
load_tell small '^ready '
is "$(load_said '^ready ')" "ready $LOAD_PID" 'exec: the same process'
as_constructed 'exec small'
load_start zombie
zombie=$(load_said '^zombie ')
is "$(awk '$1 == "State:" { print $2 }' "/proc/${zombie#* }/status")" Z 'zombie: it is one'
load_start twins:4
is "$(pgrep -P "$LOAD_PID" -x pageload | wc -l)" 4 'twins: four of its name'
twin=$(load_said '^twin ')
load_end
ok 'twins: they end with it' wait_for has_exited "${twin#* }"

# --- the loads' own limits
expect 'a mode that is not known' 2 "pageload: bad mode
Try 'pageload --help'" "$HELPERS/pageload" maximal
expect 'a number that is none' 2 "pageload: bad number
Try 'pageload --help'" "$HELPERS/pageload" maps:x
expect 'pagetruth without a process' 2 "pagetruth: bad arguments
Try 'pagetruth --help'" "$HELPERS/pagetruth" 0
run "$HELPERS/pageload" small
expect_exit 0 'the end of standard input ends it'
load_start -t 1 small
reap "$load_job" 2>/dev/null
is "$status" 142 'so does its time limit, by SIGALRM'
load_job=''
done_testing
