#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# Every kind of event as a row: exact columns, names and values, and the options that change
# them.  The load itself reports what happened.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing

pid_of() { awk -F'\t' -v k="$1" -v n="${2:-1}" '$1 == k && ++i == n { print $2 }' "$TMP/truth"; }
row() { # NAME ERE-AFTER-TIME: exactly one such row
	local n
	n=$(grep -cE "^[0-2][0-9]:[0-5][0-9]:[0-5][0-9] $2\$" "$TMP/rows")
	is "$n" 1 "$1: $2"
}

follow -E -- "$HELPERS/load" -o "$TMP/truth" kinds
expect_exit 0 'all kinds of events'
is "$err" '' 'no message'
judge 'all events of all kinds are as they were' --events fork,exec,exit,uid,gid,sid,comm,ptrace,core
is "${V[ctl_bytes]} ${V[headings]}" '0 1' 'one heading, no control byte'

width=$(cat /proc/sys/kernel/pid_max)
width=$((width - 1))
width=${#width}
[ "$width" -ge 5 ] || width=5
p() { printf "%${width}d" "$1"; }
is "$(head -n 1 "$TMP/rows")" "$(printf "Time     Event %${width}s Info   Duration Process" PID)" 'the heading'
load="$HELPERS/load -o $TMP/truth kinds"
load_pid=$(p "$(awk -F'\t' '$1 == "load" { print $2 }' "$TMP/truth")")
dur=' {1,3}[0-9]+\.[0-9]{3}s'
row exec "exec  $load_pid {17}$load"
row child "fork  $(p "$(pid_of uid)") child {10} $load"
is "$(grep -cE "fork  $load_pid parent {10}$load\$" "$TMP/rows")" "$(truth_count '$3 == '"$load_pid")" \
	'a parent row for each fork'
is "$(awk '$2 == "fork" && $4 == "child" && (was != "parent" || $0 ~ /parent/) { bad++ }
	{ was = $4 } END { print bad + 0 }' "$TMP/rows")" 0 'each child row follows its parent row'
row uid "uid   $(p "$(pid_of uid)") $(printf '%-16s' "$(id -nu 1)")$load"
row gid "gid   $(p "$(pid_of gid)") $(printf '%-16s' "$(getent group 1 | cut -d: -f1)")$load"
row sid "sid   $(p "$(pid_of sid)") $(printf '%6d' "$(pid_of sid)") {10}$load"
row comm "comm  $(p "$(pid_of comm)") {17}load -> sm-renamed"
row 'ptrace, tracer' "ptrce $load_pid attach {10}$load"
row 'ptrace, tracee' "ptrce $(p "$(pid_of ptrace)") attach {10}$load"
row 'ptrace ends' "ptrce $(p "$(pid_of ptrace)") detach {10}$load"
row core "core  $(p "$(pid_of core)") {17}$load"
row 'exit 3' "exit  $(p "$(pid_of fork)") {6}3$dur $load"
row SIGKILL "exit  $(p "$(pid_of fork 2)") SIGKILL ?$dur $load"
row 'exit 0' "exit  $(p "$(pid_of vfork)") {6}0$dur $load"
dumped=$(awk -F'\t' '$1 == "core" && int($5 / 128) % 2 { print "[+]core" }' "$TMP/truth")
row SIGABRT "exit  $(p "$(pid_of core)") SIGABRT$dumped$dur $load"
row 'hostile exec' "exec  $(p "$(pid_of exec)") {17}\\\\x1b]0;pwned\\\\x07\\\\x1b\[2J\\\\x0afork \\\\x09\\\\u\{009b\}31mé\\\\xff 000008"
is "$(grep -c ' $' "$TMP/rows")" 0 'no trailing blank'
is "$(grep -cv '^[0-9T]' "$TMP/rows")" 0 'every line is a row'

# Lifetimes: no shorter than what the program asked for, no longer than the whole run.
sleeper() { follow -e exit --exit zero -- sh -c 'sleep 0.3; exit 0'; }
before=${EPOCHREALTIME/./}
sleeper
after=${EPOCHREALTIME/./}
ok 'a lifetime' awk -v most=$((after - before)) '$2 == "exit" && /sleep 0.3$/ {
	d = $5; good = sub(/s$/, "", d) && d >= 0.3 && d * 1e6 <= most + 1000 } END { exit !good }' "$TMP/rows"

# --- columns ---
small() { follow "$@" -- "$HELPERS/load" -n 3 -o "$TMP/truth" mix; }
small -N
is "$(grep -c Time "$TMP/rows")" 0 '-N: no heading'
judge '-N: the same rows'
small -x -i
is "$(awk '$2 == "exec" && $5 == "root" && $6 == "root" { n++ } END { print n + 0 }' "$TMP/rows")" 2 \
	'-x: user and effective user'
is "$(awk -v p="$(pid_of exec)" '$2 == "exec" && $3 == p { print $4 }' "$TMP/rows")" \
	"$(awk -F'\t' '$1 == "exec" { print $3 }' "$TMP/truth")" "-i: the parent's pid"
