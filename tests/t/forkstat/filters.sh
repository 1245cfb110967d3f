#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# The filters: what passes is everything that should and nothing else.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq
mkdir -m 777 "$TMP/w"
truth=$TMP/w/truth
open_helpers load tiny verify

patience=60
# The load behind a gate, watched with OPTION..., where @ stands for the gate's pid.
gated() { # NAME MODE OPTION...
	local name=$1 mode=$2
	shift 2
	rm -f "$truth"
	gate "$HELPERS/load" -n 12 -o "$truth" "$mode"
	start "${@//@/$gate}"
	open_gate
	reap "$gate"
	wait_for -t "$patience" has_line "$TMP/rows" "exit +$gate |\"event\":\"exit\",\"pid\":$gate,"
	finish
	own_rows
	cp "$truth" "$TMP/truth"
	is "$status$err" 0 "$name"
}
pids() { awk '$3 ~ /^[0-9]+$/ { print $3 }' "$TMP/rows" | sort -un | tr '\n' ' '; }
truth_pids() { awk -F'\t' '$2 ~ /^[0-9]+$/ && $1 != "cpu" { print $2 "\n" $4 }' "$TMP/truth" |
	awk '/^[0-9]+$/' | sort -un | tr '\n' ' '; }

gated '--ppid' mix --ppid=@
judge '--ppid: the whole tree'
is "$(pids)" "$(truth_pids)" '--ppid: nothing else'
gated '--pid' exec --pid=@
is "$(awk '$2 == "exec" || $2 == "exit" { print $3 }' "$TMP/rows" | sort -u)" "$gate" '--pid: exec and exit rows are its own'
is "$(grep -c ' child ' "$TMP/rows")" 12 '--pid: its forks are shown'
gated '-P of two' exec -P 1,@
is "$(awk '$2 == "exec" { print $3 }' "$TMP/rows" | sort -u)" "$gate" '-P: a list'

gate_as=(setsid)
gated '--pgrp' mix --pgrp=@
judge '--pgrp: all of the group, exits too'
is "$(pids)" "$(truth_pids)" '--pgrp: nothing else'
gate_as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
gated '--uid by number' mix --uid=65534
judge '--uid: all of the user'
gated '--uid by name' mix -j -u "$(id -nu 65534)"
judge '--uid: all of the user, JSON' --format json
is "$(jqs 'map(select(.type == "event").uid) | unique')" '[65534]' '--uid: of no other user'
gate_as=(env)
patience=0 # there is nothing to wait for
gated 'filters together' mix -T @ -u 65534
is "$(awk '/^[0-9]/' "$TMP/rows" | wc -l)" 0 'all filters must hold'

small() { follow -N "$@" -- "$HELPERS/load" -n 12 -o "$TMP/truth" exec; }
small --name=tiny
is "$(events)" 'exec=12 exit=12' '--name: base name of the program'
small -n '*load'
is "$(events)" 'exec=1 exit=1 fork=24' '-n: a pattern'
small --name='nosuch*'
is "$(cat "$TMP/rows")" '' '--name: nothing matches'
small --comm=tiny
is "$(events)" 'exec=12 exit=12' '--comm=GLOB'
is "$(awk '$2 == "exec" { print $4; exit }' "$TMP/rows")" tiny '--comm=GLOB shows command lines still'
small --comm='l?a[d]'
is "$(events)" 'exec=1 exit=1 fork=24' '--comm=GLOB: a pattern'

# Scripts by the name that the statistics give them, and by that of their interpreter.
printf '#!/bin/sh -e\n: "$1"\n' >"$TMP/a script of a long name"
chmod 755 "$TMP/a script of a long name"
for name in 'a script of a long name' sh; do
	follow -N -n "$name" -S -- "$TMP/a script of a long name" x
	is "$(events)" 'exec=1 exit=1' "-n: a script by the name $name"
	like "$(cat "$TMP/rows")" $' a script of a long name\n' '-S: its name'
done

# --- --args: all arguments, joined by spaces
some() { follow -N "$@" -- "$HELPERS/load" -n 12 -o "$TMP/truth" exec; }
some --args='*tiny load-exec*'
is "$(events)" 'exec=12 exit=12' '--args: the arguments'
some --args='load-exec*'
is "$(cat "$TMP/rows")" '' '--args: the whole text'
some --args='*tiny load-exec*' -u nobody
is "$(cat "$TMP/rows")" '' '--args and another filter'
some --args='*tiny load-exec*' -e exit -q
like "$(cat "$TMP/rows")" $'\n +0 +0 +12 ( +0){8} +12 tiny\n' '--args: the statistics'
long=$(printf '%0100000d' 0)
odd=$'line\nfeed \e[31m \xff'
quoted() { # GLOB ARGUMENT...
	follow -N -e exec,exit --args="$HELPERS/tiny $1" -- sh -c '"$@"; exec "$@"' sh "$HELPERS/tiny" "${@:2}"
	is "$(events)" 'exec=2 exit=2' "--args=$1"
}
quoted 'line?feed *m ?' "$odd"
quoted ' x ' '' x ''
quoted '' ''
mkfifo "$TMP/hold"
start -j -e exec,exit --args="sh -c * $TMP/hold 0*0 end"
bg sh -c 'read -r _ <"$0"' "$TMP/hold" "$long" end
wait_for has_line "$TMP/rows" "\"event\":\"exec\",\"pid\":$bg_pid," || fail '--args: an exec with 100,000 bytes'
: >"$TMP/hold"
wait_for has_line "$TMP/rows" "\"event\":\"exit\",\"pid\":$bg_pid," || fail '--args: the exit after it'
finish
own_rows
is "$(jqs 'map(select(.event) | .argv[-1]) | unique')" '["end"]' '--args: nothing else'

