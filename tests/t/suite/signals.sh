#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How every tool ends: signals, readers that close the pipe; and stop and continue.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq
able_tools

# An event tool needs events to write rows: a process each 50 ms.
bg bash -c 'while :; do sleep 0.05; done'
has_rows() { [ "$(wc -l <"$TMP/rows")" -ge 2 ]; }
started() { # TOOL OPTION...: in the background; returns when it has written rows
	brief_bg "$@"
	wait_for has_rows || fail "$* starts" "$(cat "$TMP/msg")"
}
ended() { # TOOL SIGNAL NAME: the signal ends it without a message
	kill -"$2" "$bg_pid"
	ok "$1: $3: it ends" wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
	reap "$bg_pid"
	err=$(messages "$TMP/msg")
	[[ ! $err =~ $no_result || $err == *$'\n'* ]] || err=''
	is "$status $err" "$(status_after "$1" "$2") " "$1: $3: exit status, no message"
}

signals() { # TOOL
	local signal
	for signal in INT TERM HUP; do
		started "$1" --json
		ended "$1" "$signal" "SIG$signal"
		ok "$1: SIG$signal: each line is a JSON value" all_json "$TMP/rows"
		is "$(tail -n 1 "$TMP/rows" | jq -r .type)" summary "$1: SIG$signal: the summary is the last"
	done
	started "$1" --summary
	ended "$1" INT 'SIGINT, table'
	# Signals ignored at the start stay ignored (nohup).
	rm -f "$TMP/rows"
	local n
	program "$1"
	long_run "$1"
	bg env --ignore-signal=HUP "${program[@]}" --json >"$TMP/rows" 2>"$TMP/msg"
	wait_for has_rows
	kill -HUP "$bg_pid"
	n=$(wc -l <"$TMP/rows")
	more() { [ "$(wc -l <"$TMP/rows")" -gt $((n + 1)) ]; }
	ok "$1: SIGHUP ignored: more rows" wait_for more
	ended "$1" INT 'SIGHUP ignored, then SIGINT'
	started "$1" --json
	kill -STOP "$bg_pid"
	wait_for is_stopped "$bg_pid"
	kill -CONT "$bg_pid"
	n=$(wc -l <"$TMP/rows")
	ok "$1: stopped and continued: more rows" wait_for more
	ended "$1" INT 'stopped and continued'
}

pipe() { # TOOL OPTION...: the reader reads two lines and exits
	"$HELPERS/closeread" 2 <"$TMP/fifo" >"$TMP/taken" &
	program "$1"
	long_run "$1"
	bg "${pipe_env[@]}" "${program[@]}" "${@:2}" >"$TMP/fifo" 2>"$TMP/msg"
	ok "$1 ${*:2}: the reader has closed the pipe: it ends" wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
	reap "$bg_pid"
}
mkfifo "$TMP/fifo"
pipes() { # TOOL
	local option
	pipe_env=(env)
	for option in '' --json --csv; do
		# shellcheck disable=SC2086
		pipe "$1" $option
		is "$status $(messages "$TMP/msg")" "$((128 + 13)) " "$1 $option: by SIGPIPE, silently"
	done
	pipe_env=(env --ignore-signal=PIPE)
	pipe "$1"
	num "$status" -lt 128 "$1: SIGPIPE ignored: by itself"
}

# A pipe that is full and that nobody reads: its rows are lost after a second, those of a file beside
# it are complete.
not_written() { # TOOL NAME
	local n
	ok "$1: $2: it ends" wait_for -t 10 has_exited "$bg_pid" || kill -KILL "$bg_pid"
	reap "$bg_pid"
	is "$status" 1 "$1: $2: exit status 1"
	n=$(sed -n "s/^$1: the reader has stopped: \([0-9]*\) rows were not written$/\1/p" "$TMP/msg")
	num "${n:-0}" -ge 1 "$1: $2: the number of rows that were not written"
	is "$(tail -n 1 "$TMP/beside" | jq -r .type)" summary "$1: $2: the summary is in the file beside"
	num "$(jq -n "[inputs | select(.type == \"summary\") | .lost_rows // .lost.output] | add" "$TMP/beside")" -ge "${n:-1}" \
		"$1: $2: its lost rows"
}
has_rows_beside() { [ "$(wc -l <"$TMP/beside")" -ge 2 ]; }
stopped_reader() { # TOOL
	local option
	program "$1"
	long_run "$1"
	exec {full}<>"$TMP/fifo"
	dd if=/dev/zero of="$TMP/fifo" bs=4096 oflag=nonblock 2>/dev/null
	for option in --duration="$(shortest "$1")" --count=3 ''; do
		rm -f "$TMP/beside"
		# shellcheck disable=SC2086
		bg "${program[@]}" $option --csv --json="$TMP/beside" >"$TMP/fifo" 2>"$TMP/msg"
		if [ -z "$option" ]; then
			wait_for has_rows_beside
			kill -TERM "$bg_pid"
		fi
		not_written "$1" "stopped reader, ${option:-SIGTERM}"
	done
	bg "${program[@]}" --duration="$(shortest "$1")" >"$TMP/fifo" 2>&1
	ok "$1: stopped reader of standard output and error: it ends" wait_for -t 10 has_exited "$bg_pid"
	reap "$bg_pid"
	is "$status" 1 "$1: stopped reader of standard output and error: exit status 1"
	exec {full}>&-
}

# As process 1 of a container it is the parent of all orphans.
orphans() { # TOOL
	local words inner
	read -r -a words < <(brief_options "$1")
	words=("${words[@]/#--pid=*/--pid=1}")
	machine "$1"
	ending "$1"
	run ${machine[@]+"${machine[@]}"} unshare --pid --fork --mount-proc "$BUILD/bin/$1" ${words[@]+"${words[@]}"} ${ending[@]+"${ending[@]}"}
	without_notes
	if [ "$status" != 0 ]; then
		skip "$1: cannot run in a pid namespace of its own" 2
		return
	fi
	program=("$BUILD/bin/$1" ${words[@]+"${words[@]}"})
	long_run "$1"
	bg ${machine[@]+"${machine[@]}"} unshare --pid --fork --kill-child --mount-proc "${program[@]}" --json \
		>"$TMP/rows" 2>"$TMP/msg"
	wait_for has_rows
	inner=$(pgrep -P "$bg_pid" -x "$1")
	nsenter -t "$inner" --pid sh -c '(sleep 0.1 & sleep 0.1 & sleep 0.1 &)'
	no_children() { ! pgrep -P "$inner" sleep >/dev/null; }
	ok "$1: process 1 reaps orphans" wait_for -t 10 no_children
	kill -INT "$inner"
	reap "$bg_pid"
	is "$status" "$(status_after "$1" INT)" "$1: as process 1: exit status"
}

for tool in "${tools[@]}"; do
	orphans "$tool"
	signals "$tool"
	stopped_reader "$tool"
	pipes "$tool"
done
done_testing
