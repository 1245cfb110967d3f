#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# heavy
# seconds: 14
# needs: root
# The files of -o and --gnuplot: written whole by a run with a result, also if COUNT or --duration ended it; after
# any other run those of an earlier one are as they were.  Signals: end.sh; sources that go: errors.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
chmod 755 "$TMP"

# --- found before the measurement ---
before() { # NAME MESSAGE OPTION...: refused at the start
	run "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/log" -- "$PC" -R -n 0 -r 60 "${@:3}"
	is "$status $out" '1 ' "$1: exit status 1, nothing on standard output"
	is "$(messages)" "power-calibrate: $2" "$1: the message"
}
mkdir "$TMP/plot.gp" "$TMP/dir"
before '-o in a folder that is not there' "$TMP/nowhere/x: No such file or directory" -o "$TMP/nowhere/x"
before '-o of a folder' "$TMP/dir: Is a directory" -o "$TMP/dir"
before '--gnuplot in a folder that is not there' "$TMP/nowhere/x.dat: No such file or directory" --gnuplot="$TMP/nowhere/x"
before '--gnuplot: the second file' "$TMP/plot.gp: Is a directory" --gnuplot="$TMP/plot"
is "$(ls "$TMP"/plot*)" '' '--gnuplot: and the first one is not there'
before '-o: a hostile name' '/no\x1b[2J\x0a/x: No such file or directory' -o $'/no\e[2J\n/x'
mkdir -m 755 "$TMP/shut"
echo earlier >"$TMP/shut/file"
run "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/log" -- env SUDO_UID=65534 SUDO_GID=65534 "$PC" -R -n 0 -r 60 -o "$TMP/shut/file"
is "$status $(tail -n 1 "$TMP/err")" "1 power-calibrate: $TMP/shut/file: Permission denied" 'a file that the calling user may not write'

# --- runs without a certain result, or that are not complete ---
fresh() { # NAME: files of an earlier run
	for suffix in yaml dat gp; do echo earlier >"$TMP/$1.$suffix"; done
}
begin() { # NAME MACHINE OPTION...
	fresh "$1"
	simulate "$1" "$2" "${short[@]}" -o "$TMP/$1.yaml" --gnuplot="$TMP/$1" "${@:3}"
}
kept() { # NAME
	is "$(cat "$TMP/$1".{yaml,dat,gp} | uniq)$(cd "$TMP" && printf ' %s' "$1".*)" \
		"earlier $1.dat $1.gp $1.log $1.msg $1.rows $1.yaml" "$1: the earlier files, and no others"
}
machine nothing <<<hostcpus
begin no-source nothing
begin usage calibrate-clock --op=none
begin no-cpu calibrate-clock -n 8191
begin constant calibrate-constant
begin one-test calibrate-clock --count=1
begin too-long calibrate-clock --max-time=1
begin full-output calibrate-clock --csv=/dev/full
begin killed-load calibrate-clock -s 60 --json
for name in no-source usage no-cpu constant one-test too-long full-output; do
	take "$name"
	isnt "$status" '' "$name: exit status $status"
	[ "$name" = one-test ] || isnt "$status" 0 "$name: not 0"
	kept "$name"
	[ "$(messages | grep -c 'no file was written')" = 0 ] || pass "$name: which is said"
done

has_reading() { grep -q '"reading"' "$TMP/killed-load.rows"; }
wait_for has_reading
mapfile -t loads < <(loads_of "${run_pid[killed-load]}")
is "${#loads[@]}" 1 'a load for each CPU'
kill -KILL "${loads[@]}"
take killed-load 1
like "$err" 'power-calibrate: the load of CPU 0 .*; the run ends' 'a load that is killed: the message'
is "$(jqs '.[-1].type')" '"summary"' 'and the records are complete'
kept killed-load

# --- a complete one ---
tries() { # COMMAND...: again while a busy machine is the reason for no result
	for _ in 1 2 3 4; do
		"$@"
		[ "$status" = 1 ] && grep -qE ': (the 95% confidence interval contains 0|no result: )' <<<"$err" || return
	done
}
certain() { # COUNT: skips so many tests without a result
	grep -qE ': (the 95% confidence interval contains 0|no result: )' <<<"$err" || return 0
	skip "no certain result: $(messages | tail -n 1)" "$1"
	return 1
}
whole() {
	begin whole calibrate-clock
	chmod 640 "$TMP/whole.yaml"
	take whole
}
tries whole
if certain 3; then
	is "$status $(messages)" '0 ' 'a complete run'
	like "$(cat "$TMP/whole.yaml" "$TMP/whole.dat" "$TMP/whole.gp")" 'one-percent-cpu-load-watts.*plot ' 'replaces the files'
	is "$(grep -lx earlier "$TMP"/whole.*; cd "$TMP" && echo whole.*)" 'whole.dat whole.gp whole.log whole.msg whole.rows whole.yaml' \
		'and leaves no others'
fi
# A limit that the user set: two of three tests, and half of the last one.
limited() { # NAME OPTION...
	fresh "$1"
	simulate "$1" calibrate-clock -R -n 0 -s 3 -r 1 --settle=0 0.1 -o "$TMP/$1.yaml" --gnuplot="$TMP/$1" "${@:2}"
	take "$1"
}
for limit in count=2 duration=2.5; do
	tries limited "${limit%=*}" "--$limit"
	certain 3 || continue
	is "$status $(messages)" '0 ' "--$limit: exit status 0, no message"
	is "$(grep -chE '^(    |# )complete: false$|, incomplete run' "$TMP/${limit%=*}".{yaml,dat,gp} | tr '\n' ' ')" '1 1 1 ' \
		"--$limit: the files are marked as incomplete"
	is "$(cd "$TMP" && echo "${limit%=*}".*)" "$(printf "${limit%=*}.%s " dat gp log msg rows)${limit%=*}.yaml" "--$limit: and no others"
done
as_user() {
	mkdir -p "$TMP/own"
	chown 65534:65534 "$TMP/own"
	run "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/log" -- env SUDO_UID=65534 SUDO_GID=65534 "$PC" \
		"${short[@]}" -o "$TMP/own/file"
}
tries as_user
if certain 1; then
	is "$status $(stat -c '%u %g' "$TMP/own/file")" '0 65534 65534' 'under sudo: a file of the calling user'
fi

# --- a full disk ---
mkdir "$TMP/disk"
if mount -t tmpfs -o size=64k tmpfs "$TMP/disk" 2>/dev/null; then
	full() {
		rm -f "$TMP/disk"/*
		echo earlier >"$TMP/disk/full.yaml"
		dd if=/dev/zero of="$TMP/disk/fill" bs=4k 2>/dev/null
		run "$LAB/run" "$(lab_tree calibrate-clock)" "$TMP/log" -- "$PC" "${short[@]}" -o "$TMP/disk/full.yaml"
	}
	tries full
	if certain 2; then
		is "$status $(messages)" "1 power-calibrate: $TMP/disk/full.yaml: No space left on device" 'a full disk: a message'
		is "$(cat "$TMP/disk/full.yaml") $(ls -A "$TMP/disk" | tr '\n' ' ')" 'earlier fill full.yaml ' 'the earlier file is as it was'
	fi
	umount "$TMP/disk"
else
	skip 'needs mount(2)' 2
fi
done_testing
