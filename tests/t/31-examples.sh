#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples work: those of the man pages (displays behind a comment `.\" example: NEEDS`),
# those of the README (code blocks behind `<!-- example: NEEDS -->`), and examples/*.
# NEEDS are words: root; silent (may print nothing here); else a command that must be there.
# timeout: 180
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
mkdir "$TMP/bin" "$TMP/cases" "$TMP/work"

# Each example ends after a second: what is added counts, being the last before "--".
tools=()
wrap() { # TOOL OPTION...: TOOL in the path, with these options
	local tool=$1
	shift
	tools+=("$tool")
	cat >"$TMP/bin/$tool" <<END
#!/bin/bash
args=()
while [ \$# -gt 0 ] && [ "\$1" != -- ]; do args+=("\$1"); shift; done
exec "$BUILD/bin/$tool" "\${args[@]}" $* "\$@"
END
}
wrap forkstat --duration=1
wrap cpustat --interval=0.25 --duration=1
# Who runs the tests as root needs no sudo.
printf '#!/bin/sh\nexec "$@"\n' >"$TMP/bin/sudo"
chmod 755 "$TMP/bin/"*
printf 'all:\n\t@true\n' >"$TMP/work/Makefile"
export PATH=$TMP/bin:$PATH

from_man() { # PAGE: a file for each example, the needs in its first line
	awk -v dir="$TMP/cases" -v base="$(basename "$1")" '
		/^\.\\" example:/ { needs = $0; sub(/.*example: */, "", needs); armed = 1; next }
		armed && /^\.Bd/ { file = sprintf("%s/%s-%02d", dir, base, ++n); print needs > file; on = 1; armed = 0; next }
		/^\.Ed/ { if (on) close(file); on = 0 }
		on { gsub(/\\\(aq/, "\047"); gsub(/\\\(dq/, "\""); gsub(/\\e/, "\\"); gsub(/\\&/, ""); print > file }' "$1"
}

from_readme() { # FILE
	awk -v dir="$TMP/cases" -v base="$(basename "$1")" '
		/^<!-- example:/ { needs = $0; sub(/.*example: */, "", needs); sub(/ *-->.*/, "", needs); armed = 1; next }
		armed && /^```/ { file = sprintf("%s/%s-%02d", dir, base, ++n); print needs > file; on = 1; armed = 0; next }
		on && /^```/ { close(file); on = 0; next }
		on { print > file }' "$1"
}

missing() { # NEEDS FILE: prints why the example cannot run here
	local w
	for w in "${tools[@]}"; do
		if [[ " ${LEFT_OUT-} " == *" $w "* ]] && grep -qw -- "$w" "$2"; then
			echo "needs $w, which is not built here"
			return
		fi
	done
	for w in $1; do
		case $w in
		root) have_root || { echo 'needs root'; return; } ;;
		silent) ;;
		*) have_cmd "$w" || { echo "needs $w, which is not installed"; return; } ;;
		esac
	done
}

try() { # FILE
	local needs name why
	name=$(basename "$1")
	needs=$(head -n 1 "$1")
	why=$(missing "$needs" "$1")
	if [ -n "$why" ]; then
		skip "$name: $why"
		return
	fi
	sed 1d "$1" >"$1.sh"
	cd "$TMP/work" || exit 2
	run bash -o pipefail "$1.sh"
	cd "$TOP" || exit 2
	if [ "$status" != 0 ]; then
		fail "$name" "status $status
$err"
	elif [ -z "$out" ] && [[ " $needs " != *" silent "* ]]; then
		fail "$name" 'it printed nothing'
	else
		pass "$name"
	fi
}

from_readme "$TOP/README.md"
for tool in "${tools[@]}"; do
	from_man "$TOP/man/$tool.8"
	num "$(find "$TMP/cases" -name "$tool.8-*" | wc -l)" -ge 4 "$tool: examples in the man page"
done
num "$(find "$TMP/cases" -name 'README.md-*' | wc -l)" -ge 3 'examples in the README'

