#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# forkstat under the stock kernels that kernels.sh fetched into $VM: behaviour is the same in all of
# them, except where the manual names a kernel version.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
# The guest may have another C library.
FORKSTAT=$TOP/build/static/bin/forkstat
[ -x "$FORKSTAT" ] || skip_all "needs a static forkstat: run 'make static' first"
. "$TOP/tests/lib/vm.sh"

of() { cat "$G/$1.status"; } # PART: its exit status
rows() { jqs "$2" "$G/$1.rows"; } # PART JQ-PROGRAM
summary() { rows "$1" "map(select(.type == \"summary\"))[0] | $2"; }
# PART: its messages.  Perf can miss arguments, which forkstat counts, and is taken with a message.
messages() {
	if [ "$1" = perf ]; then
		grep -Ev ' lost: kernel 0, output 0, arguments [1-9][0-9]*(, [a-z]+ 0)*$' "$G/$1.err"
	else
		cat "$G/$1.err"
	fi
}
part() { # PART VERIFY-ARGUMENT...: exit status 0, no message, and the rows are the truth
	local name=$1
	shift
	is "$(of "$name")$(messages "$name")" 0 "$release: $name: status 0, no message"
	verified "$name" "$@"
}
verified() { # PART VERIFY-ARGUMENT...
	local name=$1
	shift
	run "$HELPERS/verify" "$@" "$G/$name.truth" "$G/$name.rows"
	expect_exit 0 "$release: $name: the rows are what happened"
}
# PART: the same where names can come too late to be known
part_late() {
	is "$(of "$1")" 0 "$release: $1: status 0"
	run "$HELPERS/verify" --format json "$G/$1.truth" "$G/$1.rows"
	is "$(grep -E '^(lost|reported_lost|exec_wrong|parent_wrong|status_wrong|order|extra)=' "$TMP/out" | sort | tr '\n' ' ')" \
		'exec_wrong=0 extra=0 lost=0 order=0 parent_wrong=0 reported_lost=0 status_wrong=0 ' \
		"$release: $1: nothing is lost or wrong"
}
sources() { rows "$1" "map(select(.event == \"exec\").name_source) | unique | ${2:-.}"; } # PART [JQ]

judge_table() {
	is "$(of table)" 3 "$release: the command's exit status"
	like "$(cat "$G/table.rows")" "^Time +Event +PID Info +Duration Process
.* exec +[0-9]+ +.*sh .*
.* fork +[0-9]+ parent +.*sh .*
.* fork +[0-9]+ child +.*sh .*
.* exec +[0-9]+ +/bin/true one
.* exit +[0-9]+ +0 +[0-9.]+s /bin/true one
.* exit +[0-9]+ +3 +[0-9.]+s .*sh .*\$" "$release: the table"
}

judge_args() {
	local want='[["exec",["/bin/true","a b",""],2000]]'
	is "$(rows args '.[0] | [.type, .tool, .schema, (.boot_id | length), (.start | length)]')" \
		'["header","forkstat",1,36,30]' "$release: JSON: the header"
	like "|$want|" "\|$(rows args 'map(select(.event == "exec") | [.name_source, .argv[0:3] // .file, (.argv[3] | length)])' |
		sed 's/[][]/\\&/g')\|" "$release: arguments as they were"
}

judge_ways() {
	is "$(cat "$G/tracefs")" '' "$release: tracefs is not mounted"
	part auto --format json
	part perf --format json
	is "$(sources perf '. - ["exec", "file", "proc"]')" '[]' "$release: --source=perf: no other names"
	num "$(rows perf 'map(select(.event == "exec" and .name_source == "exec")) | length')" -ge 40 \
		"$release: --source=perf: most arguments are from the exec"
	part_late proc
	unlike "$(sources proc)" '"exec"' "$release: --source=proc: none is"
	judge_bpf
	like "$(tr -s '\t\n' ' ' <"$G/creds")" 'Uid: 65534 65534 65534 65534 .*CapPrm: 0+ CapEff: 0+ .*Seccomp: 2 ' \
		"$release: root is given up"
}

judge_bpf() {
	part bpf --format json
	is "$(sources bpf)" '["exec"]' "$release: --source=bpf: all arguments are from the exec"
	is "$(sources auto)" '["exec"]' "$release: all arguments are from the exec"
	like "$(cat "$G/maps")" 'bpf-map' "$release: BPF is used by default"
}