small --show-tid
thread=$(awk -F'\t' '$1 == "thread" { print $4, $3 }' "$TMP/truth")
is "$(awk '$2 == "clone" && $5 == "thread" { print $3, $4 }' "$TMP/rows")" "$thread" \
	'--show-tid: thread and process'
is "$(awk '$2 == "clone" && $5 == "parent" { print $3 }' "$TMP/rows")" "${thread#* }" \
	'the parent row of a thread is its process'

follow -E -x -N -- "$HELPERS/load" -o "$TMP/truth" kinds
is "$(awk -v p="$(pid_of uid)" '$3 == p && ($2 == "fork" || $2 == "exit") { print $4, $5 }' "$TMP/rows" |
	tr '\n' ' ')" "root root $(id -nu 1) $(id -nu 1) " '-x: new user ids after setresuid'

small -g
for glyph in 'fork .*[0-9] ┬parent ' 'fork .*[0-9] └child ' 'exit .*[0-9] ⇥ +0 ' 'clone .*[0-9] └thread '; do
	ok "-g: $glyph" grep -qE "$glyph" "$TMP/rows"
done
like "$(grep ' exec ' "$TMP/rows" | tail -n 1)" 'exec +[0-9]+ →  +tiny load-exec' '-g: exec'
LC_ALL=C small -g
is "$(LC_ALL=C grep -c '[^ -~]' "$TMP/rows")" 0 '-g in the C locale: ASCII only'
like "$(grep ' exec ' "$TMP/rows" | tail -n 1)" 'exec +[0-9]+ > +tiny' '-g in the C locale: exec'

# --- names ---
name() { awk -v f="$1" '$2 == "exec" { i = match($0, f); if (i) print substr($0, i) }' "$TMP/rows"; }
follow -s -- /bin/sh -c 'exec /bin/echo a/b c'
is "$(name '/bin/.*$' | tail -n 1)" /bin/echo '-s: only the program'
follow -d -- /bin/sh -c 'exec /bin/echo a/b c'
is "$(name 'echo.*$' | tail -n 1)" 'echo a/b c' '-d: without its directory, arguments whole'
follow -s -d -- /bin/sh -c 'exec /bin/echo a/b c'
like "$(grep exec "$TMP/rows" | tail -n 1)" ' echo$' '-s -d'
unlike "$(cat "$TMP/rows")" 'bin/echo' '-s -d: no path is left'
follow -c -- /bin/sh -c 'exec /bin/echo a/b c'
like "$(grep exec "$TMP/rows" | tail -n 1)" '[0-9] {17}echo$' '-c: comm'

# --- time ---
day=$(date +%F)
time_is() { # ERE OPTION...
	local ere=$1
	shift
	follow -N -e exec "$@" -- true
	like "$(grep ' true$' "$TMP/rows")" "^$ere +exec +[0-9]+ +true\$" "time: $*"
}
clock='[0-2][0-9]:[0-5][0-9]:[0-5][0-9]'
time_is "$clock" --timestamp=clock
time_is "$clock\\.[0-9]{6}" --usec
time_is "(${day}|$(date -d tomorrow +%F))T$clock.*" --timestamp=iso
time_is "(${day}|$(date -d tomorrow +%F))T$clock.*" --timestamp
time_is "(${day}|$(date -d tomorrow +%F))T$clock.*" -t iso
time_is "[0-9]{10}(\\.[0-9]+)?" --timestamp=epoch
time_is "[0-9]+\\.[0-9]+" --timestamp=mono
time_is " *[+]?[0-9]+\\.[0-9]+" --timestamp=delta
before=$(date +%s)
follow -N -e exec --timestamp=epoch --usec -- true
after=$(date +%s)
ok 'epoch is now' awk -v a="$before" -v b="$after" '/ true$/ { n = $1 >= a && $1 < b + 1 } END { exit !n }' "$TMP/rows"
up=$(cut -d. -f1 /proc/uptime)
follow -N -e exec --timestamp=mono -- true
ok "mono is the kernel's clock" awk -v a="$up" '/ true$/ { n = $1 >= a - 1 && $1 < a + 60 } END { exit !n }' "$TMP/rows"
TZ=Asia/Tokyo follow -N -e exec --timestamp=iso -- true
like "$(cat "$TMP/rows")" 'T[0-9:.]+([+]09:?00|Z)? ' 'iso in another zone'
# Rows of rates: the style asked for, as the events'.
for style in clock iso epoch mono; do
	follow -N -R 0.1 -e exec --timestamp=$style -- sh -c 'true; sleep 0.3'
	case $style in
	clock) ere=$clock ;;
	iso) ere="(${day}|$(date -d tomorrow +%F))T$clock.*" ;;
	*) ere='[0-9]+(\.[0-9]+)?' ;;
	esac
	like "$(grep ' rate ' "$TMP/rows" | tail -n 1)" "^$ere +rate  ----- exec [0-9.]+/s lost [0-9]+\$" "rates: $style"
done
done_testing
