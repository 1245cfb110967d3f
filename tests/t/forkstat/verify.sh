#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The judge on trial: load writes a true account, verify finds every planted defect.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"

# A load 100 that made: 101 exec, 102 fork killed by 9, thread 103, 104 exec of a hostile name.
cat >"$TMP/truth" <<'EOF'
load	100	99	/opt/load -o x exec
file	/opt/tiny
exec	101	100	101	0	tiny a b\x20c
fork	102	100	102	9	/opt/load -o x exec
thread	100	100	103	0	/opt/load -o x exec
exec	104	100	104	768	\x1b[2Jtiny\xff x
EOF
cat >"$TMP/human" <<'EOF'
Time     Event   PID Info   Duration Process
07:00:00 fork    100 parent          /opt/load -o x exec
07:00:00 fork    101 child           /opt/load -o x exec
07:00:00 exec    101                 tiny a b c
07:00:00 exit    101      0   0.001s tiny a b c
07:00:00 fork    100 parent          /opt/load -o x exec
07:00:00 fork    102 child           /opt/load -o x exec
07:00:00 exit    102   sig9   0.001s /opt/load -o x exec
07:00:00 clone   100 parent          /opt/load -o x exec
07:00:00 clone   103 thread          /opt/load -o x exec
07:00:00 exit    103 thread   0.001s /opt/load -o x exec
07:00:00 fork    100 parent          /opt/load -o x exec
07:00:00 fork    104 child           /opt/load -o x exec
07:00:00 exec    104                 \x1b[2Jtiny\xff x
07:00:00 exit    104      3   0.001s \x1b[2Jtiny\xff x
07:00:00 exec    999                 somebody else
EOF
cat >"$TMP/json" <<'EOF'
{"type":"header","tool":"forkstat"}
{"type":"event","event":"fork","pid":101,"tgid":101,"ppid":100,"argv":["/opt/load","-o","x","exec"],"name_source":"inherited"}
{"type":"event","event":"exec","pid":101,"ppid":100,"comm":"tiny","argv":["tiny","a","b c"],"name_source":"exec"}
{"type":"event","event":"exit","pid":101,"status":0,"signal":0,"core":false,"argv":["tiny","a","b c"],"name_source":"exec"}
{"type":"event","event":"fork","pid":102,"ppid":100,"argv":["/opt/load","-o","x","exec"]}
{"type":"event","event":"exit","pid":102,"status":0,"signal":9,"core":false,"argv":["/opt/load","-o","x","exec"]}
{"type":"event","event":"clone","pid":103,"tgid":100,"ppid":100,"argv":["/opt/load","-o","x","exec"]}
{"type":"event","event":"exit","pid":103,"status":0,"signal":0,"process_end":false,"argv":["/opt/load","-o","x","exec"]}
{"type":"event","event":"fork","pid":104,"ppid":100,"argv":["/opt/load","-o","x","exec"]}
{"type":"event","event":"exec","pid":104,"argv":["\u001b[2Jtiny\ufffd","x"]}
{"type":"event","event":"exit","pid":104,"status":3,"signal":0,"argv":["\u001b[2Jtiny\ufffd","x"]}
{"type":"summary","events":11}
EOF

value() { sed -n "s/^$1=//p" "$TMP/out"; } # NAME, of the last verify

clean() { # FORMAT
	run "$HELPERS/verify" --format "$1" "$TMP/truth" "$TMP/$1"
	expect_exit 0 "$1: true rows pass"
	is "$(value sent) $(value rows) $(value exec_full)" '10 10 2' "$1: all is counted"
}
clean human
clean json

# After the sed program SCRIPT on FORMAT's rows, verify must fail and COUNTER be VALUE.
planted() { # FORMAT SCRIPT COUNTER VALUE NAME
	sed -e "$2" "$TMP/$1" >"$TMP/rows"
	run "$HELPERS/verify" --format "$1" "$TMP/truth" "$TMP/rows"
	is "$(value "$3"); $status" "$4; 1" "$1: $5"
}
planted human '4d' lost_exec 1 'a lost exec'
planted human '2,3d' lost_fork 1 'a lost fork'
planted human '7,8d' lost 2 'a lost fork and thread'
planted human '11d' lost_thread_exit 1 'the lost exit of a thread'
planted human '4p' extra 1 'a row twice'
planted human '4s/tiny.*/tiny a/' exec_wrong 1 'cut arguments are wrong'
planted human '4s/tiny.*/?/' exec_unknown 1 'no name'
planted human '4s/tiny.*/sh [file]/' exec_wrong 1 'another file'
planted human '3s/.opt.*/tiny a b c/' fork_name_wrong 1 'a name from the future'
planted human '5s/tiny.*/\/opt\/load/' exit_name_wrong 1 "the parent's name at exit"
planted human '2s/100/  1/' parent_wrong 1 'a false parent'
planted human '10s/thread/child /;10s/clone/fork /' thread_as_fork 1 'a thread as a fork'
planted human '3s/child /thread/' fork_as_thread 1 'a fork as a thread'
planted human '4{h;d};5G' order 1 'exec after exit'
planted human '8s/sig9/   9/' status_wrong 1 'a signal as a status'
planted human '15s/3 /0 /' status_wrong 1 'a false status'
planted human '14s/^/\x1b/' ctl_bytes 1 'a raw escape'
planted human '14s/x$/\xff/' ctl_bytes 1 'a byte that is not UTF-8'
planted human '14s/x$/\xc2\x9b/' ctl_bytes 1 'a C1 control'
planted human '$a 07:00:01 lost  ----- 54 events lost (kernel buffer)' reported_lost 54 'reported losses'
planted json '3d' lost_exec 1 'a lost exec'
planted json '3s/b c/b/' exec_wrong 1 'cut arguments'
planted json '2s/:100/:1/' parent_wrong 1 'a false parent'
planted json '7s/clone/fork/' thread_as_fork 1 'a thread as a fork'
planted json '6s/signal":9/signal":6/' status_wrong 1 'a false signal'
planted json '$i {"type":"event","event":"lost","count":7}' reported_lost 7 'reported losses'

sed -e '4s/tiny.*/\/opt\/tiny [file]/' -e '14s/\\.*/tiny [comm]/' "$TMP/human" >"$TMP/rows"
run "$HELPERS/verify" "$TMP/truth" "$TMP/rows"
is "$(value exec_file) $(value exec_comm) $(value exec_full) $status" '1 1 0 0' \
	'marked fallbacks are counted and are not wrong'

sed -e '8s/  sig9/     9/' -e '11s/thread/     0/' -e '15s/  3 /768 /' "$TMP/human" >"$TMP/rows"
run "$HELPERS/verify" --raw-status "$TMP/truth" "$TMP/rows"
expect_exit 0 "the original's raw status"

sed -e '/exec  /d' -e '/exit/d' "$TMP/human" >"$TMP/rows"
run "$HELPERS/verify" --events fork,clone "$TMP/truth" "$TMP/rows"
expect_exit 0 'only the events that were asked for are missed'

# load: what it says it made is what it made.
run "$HELPERS/load" -n 9 -o "$TMP/mix" mix
expect_exit 0 'load mix'
is "$(cut -f1 "$TMP/mix" | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	' 1 cpu; 3 exec; 1 file; 3 fork; 1 load; 3 thread;' 'a third of each'
run "$HELPERS/load" -g 2 -n 4 -b 2 -o "$TMP/gen" exec
is "$(awk -F'\t' '$1 == "gen" { g[$2] } $1 == "exec" && $3 in g { n++ } END { print length(g), n }' \
	"$TMP/gen")" '2 4' 'the children of two generators'
run "$HELPERS/load" -o "$TMP/kinds" kinds
is "$(awk -F'\t' '$1 ~ /^(fork|ptrace)$/ { print $5 }' "$TMP/kinds" | tr '\n' ' ')" '9 768 9 ' \
	'exit 3, SIGKILL and the traced one'
is "$(awk -F'\t' '$1 == "core" { print $5 % 128 }' "$TMP/kinds")" 6 'abort'
run "$HELPERS/load" -n 1 -o "$TMP/none" nosuch
expect_exit 2 'an unknown mode'
done_testing
