#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 12
# How every tool ends: signals, readers that close the pipe; and stop and continue.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
need_cmd jq
able_tools

# An event tool needs events to write rows: a process each 50 ms.
bg bash -c 'while :; do sleep 0.05; done'
has_rows() { [ "$(wc -l <"$TMP/rows")" -ge 2 ]; }
has_more() { [ "$(wc -l <"$TMP/rows")" -gt "$1" ]; }
more_rows() { wait_for has_more $(($(wc -l <"$TMP/rows") + 1)); }
has_begun() { # it has written rows
	wait_for has_rows || fail "$* begins" "$(cat "$TMP/msg")"
}
ended() { # TOOL SIGNAL NAME: the signal ends it without a message
	kill -"$2" "$bg_pid"
	ok "$1: $3: it ends" wait_for has_exited "$bg_pid" || kill -KILL "$bg_pid"
	reap "$bg_pid"
	err=$(messages "$TMP/msg")
	[[ ! $err =~ $no_result || $err == *$'\n'* ]] || err=''
	is "$status $err" "$(status_after "$1" "$2") " "$1: $3: exit status, no message"
}
ended_json() { # TOOL SIGNAL NAME: and its records are complete
	ended "$@"
	ok "$1: $3: each line is a JSON value" all_json "$TMP/rows"
	is "$(tail -n 1 "$TMP/rows" | jq -r .type)" summary "$1: $3: the summary is the last"
}

signals() { # TOOL
	local signal
	for signal in TERM HUP; do
		brief_bg "$1" --json
		has_begun "$1 --json"
		ended_json "$1" "$signal" "SIG$signal"
	done
	options_of "$1" --summary
	brief_bg "$1" ${options[@]+"${options[@]}"}
	has_begun "$1, table"
	ended "$1" INT 'SIGINT, table'
	# Signals ignored at the start stay ignored (nohup).
	rm -f "$TMP/rows"
	program "$1"
	long_run "$1"
	bg env --ignore-signal=HUP "${program[@]}" --json >"$TMP/rows" 2>"$TMP/msg"
	has_begun "$1, SIGHUP ignored"
	kill -HUP "$bg_pid"
	ok "$1: SIGHUP ignored: more rows" more_rows
	kill -STOP "$bg_pid"
	wait_for is_stopped "$bg_pid"
	kill -CONT "$bg_pid"
	ok "$1: stopped and continued: more rows" more_rows
	ended_json "$1" INT 'stopped and continued, then SIGINT'
}

# The reader reads two lines and exits.  All runs at the same time.
pipe() { # NAME "WORD..." ARGUMENT...: begins $program after the words
	local words
	read -r -a words <<<"$2"
	mkfifo "$TMP/$1.fifo"
	"$HELPERS/closeread" 2 <"$TMP/$1.fifo" >/dev/null &
	bg "${words[@]}" "${program[@]}" "${@:3}" >"$TMP/$1.fifo" 2>"$TMP/$1.msg"
	pids[$1]=$bg_pid
}
pipe_ended() { # TOOL NAME
	ok "$1, $2: the reader has closed the pipe: it ends" wait_for has_exited "${pids[$2]}" || kill -KILL "${pids[$2]}"
	reap "${pids[$2]}"
}
pipes() { # TOOL
	local name names=(table json csv)
	local -A pids=()
	# For power-calibrate, which needs seconds for it, CSV is a table with other columns.
	[ "$1" != power-calibrate ] || names=(table json)
	program "$1"
	long_run "$1"
	for name in "${names[@]}"; do
		if [ "$name" = table ]; then pipe table env; else pipe "$name" env "--$name"; fi
	done
	pipe ignored 'env --ignore-signal=PIPE' --json
	for name in "${names[@]}"; do
		pipe_ended "$1" "$name"
		is "$status $(messages "$TMP/$name.msg")" "$((128 + 13)) " "$1, $name: by SIGPIPE, silently"
	done
	pipe_ended "$1" ignored
	num "$status" -lt 128 "$1: SIGPIPE ignored: by itself"
}

