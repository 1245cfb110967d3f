# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/lib.sh: starts and stops the tool under test, keeps measurements as series, prints medians.
: "${HELPERS:?}" "${BUILD:?}"
W=$(mktemp -d)
watcher=0
declare -A series

bench_cleanup() {
	[ "$watcher" = 0 ] || kill -KILL "$watcher" 2>/dev/null
	rm -rf "$W"
}
trap bench_cleanup EXIT

say() { printf '%s\n' "$*" >&2; }

record() { series[$1]+=" $2"; } # KEY NUMBER

median() { # KEY: median of its series; "-" if it is empty
	local -a v
	read -r -a v < <(tr ' ' '\n' <<<"${series[$1]-}" | grep . | sort -g | tr '\n' ' ')
	if [ ${#v[@]} = 0 ]; then echo -; else echo "${v[$((${#v[@]} / 2))]}"; fi
}

all_values() { # KEY: the whole series, for losses
	local s=${series[$1]-}
	[ -n "$s" ] && echo "${s# }" || echo -
}

ratio() { # A B DIGITS
	awk -v a="$1" -v b="$2" -v d="${3:-2}" \
		'BEGIN { if (a == "-" || b == "-" || b + 0 == 0) print "-"; else printf "%.*f\n", d, a / b }'
}

listeners() { # sockets of the connector (protocol 11) in a multicast group
	awk '$2 == 11 && $4 != "00000000" { n++ } END { print n + 0 }' /proc/net/netlink
}

# Starts a tool under rusage; its rows go to $W/rows (through the command $via, if set).  It listens
# once the kernel has one more connector socket; it then has 50 ms to open rings and drop privileges.
start_watcher() { # COMMAND...
	local before end
	before=$(listeners)
	if [ -n "${via-}" ]; then
		"$HELPERS/rusage" "$W/usage" "$@" 2>"$W/stderr" > >(exec $via >"$W/rows") &
	else
		"$HELPERS/rusage" "$W/usage" "$@" >"$W/rows" 2>"$W/stderr" &
	fi
	watcher=$!
	end=$((SECONDS + 15))
	until [ "$(listeners)" -gt "$before" ]; do
		if [ $SECONDS -ge $end ] || ! kill -0 $watcher 2>/dev/null; then
			say "bench: $* does not listen: $(head -n 3 "$W/stderr")"
			return 1
		fi
		sleep 0.005
	done
	sleep "${settle:-0.05}"
}

tool_pid() { pgrep -P "$watcher"; }

# Waits a fixed time for the load's last rows: a process that polled the file would make rows itself.
stop_watcher() {
	sleep "${drain:-0.5}"
	kill -INT "$watcher" 2>/dev/null
	timeout 20 tail -s 0.05 -f --pid="$watcher" /dev/null || pkill -KILL -P "$watcher"
	wait "$watcher" 2>/dev/null
	watcher=0
	[ -z "${via-}" ] || sleep 0.2
}

run_load() { # LOAD-ARGUMENTS...
	"$HELPERS/load" -o "$W/truth" "$@"
	load_cpu=$(awk '$1 == "cpu" { print $2 + $3 }' "$W/truth")
}

judge() { # VERIFY-OPTIONS...: the counters as variables v_NAME
	eval "$("$HELPERS/verify" --prefix v_ "$@" "$W/truth" "$W/rows")"
}

usage() { # COMMAND...: user_us sys_us maxrss_kb switches; false if it failed
	"$HELPERS/rusage" "$W/usage" "$@" >"$W/out" 2>"$W/stderr" || {
		say "bench: $1 failed: $(head -n 2 "$W/stderr")"
		return 1
	}
	# shellcheck disable=SC1091
	. "$W/usage"
}

# --- tables of the report ---
row() { printf '| %s |' "$1"; shift; printf ' %s |' "$@"; echo; }

heading() {
	local i
	row "$@"
	for ((i = 0; i < $#; i++)); do printf '|---'; done
	echo '|'
}

versus() { # WHAT TARGET KEY [PEER]: both medians and their ratio
	local a b
	a=$(median "sysmon:$3") b=$(median "${4:-peer}:$3")
	row "$1" "$2" "$b" "$a" "$(ratio "$a" "$b" 3)"
}

preamble() { # PACKAGE [TOOL]: the first lines of its report
	local version='not installed'
	[ -z "$peer" ] || version=$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)
	echo "# ${2:-$1}: sysmon against the original"
	echo
	echo "Made by \`make bench\` on $(uname -s) $(uname -r | cut -d- -f1), $(nproc) CPUs; $rounds round(s)."
	echo "Debian's $1: $version. A dash: not measured or does not apply. Targets of ratios are of sysmon / other."
	echo
}
