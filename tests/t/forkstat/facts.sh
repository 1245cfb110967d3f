#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# seconds: 12
# Columns on request: the parent's comm, cgroup, login user, an environment variable.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd jq

# The processes live until their rows are there, so that /proc is read in time.
rows_of() { jqs "map(select(.event == \"$1\" and .pid == $2) | $3)"; } # EVENT PID JQ
show() { start -j --keep-privileges --parent --cgroup --loginuid --env=SM_TEST -P "$1"; }

cat >"$TMP/child.sh" <<'EOS'
read -r _ <"$1"
(exec sleep 300) &
echo $! >"$2"
wait
EOS
mkfifo "$TMP/go"
login=4242
bg env SM_TEST='of the parent' bash -c 'echo "$1" >/proc/self/loginuid 2>/dev/null; exec bash "${@:2}"' \
	sh "$login" "$TMP/child.sh" "$TMP/go" "$TMP/pid"
parent=$bg_pid
waits() { [ "$(tr '\0' ' ' 2>/dev/null <"/proc/$parent/cmdline")" = "bash $TMP/child.sh $TMP/go $TMP/pid " ]; }
wait_for waits
login=$(cat "/proc/$parent/loginuid")
[ "$login" != 4294967295 ] || login=null
cgroup() { # PID: the first path of a hierarchy that tells anything, as sm_cgroup_read() takes it
	awk -F: '$3 != "/" { order = $1 == 0 ? 0 : $2 ~ /(^|,)cpu(,|$)/ ? 1 : $2 ~ /cpuacct/ ? 2 : $2 == "name=systemd" ? 3 : 3 + NR
		if (!best || order < least) { best = $3; least = order } } END { print best ? best : "/" }' "/proc/$1/cgroup"
}
show "$parent"
echo go >"$TMP/go"
started() { [ -s "$TMP/pid" ]; }
wait_for started
child=$(cat "$TMP/pid")
wait_for has_line "$TMP/rows" "\"event\":\"fork\",\"pid\":$child,"
finish
is "$(rows_of fork "$child" '[.parent_comm, .loginuid, .env]')" "[[\"bash\",$login,\"of the parent\"]]" \
	'a child has those of its parent'
is "$(rows_of fork "$child" .cgroup)" "[\"$(cgroup "$child")\"]" 'cgroup of the child'
kill "$child"
wait "$parent"

