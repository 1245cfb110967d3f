#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor dir, and the directory in which its files are: where it is, whose it is, and that it is removed.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
mkdir -m 777 "$TMP/work" "$TMP/other"
cd "$TMP/work" || exit 2
few=(--dir 2 --dir-dirs=64)

stress "${few[@]}" --dir-ops=100
is "$status $(of dir '[.status, .ops] | @csv')" '0 "pass",200' 'two instances: no more ops than asked for'
for name in mkdir lookup entry rmdir; do num "$(metric dir "time per $name" | cut -d. -f1)" -gt 0 "time per $name"; done
is "$(metric dir directories | awk '{ print ($1 > 0) }')" 1 'a rate'
is "$(ls -A . "$TMP/other")" $'.:\n\n'"$TMP/other:" 'nothing is left in the working directory'

# What the directory is while it is there, by name: an instance in it is not needed for that.
start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"dir".*"ops":[1-9]'
}
stop() {
	kill -INT "$bg_pid"
	reap "$bg_pid"
}
scratch() { ls -d "$1"/stressors-scratch-?????? 2>/dev/null; }

start "${few[@]}" --temp-path="$TMP/other"
is "$(stat -c '%a %u' "$(scratch "$TMP/other")")" "700 $(id -u)" '--temp-path: the directory is for the user alone'
is "$(cd "$(scratch "$TMP/other")" && echo *)" 'dir-0 dir-1' 'each instance has one of its own'
stress "${few[@]}" --dir-ops=1 --temp-path="$TMP/other"
is "$status $(scratch "$TMP/other" | wc -l)" '0 1' 'a second run leaves that of the first one'
stop
is "$status $(ls -A "$TMP/other")" '130 ' 'a signal: nothing is left'
start "${few[@]}" --abort
kill -KILL "$(pgrep -P "$bg_pid" | head -n 1)"
reap "$bg_pid"
is "$status $(of dir .status) $(ls -A)" '2 fail ' 'an instance was killed: nothing is left'

# Nobody removes it after SIGKILL; the next run does, and only there.
start "${few[@]}"
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
wait_for group_gone
left=$(scratch .)
like "$left" '^\./stressors-scratch-[a-z0-9]{6}$' 'SIGKILL of all: it is left'
mkdir -m 700 stressors-scratch-backups
stress --nop 1 --nop-ops=1
is "$status $(scratch .)" "0 $left" 'a run that needs none does not look for it'
stress "${few[@]}" --dir-ops=1
is "$status $(ls -A)" '0 stressors-scratch-backups' 'the next run removes it, and no directory of another name'
rmdir stressors-scratch-backups

# A stage of its own for each job.
stress --seq 1 --with=dir,nop --dir-ops=1 --dir-dirs=64 --nop-ops=1
is "$status $(of dir .status) $(of nop .status) $(ls -A)" '0 pass pass ' '--seq'

# Limits and places.
stress "${few[@]}" --max-disk=300k --nop 1 --nop-ops=1
is "$status $(of dir '"\(.status): \(.reason)"') $(of nop .status)" \
	'3 no-resource: needs 1 MB of disk, and all jobs together may use 0 MB; --max-disk permits more pass' '--max-disk: less than the instances need'
stress "${few[@]}" --max-disk=512k --dir-ops=1
is "$status $(of dir .status)" '0 pass' '--max-disk: as much as they need'
run "$STRESSORS" "${few[@]}" --max-disk=10%
is "$status ${err%%$'\n'*}" "1 stressors: option '--max-disk': '10%' must be a number of bytes (4096, 64k, 1.5g)" '--max-disk: a percentage'
run "$STRESSORS" "${few[@]}" -n
like "$out" '--dir 2 --dir-dirs 64  # memory: [0-9.]+ KiB, disk: 512.0 KiB' '-n shows the disk'
stress "${few[@]}" --temp-path="$TMP/none"
is "$status $(of dir '"\(.status): \(.reason)"')" \
	"4 skip: cannot create a directory for its files in $TMP/none (--temp-path): No such file or directory" \
	'--temp-path: no such directory'
printf 'temp-path %s\nmax-disk 1m\ndir 1\ndir-dirs 64\n' "$TMP/other" >"$TMP/job"
start --job="$TMP/job"
is "$(scratch "$TMP/other" | wc -l) $(ls -A)" '1 ' 'a job file names the place'
stop

# Under sudo all of it is the user's.
if [ "$(id -u)" = 0 ]; then
	mkdir -m 700 "$TMP/user"
	chown 65534:65534 "$TMP/user"
	chmod 777 "$TMP"
	rm -f "$TMP/rows"
	export SUDO_UID=65534 SUDO_GID=65534
	start "${few[@]}" --temp-path="$TMP/user"
	dir=$(scratch "$TMP/user")
	is "$(stat -c '%a %u:%g' "$dir" "$dir/dir-0" | uniq)" '700 65534:65534' 'sudo: the directory is the user'"'"'s'
	is "$(pgrep -P "$bg_pid" | sed 's|.*|/proc/&/status|' | xargs sed -n 's/^\(Uid\|CapEff\):\t//p' | sort -u)" \
		$'0000000000000000\n65534\t65534\t65534\t65534' 'sudo: and so are the instances'
	kill -KILL "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	ok 'sudo: they end with the supervisor' wait_for group_gone
	stress "${few[@]}" --dir-ops=1 --temp-path="$TMP/user"
	is "$status $(ls -A "$TMP/user")" '0 ' 'sudo: the next run removes it'
	mkdir -m 700 "$TMP/root"
	stress "${few[@]}" --temp-path="$TMP/root"
	is "$status $(of dir .status)" '4 skip' 'sudo: none in a directory of root'
	unset SUDO_UID SUDO_GID
else
	skip 'sudo: needs root' 5
fi
done_testing