# The kernel notifies the parent of an exit before the connector.
judge_ends() {
	is "$(sort "$G/ends.rows" | uniq -c | xargs)" '25 1' "$release: the command's own exit is shown"
}

# -e exec alone needs no other event, and the socket's filter lets none through.
judge_filter() {
	is "$(of filter)$(messages filter)" 0 "$release: -e exec: status 0, no message"
	verified filter --events exec
	is "$(awk '$1 ~ /:/ { print $2 }' "$G/filter.rows" | sort -u)" exec "$release: -e exec: nothing else"
	like "$(cat "$G/filter.rows")" 'Events received 61, shown 61, filtered 0; lost: kernel 0' \
		"$release: -e exec: nothing else is received"
	part nofilter --format json
	num "$(summary nofilter .received)" -ge 180 "$release: without it all events are"
}

judge_loss() {
	local lost
	lost=$(summary loss .lost.kernel)
	sent() { summary "$1" '.received + .lost.kernel'; }
	is "$(of loss)" 5 "$release: --strict: exit status 5"
	num "$lost" -gt 500 "$release: most were lost"
	is "$(summary inner .lost.kernel) $(summary outer .lost.kernel)" '0 0' "$release: the others lost nothing"
	num "$(sent loss)" -ge "$(sent inner)" "$release: received + lost is not less than what was sent"
	num "$(sent loss)" -le "$(sent outer)" "$release: nor more"
	is "$(rows loss 'map(select(.event == "lost" and .source == "kernel").count) | add')" "$lost" "$release: the rows of losses add up"
	like "$(cat "$G/loss.err")" "events received; lost: kernel $lost," "$release: the message at the end"
}

judge_user() {
	if at_least 6.6; then
		part_late user
		unlike "$(cat "$G/user.err")" 'process events' "$release: an ordinary user: events are allowed"
	else
		is "$(of user)" 4 "$release: an ordinary user: exit status 4"
		is "$(grep -o 'process events: .*' "$G/user.err")" 'process events: Operation not permitted; before Linux 6.6 this needs CAP_NET_ADMIN (run as root, or see PRIVILEGES in forkstat(8))' \
			"$release: an ordinary user: why"
		is "$(wc -c <"$G/user.rows")" 0 "$release: an ordinary user: no rows"
	fi
}

# Since Linux 6.6 an IGNORE is about the socket that sent it.
judge_deaf() { # NAME
	local d=$TMP/$1.deaf
	is "$(cat "$d.rc")" 0 "$release: deaf: booted, and all parts ran" || diag "$(tail -n 20 "$d.log")"
	like "$(cat "$d/rows")" 'exec +[0-9]+ +/bin/true later' "$release: minutes of silence do not end the run"
	if at_least 6.6; then
		is "$(cat "$d/status" "$d/err")" 0 "$release: a foreign IGNORE: the run continues"
		like "$(cat "$d/rows")" '/bin/true after' "$release: and its events come"
		return
	fi
	is "$(cat "$d/status")" 3 "$release: a foreign IGNORE: exit status 3"
	like "$(tail -n 2 "$d/err")" $'^forkstat: [0-9]+ events received; lost: kernel 1, [^\n]*\nforkstat: no process events for at least a minute; .*\\(PROC_CN_MCAST_IGNORE, possible before Linux 6\\.6\\)$' \
		"$release: and why"
	like "$(tail -n 1 "$d/rows")" ' lost .* 1 events lost' "$release: and a row"
}

for name in "${kernels[@]}"; do
	boot "$name" "$name" -n 2 -t 800 -f "$FORKSTAT:forkstat" -f "$HELPERS/load" -f "$HELPERS/tiny" \
		-f "$TOP/tests/vm/guest.sh" -- guest.sh
	# Another one, alone and with time warp, for the minutes of silence.
	boot "$name.deaf" "$name" -w -t 800 -f "$FORKSTAT:forkstat" -f "$HELPERS/cnignore" \
		-f "$TOP/tests/vm/guest-deaf.sh" -- guest-deaf.sh
done
wait
for name in "${kernels[@]}"; do
	results "$name" || continue
	judge_table
	judge_args
	part kinds --format json --events fork,exec,exit,uid,gid,sid,comm,ptrace,core
	judge_ways
	judge_ends
	judge_filter
	judge_loss
	judge_user
	judge_deaf "$name"
done
done_testing