# Something to look at: a program that works and one that fails.
printf 'while :; do /bin/true a; sh -c "exit 3"; sleep 0.1; done\n' >"$TMP/load"
bg sh "$TMP/load"
for f in "$TMP"/cases/*-[0-9][0-9]; do
	try "$f"
done

# --- examples/*, on recorded rows ------------------------------------------------------
cat >"$TMP/rows" <<'END'
Time     Event   PID Info   Duration Process
07:00:00 fork    100 parent          make
07:00:00 fork    101 child           make
07:00:00 exec    101                 cc
07:00:00 exit    101      3   0.001s cc
07:00:01 fork    100 parent          make
07:00:01 fork    102 child           make
07:00:01 clone   200 parent          java
07:00:01 clone   201 thread          java
07:00:01 lost  -----                 5 events lost (kernel buffer)
END
run awk -f "$TOP/examples/spawners.awk" "$TMP/rows"
expect_out '   forks  threads program
       2        0 make
       0        1 java
5 events were lost' 'spawners.awk'
run awk -f "$TOP/examples/per-second.awk" "$TMP/rows"
expect_out '# time fork exec exit
07:00:00 1 1 1
07:00:01 1 0 0' 'per-second.awk'

cat >"$TMP/json" <<'END'
{"type":"header","tool":"forkstat"}
{"type":"event","event":"exec","pid":100,"ppid":1,"comm":"make","argv":["make"]}
{"type":"event","event":"fork","pid":101,"ppid":100,"argv":["make"]}
{"type":"event","event":"exec","pid":101,"ppid":100,"comm":"cc","argv":["cc","a b.c"]}
{"type":"event","event":"exit","pid":101,"duration_s":0.25,"status":3,"signal":0,"argv":["cc","a b.c"]}
{"type":"event","event":"exit","pid":102,"status":0,"signal":9,"signal_name":"SIGKILL","comm":"cc"}
{"type":"summary","lost":{"kernel":2,"perf":0,"output":1}}
END
if have_cmd jq; then
	run jq -r -f "$TOP/examples/failures.jq" "$TMP/json"
	expect_out "status 3	0.25s	'cc' 'a b.c'
SIGKILL	?s	'cc'
lost: 3" 'failures.jq'
	run jq -rn -f "$TOP/examples/tree.jq" "$TMP/json"
	expect_out "'make'
  'cc' 'a b.c'" 'tree.jq'
else
	skip 'failures.jq, tree.jq: need jq, which is not installed' 2
fi

cat >"$TMP/rows.csv" <<'END'
time,mono_ns,event,pid,duration_s,cmd
2026-11-21T08:16:06.845087867Z,1,exec,7,,true
2026-11-21T08:16:06.845087867Z,2,exit,7,0.0005,true
2026-11-21T08:16:06.845087867Z,3,exit,8,0.5,"sh -c ""a,b"""
2026-11-21T08:16:06.845087867Z,4,exit,9,0.5,sleep
END
if have_cmd gnuplot; then
	run gnuplot -c "$TOP/examples/lifetimes.gnuplot" "$TMP/rows.csv"
	expect_exit 0 'lifetimes.gnuplot'
	like "$out$err" 'Lifetimes of processes' 'lifetimes.gnuplot draws'
else
	skip 'lifetimes.gnuplot: needs gnuplot, which is not installed' 2
fi

# The unit's command line is one that the parser takes, and its capabilities are enough.
command=$(sed -n 's/^ExecStart=[^ ]* //p' "$TOP/examples/forkstat-prometheus.service")
read -r -a words <<<"$command"
run "$FORKSTAT" "${words[@]}" --version
expect_exit 0 'the unit: options'
# systemd mounts tracefs; to mount one of its own the unit has no capability.
if have_root && have_cmd setpriv && [ -d /sys/kernel/tracing/events ]; then
	caps=$(sed -n 's/^CapabilityBoundingSet=//p' "$TOP/examples/forkstat-prometheus.service" |
		tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
	mkdir "$TMP/prom"
	run setpriv --no-new-privs --bounding-set="-all,$caps" "$FORKSTAT" \
		"${words[@]/--prom=*/--prom=$TMP/prom/forkstat.prom}" --source=perf -D 1
	expect_exit 0 'the unit: capabilities'
	ok 'the unit: totals' grep -q '^sysmon_forkstat_events_total{event="exec"} [1-9]' \
		"$TMP/prom/forkstat.prom"
	if have_cmd promtool; then
		ok 'the unit: promtool' promtool check metrics <"$TMP/prom/forkstat.prom"
	else
		skip 'the unit: needs promtool, which is not installed'
	fi
else
	skip 'the unit: needs root, setpriv and a mounted tracefs' 3
fi
known=$(sed -n 's/^.*"\(sysmon_forkstat_[a-z_]*\)".*/\1/p' "$TOP/forkstat/rates.c" | sort -u)
used=$(grep -o 'sysmon_forkstat_[a-z_]*' "$TOP/examples/forkstat-alerts.yml" | sort -u)
is "$(comm -23 <(echo "$used") <(echo "$known"))" '' 'the alerts: families that exist'

for f in "$TOP"/examples/*.awk "$TOP"/examples/*.jq "$TOP"/examples/*.gnuplot; do
	ok "$(basename "$f") is executable" test -x "$f"
done
done_testing