# A pipe that is full and that nobody reads: its rows are lost after a second, those of a file beside
# it are complete.  After the snapshots of -n, pagemon waits for the reader until a signal.
has_rows_beside() { [ "$(wc -l <"$1")" -ge 2 ]; } # FILE
has_samples() { [ "$(grep -c '"type":"sample"' "$2")" -ge "$1" ]; } # NUMBER FILE
full_pipe() { # NAME OPTION...: begins $program with it
	local full
	mkfifo "$TMP/$1.full"
	# shellcheck disable=SC2034 # it is open until the subshell ends
	exec {full}<>"$TMP/$1.full"
	dd if=/dev/zero of="$TMP/$1.full" bs=4096 oflag=nonblock 2>/dev/null
	if [ "$1" = both ]; then
		bg "${program[@]}" "${@:2}" >"$TMP/$1.full" 2>&1
	else
		bg "${program[@]}" "${@:2}" --csv --json="$TMP/$1.beside" >"$TMP/$1.full" 2>"$TMP/$1.msg"
	fi
	pids[$1]=$bg_pid
}
gave_up() { # TOOL NAME
	ok "$1: stopped reader, $2: it ends" wait_for has_exited "${pids[$2]}" || kill -KILL "${pids[$2]}"
	reap "${pids[$2]}"
	is "$status" 1 "$1: stopped reader, $2: exit status 1"
}
not_written() { # TOOL NAME REASON
	local n
	n=$(sed -n "s/^$1: \([0-9]*\) rows were not written: $3$/\1/p" "$TMP/$2.msg")
	num "${n:-0}" -ge 1 "$1: stopped reader, $2: the number of rows that were not written"
	is "$(tail -n 1 "$TMP/$2.beside" | jq -r .type)" summary "$1: stopped reader, $2: the summary is in the file beside"
	num "$(jq -n "[inputs | select(.type == \"summary\") | .lost_rows // .lost.output] | add" "$TMP/$2.beside")" -ge "${n:-1}" \
		"$1: stopped reader, $2: its lost rows"
}
stopped_readers() { # TOOL
	local name names=(duration TERM) count=3
	local -A pids=()
	has_command "$1" || count=1
	program "$1"
	long_run "$1"
	full_pipe duration --duration="$(shortest "$1")"
	if has_option "$1" --count; then
		names+=(count)
		full_pipe count --count="$count"
	fi
	full_pipe TERM
	full_pipe both --duration="$(shortest "$1")"
	wait_for has_rows_beside "$TMP/TERM.beside"
	kill -TERM "${pids[TERM]}"
	if [ "$1" = pagemon ]; then
		wait_for has_samples 3 "$TMP/count.beside"
		kill -TERM "${pids[count]}"
	fi
	for name in "${names[@]}"; do
		gave_up "$1" "$name"
		not_written "$1" "$name" '\(the reader has stopped\|interrupted\)'
	done
	gave_up "$1" both
}

# As process 1 of a container it is the parent of all orphans.
orphans() { # TOOL
	local words inner
	read -r -a words < <(brief_options "$1")
	words=("${words[@]/#--pid=*/--pid=1}")
	machine "$1"
	program=("$BUILD/bin/$1" ${words[@]+"${words[@]}"})
	long_run "$1"
	bg ${machine[@]+"${machine[@]}"} unshare --pid --fork --kill-child --mount-proc "${program[@]}" --json \
		>"$TMP/rows" 2>"$TMP/msg"
	begun_or_gone() { has_rows || has_exited "$bg_pid"; }
	wait_for begun_or_gone
	if ! has_rows; then
		reap "$bg_pid"
		skip "$1: cannot run in a pid namespace of its own: $(tail -n 1 "$TMP/msg")" 2
		return
	fi
	inner=$(pgrep -P "$bg_pid" -x "$1")
	nsenter -t "$inner" --pid sh -c '(sleep 0.1 & sleep 0.1 & sleep 0.1 &)'
	no_children() { ! pgrep -P "$inner" sleep >/dev/null; }
	ok "$1: process 1 reaps orphans" wait_for no_children
	kill -INT "$inner"
	reap "$bg_pid"
	is "$status" "$(status_after "$1" INT)" "$1: as process 1: exit status"
}

ends() { # TOOL
	orphans "$1"
	signals "$1"
	stopped_readers "$1"
	pipes "$1"
}
each_tool ends
done_testing
