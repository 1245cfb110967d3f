#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# --failed: a row for each call of execve(2) and execveat(2) that failed, none of others.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq
need_cmd perl

case $(uname -m) in
x86_64) execveat=322 ;;
aarch64 | riscv64) execveat=281 ;;
*) skip_all "no failed execs on $(uname -m)" ;;
esac
chmod 755 "$TMP"
mkdir "$TMP/a" "$TMP/b" "$TMP/c"
touch "$TMP/b/closed" "$TMP/b/odd"
echo nothing >"$TMP/c/odd"
chmod 755 "$TMP/c/odd"
failed() { awk '$2 == "exec" && $4 ~ /^E[A-Z0-9]+$/ { print $4, $5 }' "$TMP/rows"; }
follow_sh() { follow "${@:2}" -- /bin/sh -c "PATH=$TMP/a:$TMP/b:$TMP/c; $1"; } # SCRIPT OPTION...

follow_sh 'exec /usr/bin/env nosuch' --failed
expect_exit 127 'a search along PATH'
is "$(failed)" "ENOENT $TMP/a/nosuch
ENOENT $TMP/b/nosuch
ENOENT $TMP/c/nosuch" 'a row for each directory, in order'
is "$(awk '$2 == "exec" && $4 == "/usr/bin/env"' "$TMP/rows" | wc -l)" 1 'the exec that succeeded'
follow_sh 'exec /usr/bin/env nosuch'
is "$(failed)" '' 'no such rows without --failed'

follow_sh "($TMP/b/closed); (/usr/bin/env odd); ($TMP/b/odd/x); ('$TMP/c/$(printf '\033')[2J')" --failed -s
is "$(failed)" "EACCES $TMP/b/closed
ENOENT $TMP/a/odd
EACCES $TMP/b/odd
ENOEXEC $TMP/c/odd
ENOTDIR $TMP/b/odd/x
ENOENT $TMP/c/\\x1b[2J" 'other errors, and a hostile name'

# In JSON, with the ids of the task that tried; of two users only the one that is asked for.
# shellcheck disable=SC2016
follow -j --failed -u 65534 -- perl -e 'for (0, 65534) {
	next if fork; $< = $> = $_; exec {"/nonexistent/of/$_"} "x"; exit 0 } wait; wait;
	syscall('$execveat', -100, my $f = "/nonexistent/at", 0, 0, 0);'
is "$(jqs 'map(select(.error) | [.event, .error, .file, .comm, .uid, (.argv, .name_source == null)])')" \
	'[["exec","ENOENT","/nonexistent/of/65534","perl",65534,null,true]]' '-u: rows of that user alone'
is "$(jqs 'last.events | [.exec, .failed_exec]')" '[0,1]' 'counted apart from execs'
follow --csv -e exec --failed -n at -- perl -e "syscall($execveat, -100, my \$f = '/nonexistent/at', 0, 0, 0)"
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "error") e = i; next } $3 == "exec" { print $e, $NF }' "$TMP/rows")" \
	'ENOENT /nonexistent/at' '-n: by the base name of the file; execveat(2); CSV'

# Nothing but the failure wakes the tool: the process lives on.
bg perl -e 'exec {"/nonexistent/alone"} "x" while sleep 1'
alone=$bg_pid
start --failed -P "$alone"
wait_for has_line "$TMP/rows" "exec +$alone +ENOENT +/nonexistent/alone"
ok 'a failure is shown though no event follows' has_line "$TMP/rows" ENOENT
finish
kill "$alone"

# Each task's rows: created, failed 9 times, ended.
# shellcheck disable=SC2016
follow -q --csv="$TMP/all" --failed -- perl -e 'for (1 .. 300) {
	unless (fork) { exec {"/nonexistent/$_"} "x" for (1 .. 9); exit 3 } wait if $_ > 8 } 1 while wait > 0'
is "$(grep -v '^time' "$TMP/all" | awk -F, '{ s[$4] = s[$4] " " $3 } END { for (p in s) print s[p] }' |
	sort | uniq -c | sort -rn | sed -n '1s/^ *//p' | tr -s ' ')" "300 fork$(printf ' exec%.0s' 1 2 3 4 5 6 7 8 9) exit" \
	'in order, none missing, while many processes run'

expect '--failed without exec' 2 "forkstat: --failed requires the event exec; add exec to --events
Try 'forkstat --help' for more information." "$FORKSTAT" --failed -e fork
done_testing
