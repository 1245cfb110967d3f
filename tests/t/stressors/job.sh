#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# A job file is read with the rights of the user of sudo(8), and messages do not repeat its text.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cap setuid setgid
as_user=(env SUDO_UID=65534 SUDO_GID=65534 "$STRESSORS")
usage=$'\n'"Try 'stressors --help' for more information."
chmod 755 "$TMP"
mkdir -m 700 "$TMP/shut"
printf 'root:secret:1\n' >"$TMP/roots"
chmod 600 "$TMP/roots"
cp "$TMP/roots" "$TMP/shut/open"
chmod 644 "$TMP/shut/open"
printf 'secret 4\n' >"$TMP/group"
chgrp 65534 "$TMP/group"
chmod 640 "$TMP/group"
ln -s roots "$TMP/link"

for file in roots shut/open link; do
	expect "sudo: $file of root is not read" 1 "stressors: $TMP/$file: Permission denied$usage" "${as_user[@]}" --job="$TMP/$file"
	expect_out '' "sudo: $file: nothing is printed"
done
expect "sudo: a file of the user's group is read" 1 "stressors: $TMP/group:1: unknown option$usage" "${as_user[@]}" --job="$TMP/group"
expect 'root without sudo reads its own file' 1 "stressors: $TMP/roots:1: unknown option$usage" \
	env -u SUDO_UID -u SUDO_GID "$STRESSORS" --job="$TMP/roots"
printf 'nop 1\ntimeout 0.1\n' >"$TMP/job"
run "${as_user[@]}" --job="$TMP/job"
like "$status $out" '^0 nop: passed' 'sudo: a file that all may read is run'
run "${as_user[@]}" --job="$TMP"
like "$status $err" '^1 .*Is a directory' 'a directory'

# LINE WANT: the message of a job file with this line after another; no part of the value is in it.
says() {
	printf 'cpu 7\n%s\n' "$1" >"$TMP/job"
	expect "no text: $1" 1 "stressors: $TMP/job:2: $2$usage" "$STRESSORS" --job="$TMP/job"
}
says 'secret 4' 'unknown option'
says 'npo secret' 'unknown option: the nearest is nop'
says 'nop secret' 'nop: must be a whole number'
says "nop a'secret'b" 'nop: must be a whole number'
says 'timeout secret' 'timeout: must be a duration (5, 1.5s, 200ms, 2m)'
says 'qsort-size 1' 'qsort-size: must be from 1024 to 4194304'
says 'with secret' 'with: unknown stressor'
says 'with npo' 'with: unknown stressor: the nearest is nop'
says 'secret =' 'the value is empty'
says 'run secret' "'run' must be followed by sequential or parallel"
printf 'cpu 7\ntaskset secret\n' >"$TMP/job"
expect 'no text: taskset' 1 "stressors: taskset in the job file must be a CPU, a range (0-3), all, even, odd or package0$usage" \
	"$STRESSORS" --job="$TMP/job"
done_testing
