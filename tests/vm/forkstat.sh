#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 180
# forkstat under the stock kernels that kernels.sh fetched into $VM: what does not depend on
# the kernel's version is the same in all of them, what does is as the manual says.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
VM=${VM:-$TOP/build/vm}
need_cmd jq cpio busybox qemu-system-x86_64
[[ $(file -bL "$(command -v busybox)" 2>/dev/null) != *dynamic* ]] || skip_all 'needs a static busybox'
shopt -s nullglob
kernels=("$VM"/*/vmlinuz)
[ ${#kernels[@]} -gt 0 ] || skip_all "no kernels: run 'make vm-kernels' first"

# Two at a time: an emulated CPU is a busy one.
boot() { # NAME
	mkdir "$TMP/$1"
	"$TOP/tests/vm/run.sh" -k "$VM/$1/vmlinuz" -n 2 -t 90 -o "$TMP/$1" -f "$FORKSTAT:forkstat" \
		-f "$HELPERS/load" -f "$TOP/tests/vm/guest.sh" -- 'guest.sh' >"$TMP/$1.log" 2>&1
	echo $? >"$TMP/$1.rc"
}

at_least() { # VERSION: the guest's kernel
	printf '%s\n%s\n' "$1" "$release" | sort -CV
}

of() { cat "$G/$1.status"; } # PART: its exit status
rows() { jqs "$2" "$G/$1.rows"; } # PART JQ-PROGRAM
summary() { rows "$1" "map(select(.type == \"summary\"))[0] | $2"; }
part() { # PART VERIFY-ARGUMENT...: exit status 0, no message, and the rows are the truth
	local name=$1
	shift
	is "$(of "$name")$(cat "$G/$name.err")" 0 "$release: $name: status 0, no message"
	ok "$release: $name: the rows are what happened" \
		"$HELPERS/verify" "$@" "$G/$name.truth" "$G/$name.rows" >/dev/null
}
sources() { rows "$1" 'map(select(.event == "exec").name_source) | unique'; }

judge_rows() {
	is "$(of table)" 3 "$release: the command's exit status"
	like "$(cat "$G/table.rows")" "^Time +Event +PID Info +Duration Process
.* exec +[0-9]+ +sh -c /bin/true one; exit 3
.* fork +[0-9]+ parent +sh -c .*
.* fork +[0-9]+ child +sh -c .*
.* exec +[0-9]+ +/bin/true one
.* exit +[0-9]+ +0 +[0-9.]+s /bin/true one
.* exit +[0-9]+ +3 +[0-9.]+s sh -c /bin/true one; exit 3\$" "$release: the table"
	is "$(rows args '.[0] | [.type, .tool, .schema, (.boot_id | length), (.start | length)]')" \
		'["header","forkstat",1,36,30]' "$release: JSON: the header"
	is "$(rows args 'map(select(.event == "exec"))[0].argv | [.[0:3], (.[3] | length)]')" \
		'[["/bin/true","a b",""],2000]' "$release: arguments as they were"
	part kinds --format json --events fork,exec,exit,uid,gid,sid,comm,ptrace,core
}

judge_ways() {
	is "$(cat "$G/tracefs")" '' "$release: tracefs is not mounted"
	part auto --format json
	is "$(sources auto)" '["exec"]' "$release: all arguments are from the exec"
	part perf --format json
	is "$(sources perf)" '["exec"]' "$release: --source=perf: all arguments are from the exec"
	part proc --format json
	unlike "$(sources proc)" '"exec"' "$release: --source=proc: none is"
	if at_least 5.15; then
		part bpf --format json
		is "$(sources bpf)" '["exec"]' "$release: --source=bpf: all arguments are from the exec"
		like "$(cat "$G/maps")" 'bpf-map' "$release: BPF is taken of itself"
	else
		is "$(of bpf)" 1 "$release: --source=bpf: an error"
		like "$(cat "$G/bpf.err")" '^forkstat: cannot catch arguments at the exec .*' "$release: which is told"
		like "$(cat "$G/maps")" 'perf_event' "$release: perf is taken where there is no BPF"
	fi
	like "$(tr -s '\t\n' ' ' <"$G/creds")" 'Uid: 65534 65534 65534 65534 .*CapPrm: 0+ CapEff: 0+ .*Seccomp: 2 ' \
		"$release: root is given up"
}

# Forks are filtered in the kernel: what is received are the execs, which give the names.
judge_filter() {
	part filter --format json --events exit
	is "$(rows filter 'map(select(.type == "event").event) | unique')" '["exit"]' "$release: -e exit: nothing else"
	is "$(summary filter '[.received, .events.exit]')" '[122,61]' "$release: -e exit: forks are not received"
	is "$(summary nofilter .received)" 182 "$release: without it they are"
}

judge_loss() {
	local lost sent
	lost=$(summary loss .lost.kernel)
	sent() { summary "$1" '.received + .lost.kernel'; }
	is "$(of loss)" 5 "$release: --strict: exit status 5"
	num "$lost" -gt 500 "$release: most were lost"
	is "$(summary inner .lost.kernel) $(summary outer .lost.kernel)" '0 0' "$release: the others lost nothing"
	num "$(sent loss)" -ge "$(sent inner)" "$release: received + lost is not less than what was sent"
	num "$(sent loss)" -le "$(sent outer)" "$release: nor more"
	is "$(rows loss 'map(select(.event == "lost").count) | add')" "$lost" "$release: the rows of losses add up"
	like "$(cat "$G/loss.err")" "events, $lost lost" "$release: the message at the end"
}

judge_user() {
	if at_least 6.6; then
		is "$(of user)" 0 "$release: an ordinary user: exit status 0"
		ok "$release: an ordinary user: the rows are what happened" \
			"$HELPERS/verify" --format json "$G/user.truth" "$G/user.rows" >/dev/null
		unlike "$(cat "$G/user.err")" 'process events' "$release: an ordinary user: events are allowed"
	else
		is "$(of user)" 4 "$release: an ordinary user: exit status 4"
		is "$(grep -o 'process events: .*' "$G/user.err")" 'process events: Operation not permitted; before Linux 6.6 they need CAP_NET_ADMIN (run as root, or see CAPABILITIES in forkstat(8))' \
			"$release: an ordinary user: why"
		is "$(wc -c <"$G/user.rows")" 0 "$release: an ordinary user: no rows"
	fi
}

names=()
for k in "${kernels[@]}"; do
	k=${k%/vmlinuz}
	names+=("${k##*/}")
done
for name in "${names[@]}"; do
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
	boot "$name" &
done
wait
for name in "${names[@]}"; do
	G=$TMP/$name
	release=$(cat "$G/release" 2>/dev/null)
	is "$(cat "$G.rc")" 0 "$name: booted, and all parts ran" || {
		diag "$(tail -n 20 "$G.log")"
		continue
	}
	judge_rows
	judge_ways
	judge_filter
	judge_loss
	judge_user
done
done_testing
