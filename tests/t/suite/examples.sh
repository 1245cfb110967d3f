#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples work: those of the man pages (displays after a comment `.\" example: NEEDS`), those of
# the README (code blocks after `<!-- example: NEEDS -->`), and examples/*.  NEEDS are words: root;
# silent (may print nothing here); power (a source of power figures); or a command to be installed.
# A code block that follows an example of the README is a copy of its output, and still has its shape.
# live
# heavy
# seconds: 26
# timeout: 180
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/picture.sh"
try_tracefs
mkdir "$TMP/bin" "$TMP/cases" "$TMP/work"

# Each example ends after a second: the wrapper appends options before "--", where they override
# earlier ones, and replaces the operand DELAY, because no option may contradict it.
tools=()
wrap() { # TOOL DELAY OPTION...: TOOL in the path, with these options; DELAY '': it has none
	local tool=$1 delay=$2
	shift 2
	tools+=("$tool")
	cat >"$TMP/bin/$tool" <<END
#!/bin/bash
args=() delay=$delay
while [ \$# -gt 0 ] && [ "\$1" != -- ]; do args+=("\$1"); shift; done
# The first of the numbers at the end may be an option's.
at=\${#args[@]}
while [ \$at -gt 0 ] && [[ \${args[at - 1]} =~ ^[0-9.]+\$ ]]; do at=\$((at - 1)); done
if [ \$at -gt 0 ] && [[ \${args[at - 1]} == -[din] ]]; then at=\$((at + 1)); fi
if [ -z "\$delay" ]; then
	:
elif [ \$at -lt \${#args[@]} ]; then
	args[at]=\$delay
else
	args+=(--interval=\$delay)
fi
exec "$BUILD/bin/$tool" "\${args[@]}" $* "\$@"
END
}
for opts in "$TOP"/*/opts.c; do
	tool=${opts%/opts.c} tool=${tool##*/}
	case $tool in
	forkstat) wrap "$tool" '' --duration=1 ;;
	powerstat) wrap "$tool" 0.1 --start-delay=0 --duration=1 ;;
	pagemon) wrap "$tool" '' --duration=1 ;;
	power-calibrate) wrap "$tool" '' "$(brief_options "$tool")" --max-time=2 ;;
	stressors) wrap "$tool" '' --duration=1 --max-memory=64m ;;
	*) wrap "$tool" 0.25 --duration=1 ;;
	esac
done

# Why a tool cannot run here, for example in a container without process events.
declare -A cannot=()
for tool in "${tools[@]}"; do
	[ ! -x "$BUILD/bin/$tool" ] || [ "$tool" = stressors ] || cannot[$tool]=$(why_not "$tool")
done
no_bpf=$("$FORKSTAT" --failed -D 0.1 2>&1 >/dev/null | grep 'cannot capture failed execs')

# The examples of powerstat run on a simulated machine with a battery, energy counters, thermal zones
# and frequencies, or, if none can be made, on this machine if it has a power source.
for part in laptop-energy rapl-square thermal cpufreq; do
	# Each tree defines the power of the machine; here it is that of the counters.
	sed -e '/^truth /d' -e "s,^include ,include $TOP/tests/lab/trees/," "$TOP/tests/lab/trees/$part.spec"
done >"$TMP/machine.spec"
echo 'truth watts @pkg @dram' >>"$TMP/machine.spec"
power_run=() power=''
if [ -x "$BUILD/lab/fakesys" ] &&
	"$TOP/tests/lab/run" "$TMP/machine.spec" /dev/null -- true 2>/dev/null; then
	power_run=("$TOP/tests/lab/run" "$TMP/machine.spec" /dev/null --)
	power=lab
elif "$BUILD/bin/powerstat" -l 2>/dev/null | grep -q '^Selected source: [^n]'; then
	power=own
fi
sed -i "s,^exec ,exec ${power_run[*]} ," "$TMP/bin/powerstat"
machine power-calibrate
sed -i "s,^exec ,exec ${machine[*]} ," "$TMP/bin/power-calibrate"
# Tests that run as root need no sudo.
printf '#!/bin/sh\nexec "$@"\n' >"$TMP/bin/sudo"
chmod 755 "$TMP/bin/"*
printf 'all:\n\t@sleep 0.3\n' >"$TMP/work/Makefile"
export PATH=$TMP/bin:$PATH
# The pages as installed, with the paths of that place; the README in the top folder of the tree.
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$TOP" install-docs PREFIX="$TMP/usr" >/dev/null || exit 2
ln -s "$TOP/examples" "$TMP/work/examples"