# At the exec, in another cgroup where one can be made.
cg=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=''
[ -z "$cg" ] || group=$(mktemp -d "$cg/sm-test.XXXXXX" 2>/dev/null)
if [ -n "$group" ] && (echo $BASHPID >"$group/cgroup.procs") 2>/dev/null && [ "$(cgroup self)" = / ]; then
	moved=${group#"$cg"}
else
	[ -z "$group" ] || rmdir "$group"
	moved='' cg=''
fi
run_exec() { # OPTION...: sleep, started by an exec of a bash that moves first; pid in $gate
	gate_as=(env -u SM_TEST)
	# shellcheck disable=SC2016
	gate bash -c '[ -z "$1" ] || echo $$ >"$1/cgroup.procs"; SM_TEST="a b" exec sleep 300' sh "${moved:+$cg$moved}"
	start "$@" -P "$gate"
	open_gate
	wait_for has_line "$TMP/rows" "( sleep 300\$|$gate,.*\"sleep\",\"300\"\])"
	now=$(cgroup "$gate")
	finish
}
run_exec -j --keep-privileges --parent -k --loginuid --env=SM_TEST
is "$(jqs 'map(select(.argv == ["sleep","300"]) | [.cgroup, .env, .parent_comm])')" \
	"$(jq -nc --arg c "$now" --arg p "$(cat /proc/$$/comm)" '[[$c, "a b", $p]]')" 'an exec has its own'
kill "$gate"
[ -z "$moved" ] || is "$now" "$moved" 'it had moved to another cgroup'
reap "$gate"

run_exec -e exec --keep-privileges --parent -k --env=SM_TEST --loginuid
like "$(head -n 1 "$TMP/rows")" '^Time +Event +PID Parent +Cgroup +Login SM_TEST +Info' 'the columns, in this order'
is "$(awk '/ sleep 300$/ { print NF, $5, $7 }' "$TMP/rows")" "9 $now a\\x20b" 'a value is one word'
kill "$gate"
reap "$gate"
mine=$(cgroup self)
follow -N -e exec --cgroup="$mine" -- true
is "$(awk '{ print $NF }' "$TMP/rows")" true '--cgroup=PREFIX: tasks in it'
follow -N -e exec --cgroup="${mine%/}/none" -- true
is "$(cat "$TMP/rows")" '' '--cgroup=PREFIX: no others'
follow -N --env=PATH -- true
is "$err" '' '--env as root without privileges: no message'
expect '--env: a bad name' 2 "forkstat: option '--env': 'A=1' must be the name of a variable: letters, digits and _
Try 'forkstat --help' for more information." "$FORKSTAT" --env=A=1
[ -z "$moved" ] || rmdir "$cg$moved"

# --- Programs that end at once, each with a cgroup, login uid and variable that it had just before its exec.
# -T: a fact that is lost for a program of somebody else is no loss here.
many=200
(echo 4242 >/proc/self/loginuid) 2>/dev/null || login=''
storm_in() { # FILE: each joins the group of this cgroup.procs
	local i
	for ((i = 1; i <= many; i++)); do
		(
			[ -z "$login" ] || echo $((5000 + i)) >/proc/self/loginuid
			echo 0 >"$1" && RP_VAR=v$i exec /bin/true
		)
	done
}
shown() { has_line "$TMP/rows" "\"v$many\""; }
short_lived() { # TYPE: a mounted hierarchy
	local mount group
	mount=$(awk -v type="$1" '$3 == type && $4 !~ /cpuset/ { print $2; exit }' /proc/mounts)
	group=$(mktemp -d "$mount/sm-short.XXXXXX" 2>/dev/null)
	if [ -z "$mount" ] || ! (echo $BASHPID >"$group/cgroup.procs") 2>/dev/null; then
		[ -z "$group" ] || rmdir "$group"
		skip "no process can join a group of $1"
		return
	fi
	start -j -s -T $$ -k --loginuid --env=RP_VAR --strict
	storm_in "$group/cgroup.procs"
	wait_for shown
	finish
	rows=$(jqs "map(select(.event == \"exec\" and .cgroup == \"${group#"$mount"}\")
		| select(.argv == [\"/bin/true\"]) | [.env, .loginuid])")
	is "$(jq 'length' <<<"$rows")" "$many" "$1: all have their cgroup"
	is "$(jq 'map(.[0]) == [range(1; '"$many"' + 1) | "v\(.)"]' <<<"$rows")" true "$1: and their variable"
	[ -z "$login" ] || is "$(jq 'map(.[1]) == [range(5001; 5001 + '"$many"')]' <<<"$rows")" true "$1: and their login uid"
	is "$(jqs 'map(select(.source == "facts")) | length')" 0 "$1: none is lost"

	start -e exec --env=RP_VAR --cgroup="${group#"$mount"}" --strict
	storm_in "$group/cgroup.procs"
	last_row() { [ "$(grep -c '/bin/true$' "$TMP/rows")" -ge "$many" ]; }
	wait_for last_row
	finish
	is "$(grep -c '/bin/true$' "$TMP/rows")" "$many" "$1: --cgroup shows all"
	groups+=("$group") types+=("$1")
}
groups=() types=()
short_lived cgroup2
short_lived cgroup

# --- Without an exec: processes that join a group, and those that begin in it (clone3(2), CLONE_INTO_CGROUP).
rows_in() { # CONDITION: the numbers of rows by event, of tasks in $name
	jqs "map(select(.type == \"event\" and .cgroup == \"$name\" and ($1)).event) | group_by(.) | map(\"\(.[0]) \(length)\") | join(\" \")"
}
without_exec() { # GROUP NAME: its directory, its path
	local pids born='' name=$2 exits=100
	start -j -s -T $$ -e fork,exit -k
	pids=$(for ((i = 0; i < 50; i++)); do (echo 0 >"$1/cgroup.procs" && (:) && echo $BASHPID); done)
	if [[ $3 == cgroup2 ]]; then
		run "$HELPERS/bornin" "$1" 50
		born=$(cat "$TMP/out")
		if [ "$status" = 77 ]; then skip 'no CLONE_INTO_CGROUP'; else exits=150; fi
	fi
	all_exits() { [ "$(rows_in '.event == "exit"')" = "\"exit $exits\"" ]; }
	wait_for all_exits
	finish
	pids=$(paste -sd, <<<"$pids")
	is "$(rows_in ".pid | IN($pids)")" '"exit 50"' "$3: the exit of a process that joined a group"
	is "$(rows_in ".ppid | IN($pids)")" '"exit 50 fork 50"' "$3: a child of such a process"
	[ "$exits" = 100 ] || is "$(rows_in ".pid | IN($(paste -sd, <<<"$born"))")" '"exit 50 fork 50"' "$3: a process that begins in a group"
	is "$(jqs 'map(select(.source == "facts")) | length')" 0 "$3: no group is lost"
}
for i in "${!groups[@]}"; do without_exec "${groups[i]}" "/${groups[i]##*/}" "${types[i]}"; done

# --- Without BPF the values of an exec are not known: no row has the parent's.
for source in perf proc; do
	follow -N -e exec --source=$source -k --loginuid --env=PATH --strict -- true
	is "$(awk '$2 == "exec" { print $4, $5, $6 }' "$TMP/rows")" '? ? ?' "--source=$source: unknown"
	is "$status" 5 "--source=$source: an exec without them is lost"
	like "$(cat "$TMP/msg")" 'names [0-9]+, facts [1-9]' "--source=$source: and counted"
	like "$err" 'only --source=bpf captures them$' "--source=$source: a message"
done
follow -N -e exec,exit --source=proc -S --cgroup=/ -- true
is "$(grep -cE ' (exec|exit) ' "$TMP/rows")" 0 '--cgroup shows nothing that is unknown'
num "$(sed -n 's/.* facts \([0-9]*\).*/\1/p' "$TMP/rows")" -ge 2 'and counts the exec and the exit'
for group in ${groups[@]+"${groups[@]}"}; do rmdir "$group"; done
done_testing