kinds() { follow "$@" -- "$HELPERS/load" -o "$TMP/truth" kinds; }
exits() { awk '$2 == "exit" { print $3 }' "$TMP/rows" | sort -n | tr '\n' ' '; }
wanted() { awk -F'\t' "NF > 4 && ($1)"' { print $2 }' "$TMP/truth" | sort -n | tr '\n' ' '; }
kinds --exit=nonzero
is "$(exits)" "$(wanted '$5 != 0')" '--exit=nonzero'
is "$(awk '/:/ && $2 != "exit"' "$TMP/rows")" '' '--exit shows exits only'
kinds --exit signal
is "$(exits)" "$(wanted '$5 % 128 != 0')" '--exit signal'
kinds --exit=core
is "$(exits)" "$(wanted 'int($5 / 128) % 2')" '--exit=core'
kinds --exit=3
is "$(exits)" "$(wanted '$5 == 3 * 256')" '--exit=3: the status'
kinds --exit=137
is "$(exits)" "$(wanted '$5 % 128 == 9')" '--exit=137: signal 9'
kinds -e nonzeroexit
is "$(exits)" "$(wanted '$5 != 0')" '-e nonzeroexit'
kinds -e fork,exit --exit=nonzero
is "$(exits) $(grep -c ' child ' "$TMP/rows")" "$(wanted '$5 != 0') $(wanted 1 | wc -w)" '--exit with -e: other events stay'
kinds --exit=zero
is "$(exits)" "$(awk -F'\t' '(NF > 4 && $5 == 0) || $1 == "load" { print $2 }' "$TMP/truth" | sort -n | tr '\n' ' ')" '--exit=zero'

n=$(awk -F'\t' 'NF > 4 && $1 != "cpu"' "$TMP/truth" | wc -l)
for want in "fork=$((2 * n))" exec=2 "exit=$((n + 1))" core=1 comm=1 uid=1 gid=1 sid=1 ptrce=3; do
	kinds -e "${want%=*}"
	is "$(events)" "$want" "-e ${want%=*}"
done
follow -e clone -- "$HELPERS/load" -n 5 -o "$TMP/truth" thread
is "$(events)" clone=10 '-e clone'
kinds -e comm,sid -e uid
is "$(events)" 'comm=1 sid=1 uid=1' '-e twice and a list'

# Lifetimes: sleeps that cannot be shorter than asked.  On a busy machine a short one can last some tenths of a second.
naps() { follow -j "$@" -- sh -c 'sleep 1 & sleep 0.01 & sleep 0.01 & wait'; }
naps --min-duration=1s
is "$(jqs 'map(select(.type == "event") | .event == "exit" and .duration_s >= 1) | unique')" '[true]' '--min-duration: none is shorter'
is "$(jqs 'map(select(.argv? == ["sleep", "1"])) | length')" 1 '--min-duration: what lived long is there'
naps --max-duration=999ms
is "$(jqs 'map(select(.type == "event") | .event == "exit" and .duration_s <= 0.999) | unique')" '[true]' '--max-duration: none is longer'

rm -f "$TMP/rows"
bg "$FORKSTAT" -e exit --ppid=$$ --count 3 >"$TMP/rows" 2>"$TMP/msg"
wait_for test -s "$TMP/rows"
run "$HELPERS/load" -n 20 -o "$TMP/truth" exec
reap "$bg_pid"
is "$status $(grep -c ' exit ' "$TMP/rows")" '0 3' '--count: so many events, then the end'

# --- a process that does not exist; the run ends with the last one
bg true
wait "$bg_pid"
for list in "$bg_pid" "$$,$bg_pid"; do
	for option in -P -T; do
		expect "$option $list" 1 "forkstat: process $bg_pid does not exist or has exited" "$FORKSTAT" -D 60 "$option" "$list"
	done
done
ended() { ! kill -0 "$tool" 2>/dev/null; }
gate sleep 0
first=$gate
start -P "$first,$$"
kill "$first"
wait_for has_line "$TMP/rows" "exit +$first "
ok '-P: it runs as long as one is left' kill -0 "$tool"
finish
for option in -P -T '-e exec -P' '-S -P'; do
	# shellcheck disable=SC2016
	gate bash -c '"$1" 1 & exec "$1" 2' bash "$HELPERS/tiny"
	# shellcheck disable=SC2086
	start $option "$gate"
	open_gate
	reap "$gate"
	ok "$option: the end with the last one" wait_for ended
	reap "$tool"
	is "$status" 0 "$option: exit status"
	[ "$option" = '-e exec -P' ] || is "$(grep -c "exit *$gate " "$TMP/rows")" 1 "$option: its exit is shown"
done
gate bash -c '(read -r _ <"$0"; "$1" 1) & exec "$1" 2' "$TMP/hold" "$HELPERS/tiny"
start -T "$gate"
open_gate
wait_for has_line "$TMP/rows" "exit +$gate "
ok '-T: it runs as long as a descendant is left' kill -0 "$tool"
: >"$TMP/hold"
ok '-T: the end with the last descendant' wait_for ended
reap "$tool"
is "$status $(grep -c 'tiny 1$' "$TMP/rows")" '0 2' '-T: the descendant, exit status'
done_testing
