#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# JSON lines: every line parses, the records are complete, bytes come back as they were.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq base64

follow -E -j -- "$HELPERS/load" -o "$TMP/truth" kinds
expect_exit 0
is "$(jq -c . "$TMP/rows" | wc -l)" "$(wc -l <"$TMP/rows")" 'every line is a JSON value'
judge 'the events are as they were' --format json --events fork,exec,exit,uid,gid,sid,comm,ptrace,core
is "$(jqs '[.[0].type, .[0].tool, .[0].schema, .[-1].type]')" '["header","forkstat",1,"summary"]' 'header and summary'
is "$(jqs '.[0].boot_id' | tr -d '"')" "$(cat /proc/sys/kernel/random/boot_id)" 'the header names the boot'
is "$(jqs '[.[] | select(.type == "event").mono_ns] | . == sort')" true 'in order of time'
is "$(jqs '.[-1].events | .fork + .exec + .exit + .core + .comm + .clone + .ptrce + .uid + .gid + .sid')" \
	"$(jqs 'map(select(.type == "event")) | length')" 'the summary counts the records'
n=$(awk -F'\t' 'NF > 4 && $1 != "cpu"' "$TMP/truth" | wc -l)
is "$(jqs '[.[] | select(.event == "fork")] | length')" "$n" 'a fork is one record'
p() { awk -F'\t' -v k="$1" -v n="${2:-1}" '$1 == k && ++i == n { print $2 }' "$TMP/truth"; }
load=$(p load)
event() { jqs "map(select(.event == \"$1\" and .pid == $2))[0] | $3"; }
is "$(event uid "$(p uid)" '[.uid, .euid]')" '[1,1]' 'uid'
is "$(event gid "$(p gid)" '[.gid, .egid]')" '[1,1]' 'gid'
is "$(event sid "$(p sid)" .sid)" "$(p sid)" 'sid'
is "$(event comm "$(p comm)" '[.old_comm, .comm]')" '["load","sm-renamed"]' 'comm'
is "$(jqs "map(select(.event == \"ptrce\" and .pid == $(p ptrace)).tracer_pid)")" "[$load,0]" 'ptrace: attached, detached'
is "$(event exit "$(p fork)" '[.status, .signal, .core]')" '[3,0,false]' 'exit 3'
is "$(event exit "$(p fork 2)" '[.status, .signal, .signal_name]')" '[0,9,"SIGKILL"]' 'SIGKILL'
core=$(awk -F'\t' '$1 == "core" { print (int($5 / 128) % 2 ? "true" : "false") }' "$TMP/truth")
is "$(event exit "$(p core)" '[.signal, .core]')" "[6,$core]" 'SIGABRT'
is "$(event fork "$(p uid)" '[.ppid, .tgid, .name_source]')" "[$load,$(p uid),\"inherited\"]" 'fork: parent, process, where the name is from'
is "$(jqs '.[-1].signals | map([.signal, .count])')" "[[6,1],[9,2]]" 'the summary has the signals'

follow -j -- "$HELPERS/load" -n 4 -o "$TMP/truth" thread
is "$(jqs 'map(select(.event == "clone")) | map([.pid, .tgid, .ppid])')" \
	"$(awk -F'\t' '$1 == "thread" { print "[" $4 "," $2 "," $3 "]" }' "$TMP/truth" | jq -sc .)" 'threads'

# Hostile bytes.  hostile.c: six arguments.
follow -j -- "$HELPERS/hostile" argv
jq -r 'select(.event == "exec" and .comm == "tiny").argv_b64' "$TMP/rows" | base64 -d >"$TMP/got"
printf '\e]0;pwned\a\e[2J\e[31mEVIL\t\xc2\x9b31m\0line\n00:00:00 exec      1                 forged\0\xe2\x80\xaertl\0\xff\xfe\xc3\0caf\xc3\xa9\0"quoted", \\back\0' >"$TMP/want"
ok 'argv_b64 gives the bytes back' cmp "$TMP/got" "$TMP/want"
is "$(jqs 'map(select(.event == "exec" and .comm == "tiny"))[0].argv | [length, .[4], .[5]]')" '[6,"café","\"quoted\", \\back"]' 'argv'
is "$(LC_ALL=C grep -c '[^ -~]' <(LC_ALL=C tr -d '\303\251\357\277\275' <"$TMP/rows"))" 0 'no other byte beyond ASCII and no control byte'
ok 'it is UTF-8' iconv -f UTF-8 -t UTF-8 -o /dev/null "$TMP/rows"
follow -j -E -- "$HELPERS/hostile" comm
jq -r 'select(.event == "comm") | .comm' "$TMP/rows" >"$TMP/got" 2>&1
like "$(jqs 'map(select(.event == "comm"))[0].comm')" '^"\\u001b\[2J\\n\\t.*\) Z"$' 'a hostile comm'
is "$(jq -c . "$TMP/rows" | wc -l)" "$(wc -l <"$TMP/rows")" 'every line is a JSON value'
follow -j -- /bin/sh -c ': ä€😀'
is "$(jqs 'map(select(.event == "exec"))[0].argv[2]')" '": ä€😀"' 'UTF-8 stays itself'
is "$(jqs 'map(select(.event == "exec"))[0] | has("argv_b64")')" false 'no argv_b64 when it is not needed'
follow -j -- /bin/echo '' ' ' ''
is "$(jqs 'map(select(.event == "exec"))[0].argv')" '["/bin/echo",""," ",""]' 'empty arguments'

# 128 KiB in one argument: complete while the process lives to be asked, else marked.
follow -j -- "$HELPERS/longargs"
long=$(jqs 'map(select(.event == "exec" and .comm == "tiny"))[0] | [.truncated, (.argv | length), (.argv[1] | length), (.argv[1][-3:])]')
case $long in
'[false,2,131071,"END"]') pass 'an argument of 128 KiB is complete' ;;
*) like "$long" '^\[true,' 'an argument of 128 KiB is complete or marked as cut' ;;
esac
follow -j -- "$HELPERS/longargs" 6000
is "$(jqs 'map(select(.event == "exec" and .comm == "tiny"))[0] | [.truncated, (.argv[1] | length), .argv[1][-3:]]')" \
	'[false,6000,"END"]' 'one of 6000 bytes is complete'
# Beside the table.
follow --json="$TMP/beside" -- true
like "$(head -n 1 "$TMP/rows")" '^Time' '--json=FILE: the table as ever'
is "$(jqs '[.[0].type, .[-1].type]' "$TMP/beside")" '["header","summary"]' '--json=FILE: the records'
is "$(jqs 'map(select(.event == "exec").argv)' "$TMP/beside")" '[["true"]]' '--json=FILE: an exec'
done_testing