from_man() { # PAGE: a file for each example, the needs in its first line
	awk -v dir="$TMP/cases" -v base="$(basename "$1")" '
		/^\.\\" example:/ { needs = $0; sub(/.*example: */, "", needs); armed = 1; next }
		armed && /^\.Bd/ { file = sprintf("%s/%s-%02d", dir, base, ++n); print needs > file; on = 1; armed = 0; next }
		/^\.Ed/ { if (on) close(file); on = 0 }
		on { gsub(/\\\(aq/, "\047"); gsub(/\\\(dq/, "\""); gsub(/\\e/, "\\"); gsub(/\\&/, ""); print > file }' "$1"
}

# A file for each example, and, if a copy of its output follows, FILE.block with this copy.
from_readme() { # FILE
	awk -v dir="$TMP/cases" -v base="$(basename "$1")" '
		/^<!-- example:/ { needs = $0; sub(/.*example: */, "", needs); sub(/ *-->.*/, "", needs); armed = 1; next }
		armed && /^```/ { file = sprintf("%s/%s-%02d", dir, base, ++n); print needs > file; on = 1; armed = 0; next }
		on && /^```/ { close(file); on = 0; file = on_block ? "" : file ".block"; on_block = 0; next }
		on { print > file; next }
		/^```$/ && file != "" { on = on_block = 1; next }
		NF { file = "" }' "$1"
}

missing() { # NEEDS FILE: prints why the example cannot run here
	local w
	for w in "${tools[@]}"; do
		if [[ " ${LEFT_OUT-} " == *" $w "* ]] && grep -qw -- "$w" "$2"; then
			echo "needs $w, which is not built here"
			return
		fi
		if [ -n "${cannot[$w]-}" ] && grep -qw -- "$w" "$2"; then
			echo "$w cannot run here: ${cannot[$w]}"
			return
		fi
	done
	if [ -n "$no_bpf" ] && grep -q -- '--failed' "$2"; then
		echo "no failed execs here: $no_bpf"
		return
	fi
	for w in $1; do
		case $w in
		root) have_root || { echo 'needs root'; return; } ;;
		silent) ;;
		power) [ -n "$power" ] || { echo 'needs a source of power figures, or a simulated one'; return; } ;;
		*) have_cmd "$w" || { echo "needs $w, which is not installed"; return; } ;;
		esac
	done
}

# FILE: runs an example in a copy of the folder; FILE.status, FILE.out, FILE.err
begin() {
	sed 1d "$1" >"$1.sh"
	cp -R -P "$TMP/work" "$1.dir" && cd "$1.dir" || exit 2
	timeout -k 2 "$RUN_LIMIT" bash -o pipefail "$1.sh" >"$1.out" 2>"$1.err" </dev/null
	echo $? >"$1.status"
}
export -f begin
export TMP RUN_LIMIT

judge() { # FILE
	local name why needs
	name=${1##*/} needs=$(head -n 1 "$1")
	why=$(missing "$needs" "$1")
	if [ -n "$why" ]; then
		skip "$name: $why"
		return
	fi
	status=$(cat "$1.status")
	# head ends when it has seen enough; who writes more to it gets SIGPIPE.
	[ "$status" != 141 ] || ! grep -qw head "$1.sh" || status=0
	if [ "$status" != 0 ] && grep -qE "$no_result" "$1.err"; then
		skip "$name: the machine is too busy: $(grep -E "$no_result" "$1.err")"
	elif [ "$status" != 0 ]; then
		fail "$name" "status $status
$(cat "$1.err")"
	elif [ ! -s "$1.out" ] && [[ " $needs " != *" silent "* ]]; then
		fail "$name" 'it printed nothing'
	else
		pass "$name"
		[ ! -e "$1.block" ] ||
			is "$(awk -f "$TOP/tests/lib/shape.awk" "$1.block" "$1.out")" '' "$name: the output has this shape"
	fi
}

from_readme "$TOP/README.md"
for tool in "${tools[@]}"; do
	page=("$TMP"/usr/share/man/man[18]/"$tool".[18])
	from_man "${page[0]}"
	num "$(find "$TMP/cases" -name "$tool.[18]-*" | wc -l)" -ge 3 "$tool: examples in the man page"
	is "$(sh "$TOP/tools/quickstart.sh" --list | sed -n "s/^$tool: //p" | head -n 1)" \
		"$(sed '1d; s/^sudo //' "$TMP/cases/${page[0]##*/}-01")" "$tool: the quick start shows the first of them"
done
num "$(find "$TMP/cases" -name 'README.md-*' | wc -l)" -ge 3 'examples in the README'

# Activity to show: a busy program and one that fails.
printf 'while :; do /bin/true a; sh -c "exit 3"; sleep 0.1; done\n' >"$TMP/load"
bg sh "$TMP/load"
cases=("$TMP"/cases/*-[0-9][0-9])
# Most of them wait for their second: nine at a time.
for f in "${cases[@]}"; do
	[ -n "$(missing "$(head -n 1 "$f")" "$f")" ] || printf '%s\0' "$f"
done | xargs -0 -n 1 -P 9 bash -c 'begin "$1"' sh
for f in "${cases[@]}"; do judge "$f"; done

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
{"type":"summary","lost":{"kernel":2,"output":1,"arguments":1,"names":0,"facts":0}}
END
if have_cmd jq; then
	run jq -r -f "$TOP/examples/failures.jq" "$TMP/json"
	expect_out "status 3	0.25s	'cc' 'a b.c'
SIGKILL	?s	'cc'
lost: 4" 'failures.jq'
	run jq -rn -f "$TOP/examples/tree.jq" "$TMP/json"
	expect_out "'make'
  'cc' 'a b.c'" 'tree.jq'
else
	skip 'failures.jq, tree.jq: need jq, which is not installed' 2
fi

cat >"$TMP/rows.csv" <<'END'
time,mono_ns,event,pid,duration_s,process_end,cmd
2026-11-21T08:16:06.845087867Z,1,exec,7,,,true
2026-11-21T08:16:06.845087867Z,2,exit,7,0.0005,1,true
2026-11-21T08:16:06.845087867Z,3,exit,8,0.5,1,"sh -c ""a,b"""
2026-11-21T08:16:06.845087867Z,4,exit,10,900,0,sleep
2026-11-21T08:16:06.845087867Z,5,exit,9,0.5,1,sleep
END
if have_cmd gnuplot; then
	run gnuplot -c "$TOP/examples/lifetimes.gnuplot" "$TMP/rows.csv"
	expect_exit 0 'lifetimes.gnuplot'
	like "$out$err" 'Lifetimes of processes' 'lifetimes.gnuplot draws'
	sed '3q' "$TMP/rows.csv" >"$TMP/one.csv"
	run gnuplot -c "$TOP/examples/lifetimes.gnuplot" "$TMP/one.csv"
	is "$status $err" '0 ' 'one lifetime: no warning'
	sed '2q' "$TMP/rows.csv" >"$TMP/one.csv"
	run gnuplot -c "$TOP/examples/lifetimes.gnuplot" "$TMP/one.csv"
	like "$status $err" '^1 .*no lifetimes in ' 'none: an error'
	printf 'time,mono_ns,dt_s,kind,pid,cpu_pct,usr_pct\nt,1000000000,1,process,8,0,0\n' >"$TMP/one.csv"
	run gnuplot -c "$TOP/examples/cpustat-process.gnuplot" "$TMP/one.csv" 8 "$TMP/one.png"
	is "$status $err $(png_size "$TMP/one.png")" '0  1000 500' 'cpustat-process.gnuplot: one row of an idle process'
	run gnuplot -c "$TOP/examples/cpustat-process.gnuplot" "$TMP/one.csv" 9 "$TMP/one.png"
	like "$status $err" '^1 [^:]*: no rows of process 9' 'another process: an error'
else
	skip 'lifetimes.gnuplot, cpustat-process.gnuplot: need gnuplot, which is not installed' 6
fi

# The capabilities of the unit also suffice for perf; units.sh tests the rest of it.
command=$(sed -n 's/^ExecStart=[^ ]* //p' "$TOP/examples/forkstat-prometheus.service")
read -r -a words <<<"$command"
run "$FORKSTAT" "${words[@]}" --version
expect_exit 0 'the unit: options'
# systemd mounts tracefs; the unit has no capability to mount it itself.
if have_root && have_cap perfmon && have_cmd setpriv && [ -d /sys/kernel/tracing/events ]; then
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
	skip 'the unit: needs CAP_PERFMON, setpriv and a mounted tracefs' 3
fi

# --- powerstat's -----------------------------------------------------------------------
# Ten samples of 0.5 s: 20 W, then 40 W, with a domain of half the power, a column that falls, a
# constant one, and a sample without a figure.
cat >"$TMP/power.awk" <<'END'
BEGIN {
	print "time,mono_ns,dt_s,kind,incomplete,window_s,lost,user_pct,nice_pct,sys_pct,idle_pct," \
		"iowait_pct,irq_pct,softirq_pct,watts,pkg_0_w,acpitz_c,none_c," \
		"cpu_freq_khz,cpu_freq_min_khz,cpu_freq_max_khz"
	for (i = 1; i <= 10; i++) {
		w = i == 3 ? "" : i <= 5 ? 20 : 40
		printf "2026-11-21T08:16:%06.3fZ,%.0f,0.5,measured,0,,0,%d,0,5,%d,0,0,0,%s,%s,%d,,%d,800000,4000000\n",
			i / 2, 7e9 + i * 5e8, i <= 5 ? 10 : 80, i <= 5 ? 85 : 15, w, w == "" ? "" : w / 2, 40 + i, 1e6 + i * 1e5
	}
}
END
awk -f "$TMP/power.awk" >"$TMP/power.csv"
run awk -f "$TOP/examples/powerstat-follow.awk" "$TMP/power.csv"
expect_out 'correlation  watts/unit column
     -1.000   -0.285714 idle_pct
      1.000           2 pkg_0_w
      1.000    0.285714 user_pct
      0.857     2.94118 acpitz_c
      0.857 2.94118e-05 cpu_freq_khz' 'powerstat-follow.awk'
run awk -f "$TOP/examples/powerstat-follow.awk" "$TMP/rows.csv"
is "$status $err" '1 powerstat-follow.awk: wants the CSV of powerstat' 'powerstat-follow.awk: other rows'

cat >"$TMP/json" <<'END'
{"type":"header","tool":"powerstat"}
{"type":"sample","time":"2026-11-21T08:16:30Z","dt_s":2,"watts":10,"kind":"estimate"}
{"type":"sample","time":"2026-11-21T08:16:32Z","dt_s":2,"watts":null,"kind":"absent"}
{"type":"sample","time":"2026-11-21T08:16:34Z","dt_s":4,"watts":16,"kind":"level"}
{"type":"skipped","time":"2026-11-21T08:16:36Z","dt_s":2}
{"type":"sample","time":"2026-11-21T08:17:00Z","dt_s":1,"watts":30,"kind":"level"}
{"type":"summary","samples":4}
END
if have_cmd jq; then
	run jq -rn -f "$TOP/examples/powerstat-minutes.jq" "$TMP/json"
	expect_out $'2026-11-21T08:16\t84\t14\t16\t6\testimate level
2026-11-21T08:17\t30\t30\t30\t1\tlevel
all\t114\t16.29\t30\t7\testimate level' 'powerstat-minutes.jq'
else
	skip 'powerstat-minutes.jq: needs jq, which is not installed'
fi

plot() { run gnuplot -c "$TOP/examples/powerstat-run.gnuplot" "$1" "$TMP/run.png"; } # FILE.csv
# NAME: the plot of run.csv says the mean and the energy of that file.
plotted_mean() {
	local line
	line=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["watts"] != "" { j += $at["watts"] * $at["dt_s"]; s += $at["dt_s"]; n++ }
		END { printf "%.4f %.4f %.4f %d", j / s, j, s, n }' "$TMP/run.csv")
	like "$status $out$err" '^0 [0-9.]+ W in the mean, [0-9.]+ J in [0-9.]+ s$' "$1"
	ok "$1: $err is $line" awk -v said="$out$err" -v want="$line" 'BEGIN { split(said, a); split(want, w)
		exit !(w[4] > 1 && (a[1] - w[1]) ^ 2 < 0.006 ^ 2 && (a[6] - w[2]) ^ 2 < 0.06 ^ 2 && (a[9] - w[3]) ^ 2 < 0.06 ^ 2) }'
}
if have_cmd gnuplot; then
	plot "$TMP/power.csv"
	is "$status $out$err" '0 31.11 W in the mean, 140.0 J in 4.5 s' 'powerstat-run.gnuplot: the figure'
	is "$(png_size "$TMP/run.png")" '1000 940' 'a picture of four panels'
	# The boxes of watts: 4 of half the height and 5 of the whole, of 10, in a panel of 690 x 189
	# pixels, less the domain's line and the grid.
	decode "$TMP/run.png"
	boxes=$(pixels 236 204 170)
	num "$boxes" -gt 80000 'the power is drawn'
	num "$boxes" -lt 95000 'to scale, with a gap for the missing sample'
	num "$(pixels 86 180 233)" -gt 50000 'and the load'
	run gnuplot -c "$TOP/examples/powerstat-run.gnuplot" "$TMP/power.csv" "$TMP/run.svg"
	is "$status $(grep -c '<svg' "$TMP/run.svg")" '0 1' 'a file FILE.svg: SVG'
	cut -d, -f1-15 "$TMP/power.csv" >"$TMP/watts.csv"
	plot "$TMP/watts.csv"
	is "$status $out$err $(png_size "$TMP/run.png")" '0 31.11 W in the mean, 140.0 J in 4.5 s 1000 500' \
		'without domains, zones and frequencies: two panels'
	cut -d, -f1-14 "$TMP/power.csv" | sed '1s/$/,watts/;2,$s/$/,/' >"$TMP/load.csv"
	plot "$TMP/load.csv"
	is "$status $out$err $(png_size "$TMP/run.png")" '0 no power was measured 1000 280' 'only the load: one panel'
	# A sample may have no value, and so may all.
	awk -F, -v OFS=, 'NR > 1 { $19 = $20 = $21 = "" } { print }' "$TMP/power.csv" >"$TMP/nofreq.csv"
	plot "$TMP/nofreq.csv"
	is "$status $out$err $(png_size "$TMP/run.png")" '0 31.11 W in the mean, 140.0 J in 4.5 s 1000 720' \
		'frequencies that are all empty: no panel'
	awk -F, -v OFS=, 'NR == 5 { $19 = $20 = $21 = "" } { print }' "$TMP/power.csv" >"$TMP/gap.csv"
	plot "$TMP/gap.csv"
	is "$status $out$err $(png_size "$TMP/run.png")" '0 31.11 W in the mean, 140.0 J in 4.5 s 1000 940' \
		'one of them empty: a gap'
	awk -F, -v OFS=, 'NR > 1 { $15 = $16 = 0 } NR <= 2 { print }' "$TMP/power.csv" >"$TMP/one.csv"
	plot "$TMP/one.csv"
	is "$status $out$err $(png_size "$TMP/run.png")" '0 0.00 W in the mean, 0.0 J in 0.5 s 1000 940' \
		'one sample, of no power: no warning'
	head -n 1 "$TMP/power.csv" >"$TMP/none.csv"
	plot "$TMP/none.csv"
	like "$status $err" '^1 .*no samples in ' 'without samples: an error'
	if [ "$power" = lab ]; then
		run powerstat -R -D -t -f --csv="$TMP/run.csv"
		expect_exit 0 'a run on the simulated machine'
		plot "$TMP/run.csv"
		plotted_mean 'its CSV is plotted'
		is "$(png_size "$TMP/run.png")" '1000 940' 'with all panels'
		run "$TOP/tests/lab/run" "$TOP/tests/lab/trees/rapl-square.spec" /dev/null -- \
			"$BUILD/bin/powerstat" -R -f --csv="$TMP/run.csv" 0.2 3
		is "$status $(head -n 1 "$TMP/run.csv" | grep -c cpu_freq)" '0 0' 'a run without cpufreq: no such columns'
		plot "$TMP/run.csv"
		plotted_mean 'it is plotted'
		is "$(png_size "$TMP/run.png")" '1000 500' 'without them'
	else
		skip 'powerstat-run.gnuplot on a run: needs a simulated machine' 8
	fi
else
	skip 'powerstat-run.gnuplot: needs gnuplot, which is not installed' 20
fi

# --- eventstat's -----------------------------------------------------------------------
# Two samples of 2 s and 0.5 s; quoted fields, and an empty one at the end.
cat >"$TMP/timers.csv" <<'END'
time,mono_ns,dt_s,starts,expiries,idle_expiries,comm,command,func
2026-11-21T08:16:02Z,9000000000,2,40,20,10,a,"a,""b""",hrtimer_wakeup
2026-11-21T08:16:02Z,9000000000,2,10,10,0,k,,process_timeout
2026-11-21T08:16:02.5Z,9500000000,0.5,10,5,5,a,a,hrtimer_wakeup
2026-11-21T08:16:02.5Z,9500000000,0.5,5,0,0,b,b,
END
run awk -f "$TOP/examples/eventstat-callbacks.awk" "$TMP/timers.csv"
expect_out '  Wake/s   Idle/s  idle%  Event/s callback
   10.00     6.00  100.0    20.00 hrtimer_wakeup
    4.00     0.00    0.0     4.00 process_timeout
    0.00     0.00    0.0     2.00 ' 'eventstat-callbacks.awk'
{ cat "$TMP/timers.csv" && echo 2026-11-21T08:16:05Z,12000000000,2.5,0,0,0,,,; } >"$TMP/idle.csv"
run awk -f "$TOP/examples/eventstat-callbacks.awk" "$TMP/idle.csv"
expect_out '  Wake/s   Idle/s  idle%  Event/s callback
    5.00     3.00  100.0    10.00 hrtimer_wakeup
    2.00     0.00    0.0     2.00 process_timeout
    0.00     0.00    0.0     1.00 ' 'eventstat-callbacks.awk: a sample without rows is part of the time'
run awk -f "$TOP/examples/eventstat-callbacks.awk" "$TMP/rows.csv"
is "$status $err" '1 eventstat-callbacks.awk: wants the CSV of eventstat' 'eventstat-callbacks.awk: other rows'

cat >"$TMP/json" <<'END'
{"type":"header","tool":"eventstat"}
{"type":"timers","idle_expiries":10,"kthread":false,"comm":"a b"}
{"type":"timers","idle_expiries":5,"kthread":true,"comm":"k"}
{"type":"timers","idle_expiries":0,"kthread":false,"comm":"busy"}
{"type":"sample","dt_s":2}
{"type":"timers","idle_expiries":5,"kthread":false}
{"type":"sample","dt_s":0.5}
{"type":"total","idle_expiries":10,"kthread":false,"comm":"a b"}
END
if have_cmd jq; then
	run jq -rn -f "$TOP/examples/eventstat-idle.jq" "$TMP/json"
	expect_out $'4\t50%\ta b
2\t25%\t?
2\t25%\t[k]' 'eventstat-idle.jq'
	grep -v timers "$TMP/json" >"$TMP/quiet"
	run jq -rn -f "$TOP/examples/eventstat-idle.jq" "$TMP/quiet"
	is "$status$out" 0 'eventstat-idle.jq: a machine that slept'
else
	skip 'eventstat-idle.jq: needs jq, which is not installed' 2
fi

wakeups() { run gnuplot -c "$TOP/examples/eventstat-wakeups.gnuplot" "$1" "$TMP/wake.png" "${@:2}"; } # FILE.csv [COLUMN]
if have_cmd gnuplot; then
	rm -f "$TMP/wake.png"
	wakeups "$TMP/timers.csv"
	is "$status $out$err $(png_size "$TMP/wake.png")" '0 6.0 wakeups per second in 2.5 s 1000 500' \
		'eventstat-wakeups.gnuplot: the callbacks of timers'
	# 2 s of 5 and 0.5 s of 10 a second: six tenths of a panel of about 700 x 385 pixels.
	decode "$TMP/wake.png"
	boxes=$(pixels 230 159 0)
	num "$boxes" -gt 150000 'which are drawn'
	num "$boxes" -lt 175000 'to scale'
	wakeups "$TMP/timers.csv" comm
	is "$status $out$err" '0 6.0 wakeups per second in 2.5 s' 'by program'
	# The causes of --wakeups; those after the eighth are grey.
	{
		echo 'time,mono_ns,dt_s,wakeups,cause,device,comm,func'
		for s in 1 2; do
			for i in {1..10}; do printf 't,%d000000000,1,%d,irq,"dev, %d",,\n' "$s" $((20 - i)) "$i"; done
		done
	} >"$TMP/causes.csv"
	wakeups "$TMP/causes.csv"
	is "$status $out$err" '0 145.0 wakeups per second in 2.0 s' 'by the causes of --wakeups'
	decode "$TMP/wake.png"
	num "$(pixels 176 176 176)" -gt 10000 'and the rest'
	awk -F, -v OFS=, 'NR > 1 { $6 = 0 } { print }' "$TMP/timers.csv" >"$TMP/busy.csv"
	wakeups "$TMP/busy.csv"
	is "$status $out$err" '0 0.0 wakeups per second in 2.5 s' 'a machine that was never idle'
	wakeups "$TMP/rows.csv"
	like "$status $err" '^1 .*no samples in ' 'other rows: an error'
else
	skip 'eventstat-wakeups.gnuplot: needs gnuplot, which is not installed' 8
fi
if [ -z "${cannot[eventstat]-}" ] && have_root; then
	run eventstat --csv="$TMP/live.csv" --json="$TMP/live.json"
	expect_exit 0 'eventstat: a run'
	run awk -f "$TOP/examples/eventstat-callbacks.awk" "$TMP/live.csv"
	like "$status $out" '^0 .*callback' 'its CSV, by callback'
	if have_cmd gnuplot; then
		wakeups "$TMP/live.csv"
		like "$status $out$err" '^0 [0-9.]+ wakeups per second in [0-9.]+ s$' 'its CSV is plotted'
	else
		skip 'eventstat-wakeups.gnuplot on a run: needs gnuplot, which is not installed'
	fi
else
	skip "eventstat: examples on a run: ${cannot[eventstat]:-needs root}" 3
fi

# --- pagemon's -------------------------------------------------------------------------
# Two snapshots of 1 s: 4 KiB of a file, 8 KiB anonymous pages that become 12 KiB; a gap between them.
cat >"$TMP/runs.csv" <<'END'
time,mono_ns,pid,start,end,perms,offset_bytes,device,inode,mapped_kb,state,name
t,5000000000,9,0x7f0000001000,0x7f0000002000,r--p,0,08:01,3,4,file+excl,"/a,b"
t,5000000000,9,0x7fff00000000,0x7fff00002000,rw-p,,,,8,anon+excl,
t,6000000000,9,0x7f0000001000,0x7f0000002000,r--p,0,08:01,3,4,file+excl,"/a,b"
t,6000000000,9,0x7fff00000000,0x7fff00003000,rw-p,,,,12,anon+huge,
END
run awk -f "$TOP/examples/pagemon-map.awk" "$TMP/runs.csv"
is "$status $out" '0 0.000 1.000 0.000000 0.003906 1
0.000 1.000 0.003906 0.011719 2
1.000 2.000 0.000000 0.003906 1
1.000 2.000 0.003906 0.015625 3' 'pagemon-map.awk: where the runs are, without the gap'
cp "$TMP/out" "$TMP/map.txt"
run awk -f "$TOP/examples/pagemon-map.awk" "$TMP/rows.csv"
is "$status $err" '1 pagemon-map.awk: these are no rows of pagemon --csv -x' 'pagemon-map.awk: other rows'
cat >"$TMP/mappings.csv" <<'END'
time,mono_ns,pid,start,end,present_kb,swap_kb,pss_kb,name
t,5000000000,9,0x1000,0x2000,1024,0,4,"/lib/a ""b"",c"
t,5000000000,9,0x3000,0x4000,2048,0,4,
t,5000000000,9,0x5000,0x6000,1024,1024,4,[heap]
t,7000000000,9,0x1000,0x2000,1024,0,4,"/lib/a ""b"",c"
t,7000000000,9,0x3000,0x4000,5120,0,4,
t,7000000000,9,0x5000,0x6000,1024,2048,4,[heap]
END
run awk -v n=2 -f "$TOP/examples/pagemon-growth.awk" "$TMP/mappings.csv"
is "$status $out" '0 seconds anonymous [heap] others
0.000 2.000 2.000 1.000
2.000 5.000 3.000 1.000' 'pagemon-growth.awk: those that grow most'
cp "$TMP/out" "$TMP/growth.txt"
run awk -f "$TOP/examples/pagemon-growth.awk" "$TMP/rows.csv"
is "$status $err" '1 pagemon-growth.awk: these are no rows of pagemon --csv -m' 'pagemon-growth.awk: other rows'
if have_cmd gnuplot; then
	run gnuplot -c "$TOP/examples/pagemon-map.gnuplot" "$TMP/map.txt" "$TMP/map.png"
	is "$status $err $(png_size "$TMP/map.png")" '0  1000 700' 'pagemon-map.gnuplot'
	# Anonymous pages are half the time and half the height.
	decode "$TMP/map.png"
	num "$(pixels 230 159 0)" -gt 100000 'the anonymous pages'
	num "$(pixels 86 180 233)" -gt 100000 'the file'
	run gnuplot -c "$TOP/examples/pagemon-growth.gnuplot" "$TMP/growth.txt" "$TMP/growth.png"
	is "$status $err $(png_size "$TMP/growth.png")" '0  1000 600' 'pagemon-growth.gnuplot'
	printf 'seconds anonymous\n0.000 0.000\n' >"$TMP/growth.txt"
	run gnuplot -c "$TOP/examples/pagemon-growth.gnuplot" "$TMP/growth.txt" "$TMP/growth.png"
	is "$status $err" '0 ' 'pagemon-growth.gnuplot: one snapshot: no warning'
else
	skip 'pagemon-map.gnuplot, pagemon-growth.gnuplot: need gnuplot, which is not installed' 5
fi

# --- power-calibrate's -----------------------------------------------------------------
# 3 W when idle, 8 W for a busy CPU; one reading of six is rejected.
{
	printf '# t_s cpus level_pct own_cpus other_cpus watts adjusted_w residual_w ops cycles instructions used\n'
	printf '%s\n' '0.5 0 0 0 0 3 3 0 0 NaN NaN 1' '1.5 1 50 0.5 0 7.1 7.1 0.1 1 NaN NaN 1' \
		'2.5 1 100 1 0 10.9 10.9 -0.1 2 NaN NaN 1' '3.5 2 50 1 0 80 80 69 2 NaN NaN 0' \
		'4.5 2 100 2 0 19 19 0 4 NaN NaN 1' '5.5 0 0 0 0 3 3 0 0 NaN NaN 1' '' '' '# own_cpus watts low high' \
		'0 3 1 5' '1 11 9 13' '2 19 17 21'
} >"$TMP/calibrate.dat"
if have_cmd gnuplot; then
	picture=$TOP/examples/power-calibrate-picture.gnuplot
	run gnuplot -c "$picture" "$TMP/calibrate.dat" "$TMP/calibrate.png"
	is "$status $err $(png_size "$TMP/calibrate.png")" '0  1000 750' 'power-calibrate-picture.gnuplot'
	decode "$TMP/calibrate.png"
	num "$(pixels 32 96 160)" -gt 1200 'the lines'
	num "$(pixels 188 216 245)" -gt 30000 'the band, 4 of 20 W wide'
	num "$(pixels 192 48 48)" -gt 10 'the rejected reading, at the edge'
	run gnuplot -c "$picture" "$TMP/calibrate.dat" "$TMP/calibrate.svg"
	is "$status $err $(grep -c '<svg' "$TMP/calibrate.svg") $(grep -c 'One busy CPU: 8.00 W' "$TMP/calibrate.svg")" '0  1 1' \
		'a file FILE.svg: SVG, with the text as text'
	run gnuplot -c "$picture" "$TMP/calibrate.dat"
	like "$status $out" '^0 .*One busy CPU: 8.00 W, idle: 3.00 W  \(5 readings used, 1 rejected\).*Residuals over the load' 'as text'
	grep -v '0$' "$TMP/calibrate.dat" >"$TMP/clean.dat"
	run gnuplot -c "$picture" "$TMP/clean.dat" "$TMP/calibrate.png"
	is "$status $err" '0 ' 'power-calibrate-picture.gnuplot: no reading is rejected'
else
	skip 'power-calibrate-picture.gnuplot: needs gnuplot, which is not installed' 7
fi

for f in "$TOP"/examples/*.awk "$TOP"/examples/*.jq "$TOP"/examples/*.gnuplot; do
	ok "$(basename "$f") is executable" test -x "$f"
done
done_testing
