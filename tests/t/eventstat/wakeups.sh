#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# timeout: 120
# eventstat --wakeups: its sums against the kernel's own events, loads that know how often they wake a
# CPU, and its formats against each other.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
EVENTSTAT=${EVENTSTAT:-$BUILD/bin/eventstat}
need_cmd jq

# --- what is refused
try="Try 'eventstat --help' for more information."
refused() { # MESSAGE OPTION...
	expect "refused: ${*:2}" 2 "eventstat: $1
$try" "$EVENTSTAT" "${@:2}" 0.1 1
}
refused '--histogram needs --wakeups' --histogram
refused '-x and -i are of timers, not of --wakeups' --wakeups -x
refused '-x and -i are of timers, not of --wakeups' --wakeups -i
refused '--wakeups needs --method=bpf' --wakeups --method=perf
refused '-e is of timers, not of --wakeups' --wakeups -e timer
for o in --tick --self; do
	refused "--wakeups shows the tick and eventstat's own wake-ups in any case" --wakeups $o
done
refused '--sort=cpu is of timers, not of --wakeups' --wakeups --sort=cpu
for o in "-r $TMP/x" -C -S; do
	# shellcheck disable=SC2086 # -r has an argument
	refused '-r, -C and -S are of timers, not of --wakeups' --wakeups $o
done
nobody=(env)
! have_cap setuid || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
cp "$EVENTSTAT" "$TMP/eventstat" && chmod 755 "$TMP" "$TMP/eventstat"
expect 'without rights' 4 'eventstat: wake-ups cannot be counted: bpf: Operation not permitted (needs root, or CAP_BPF and CAP_PERFMON)' \
	"${nobody[@]}" "$TMP/eventstat" --wakeups 0.1 1
if have_cmd strace; then
	run strace -f -o "$TMP/trace" -e inject=bpf:error=ENOSYS "$EVENTSTAT" --wakeups 0.1 1
	is "$status $err" '3 eventstat: wake-ups cannot be counted: bpf: Function not implemented (needs a 64-bit Linux 5.8 or later)' 'without BPF'
else
	skip 'needs strace'
fi
run "$EVENTSTAT" --wakeups -q 0.1 1
if [ "$status" != 0 ]; then
	skip "${err##*: }" 1
	done_testing
fi

# --- records
jqs() { jq -sc "$1" "$TMP/rows"; }
ROWS='map(select(.type == "wakeups"))'
SAMPLES='map(select(.type == "wakeup_sample"))'
record() { # OPTION...: with JSON in $TMP/rows
	run "$EVENTSTAT" --wakeups --json="$TMP/rows" "$@"
	is "$status $err" '0 ' "${*} ends well"
}

# --- every exit from idle has a cause
# ENTRIES NAME SLACK: the causes are those of so many sleeps, up to 1 % and SLACK of each CPU
adds_up() {
	local slack=$(($1 / 100 + $3 * $(nproc)))
	diag "$2: $1; $causes causes, $unknown unknown"
	if [ "$1" -lt 50 ]; then
		skip "$2: the CPUs do not sleep, $1 times" 2
		return
	fi
	num "$causes" -ge $(($1 - slack)) "as many causes as $2, $1"
	num "$causes" -le $(($1 + slack)) 'not more'
}
CPUIDLE=/sys/devices/system/cpu/cpu0/cpuidle/state0/usage
cat >"$TMP/usage" <<'END'
usage() { cat /sys/devices/system/cpu/cpu*/cpuidle/state*/usage | awk '{ n += $1 } END { print n }'; }
usage >"$1.before"
sleep 5
usage >"$1.after"
END
if [ -r "$CPUIDLE" ]; then
	record -q 1 -- sh "$TMP/usage" "$TMP/usage"
	causes=$(jqs "$ROWS | map(.wakeups) | add // 0") unknown=$(jqs "$SAMPLES | map(.unknown) | add // 0")
	adds_up $(($(cat "$TMP/usage.after") - $(cat "$TMP/usage.before"))) 'entries into the states of cpuidle' 10 # between other instants
	num "$unknown" -le $((causes / 50 + 1)) 'unknown: at most 2 %'
	exits=$(jqs "$SAMPLES | map(.idle_exits) | add // 0")
	num "$exits" -le $((causes + causes / 100 + $(nproc))) 'exits, which are counted apart from the causes'
	num "$exits" -ge $((causes - causes / 100 - $(nproc))) 'not fewer'
else
	skip 'needs cpuidle' 6
fi

# The trace of a CPU, in an instance of its own.  On some virtual machines not all CPUs are in it.
tracefs=$(awk '$3 == "tracefs" { print $2; exit }' /proc/mounts)
mounted=''
if [ -z "$tracefs" ] && have_cap sys_admin; then
	tracefs=$TMP/tracefs
	mkdir "$tracefs" && mount -t tracefs nodev "$tracefs" && mounted=1
fi
instance=$tracefs/instances/sysmon-test.$$
end_trace() {
	[ ! -d "$instance" ] || { echo 0 >"$instance/events/enable" && rmdir "$instance"; }
	[ -z "$mounted" ] || umount "$tracefs"
	tap_cleanup
}
# CPU and time of each exit, in seconds of CLOCK_MONOTONIC.
trace_exits() {
	awk '/ cpu_idle: state=4294967295 / { for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+[.][0-9]+:$/) print $NF, substr($i, 1, length($i) - 1) }' "$instance/trace"
}
count_exits() { # of CPU 0 in the samples' time
	local from to
	read -r from to < <(jqs "$SAMPLES | [.[0].mono_ns / 1e9 - .[0].dt_s, .[-1].mono_ns / 1e9] | @tsv" | jq -r .)
	awk -v from="$from" -v to="$to" '$1 == "cpu_id=0" && $2 > from && $2 <= to { n++ } END { print n + 0 }' "$TMP/exits"
}
lost_events() { awk '$1 == "overrun:" { n += $2 } END { print n + 0 }' "$instance"/per_cpu/cpu*/stats; }
if mkdir "$instance" 2>/dev/null; then
	trap end_trace EXIT
	echo mono >"$instance/trace_clock"
	echo 16384 >"$instance/buffer_size_kb"
	echo 1 >"$instance/events/power/cpu_idle/enable"
	record -q 1 5
	echo 0 >"$instance/events/power/cpu_idle/enable"
	trace_exits >"$TMP/exits"
	causes=$(jqs "$SAMPLES | map(.cpus[] | select(.cpu == 0).wakeups) | add // 0")
	unknown=$(jqs "$SAMPLES | map(.cpus[] | select(.cpu == 0).unknown) | add // 0")
	if [ "$(lost_events)" = 0 ]; then
		adds_up "$(count_exits)" 'traced exits of CPU 0' 2
	else
		skip 'the trace lost events' 2
	fi
else
	skip 'needs a trace instance' 3
	record -q 1 3
fi

# --- the records agree among themselves
of_rows() { jqs "($ROWS | group_by(.mono_ns) | map(map($1) | add)) == ($SAMPLES | map(select(.shown > 0) | $2))"; }
is "$(of_rows .wakeups .wakeups)" true 'the rows of a sample add up'
is "$(jqs "$SAMPLES | map(.wakeups == (.causes | add)) | all")" true 'the causes add up'
is "$(jqs "$SAMPLES | map(.wakeups == ([.cpus[].wakeups] | add // 0)) | all")" true 'the CPUs add up'
is "$(jqs "$SAMPLES | map(.slept_s - ([.cpus[].slept_s] | add // 0) | fabs < 1e-6) | all")" true 'their sleep, too'
is "$(jqs "$ROWS | group_by(.mono_ns) | map(length as \$n | map(.share_pct) | add - 100 | fabs < \$n / 1000) | all")" true 'the shares are of 100 %'
is "$(jqs "$ROWS | map(.wakeups_per_s - .wakeups / .dt_s | fabs < 0.001) | all")" true 'the rate is that of the interval'
is "$(jqs "$ROWS | map(.slept_mean_s - .slept_s / .wakeups | fabs < 1e-8) | all")" true 'the mean'
is "$(jqs "$ROWS | map([.cause, .irq != null] | select(.[1] != (.[0] == \"irq\"))) | length")" 0 'interrupts of devices have their number'
is "$(jqs "$ROWS | map(select((.tid // 0) > 0 and .comm == null)) | length")" 0 'no task without a name'

is "$(jqs "$ROWS | map(select(.func != null and (.func | test(\"^(tick_nohz_handler|tick_sched_timer|tick_nohz_highres_handler|nohz_csd_func)$\"))).tid) | unique - [0]")" '[]' 'the tick is of no task'

# --- loads
cpu=$(($(nproc) - 1))
# WHAT TIMES MS [FROM]: the load in $pid, $times and $idle, and its rows; not 0: the CPU was busy, or others woke it so
# often that they were first for many of the load's
wakes() {
	for _ in 1 2 3 4; do
		run "$EVENTSTAT" --wakeups -q --json="$TMP/rows" 1 -- "$HELPERS/wakeload" "$1" "$cpu" "${@:2}"
		read -r pid times idle <<<"$err"
		others=$(($(jqs "$SAMPLES | map(.cpus[] | select(.cpu == $cpu).idle_exits) | add // 0") - ${times:-0}))
		[ "$status" != 0 ] || [ "${idle:-0}" -lt 90 ] || [ "$others" -gt "$times" ] || return 0
	done
	return 1
}
SENT='(.cause == "call" or .cause == "reschedule" or .cause == "flag")'
sum_of() { jqs "$ROWS | map(select($1).wakeups) | add // 0"; }
# The first cause counts: now and then it is another timer or the tick.
blamed() { # COUNT NAME
	num "$1" -ge $((times * 85 / 100)) "$2: $1 of $times"
	num "$1" -le $((times + 2)) "$2: not more"
}
if wakes sleep 300 10; then
	blamed "$(sum_of ".tid == $pid and .pid == $pid and .cause == \"hrtimer\" and .func == \"hrtimer_wakeup\"")" 'a sleeper'
	is "$(jqs "$ROWS | map(select(.tid == $pid).comm) | unique")" '["wake)r (1"]' 'its name'
else
	skip "CPU $cpu is busy (idle $idle %, $others other wake-ups)" 3
fi
if [ "$cpu" = 0 ]; then
	skip 'needs two CPUs' 6
else
	if wakes pipe 300 10 0; then
		blamed "$(sum_of ".tid == $pid and $SENT")" 'a task that wakes another CPU'
		is "$(jqs "$ROWS | map(select(.tid == $pid and $SENT).comm) | unique")" '["wake)r (1"]' 'its name'
	else
		skip "CPU $cpu is busy (idle $idle %, $others other wake-ups)" 3
	fi
	if wakes pipe 200 0 0; then
		blamed "$(sum_of ".comm == \"wake)r (1\" and $SENT")" 'tasks that exit at once'
		num "$(jqs "$ROWS | map(select(.comm == \"wake)r (1\" and $SENT).tid) | unique | length")" -ge $((times * 80 / 100)) 'each of them'
	else
		skip "CPU $cpu is busy (idle $idle %, $others other wake-ups)" 3
	fi
fi

# --- options, while a CPU is woken
bg "$HELPERS/wakeload" sleep "$cpu" 10000 5
load=$bg_pid
record -q -p "$load" 0.5 2
is "$(jqs "$ROWS | map(select(.tid != $load)) | length")" 0 '-p'
is "$(jqs "$SAMPLES | map(.wakeups >= .causes.hrtimer) | all")" true '-p: the totals are of all'
record -q --comm='wake)r*' 0.5 2
is "$(jqs "$ROWS | map(.comm) | unique - [\"wake)r (1\"]")" '[]' '--comm'
record -q --func='hrtimer_wake*' 0.5 2
is "$(jqs "$ROWS | map(.func) | unique - [\"hrtimer_wakeup\"]")" '[]' '--func'
record -q -k 0.5 2
is "$(jqs "$ROWS | map(.kthread) | unique - [true]")" '[]' '-k'
record -q -u 0.5 2
is "$(jqs "$ROWS | map(.kthread) | unique - [false]")" '[]' '-u: no kernel threads, nothing without a task'
record -q --uid=0 0.5 2
is "$(jqs "$ROWS | map(.uid) | unique - [0]")" '[]' '--uid'
record -q -n 2 0.5 2
is "$(jqs "$SAMPLES | map(.shown <= 2 and .matched >= .shown) | all")" true '-n'
is "$(jqs "$ROWS | group_by(.mono_ns) | map(map(.wakeups) | . == (sort | reverse)) | all")" true 'the most frequent first'
record -q -t 4 0.5 2
is "$(jqs "$ROWS | map(.wakeups_per_s >= 4) | all")" true '-t'
record -q --sort=pid 0.5 2
is "$(jqs "$ROWS | group_by(.mono_ns) | map(map(.tid // -1) | . == sort) | all")" true '--sort=pid'
record -q -g function 0.5 2
is "$(jqs "$ROWS | map(select(.tid != null)) | length")" 0 '-g function: no task'
is "$(jqs "$ROWS | group_by([.mono_ns, .cause, .func, .irq]) | map(length) | unique - [1]")" '[]' '-g function: one row each'
is "$(of_rows .wakeups .wakeups)" true '-g function: nothing is lost'
record -q -g process 0.5 2
is "$(jqs "$ROWS | map(select(.pid != null)) | group_by([.mono_ns, .pid]) | map(length) | unique - [1]")" '[]' '-g process: one row each' ||
	diag "$(jqs "$ROWS" | head -c 4000)"
is "$(of_rows .wakeups .wakeups)" true '-g process: nothing is lost'
record -q -g comm 0.5 2
is "$(of_rows .wakeups .wakeups)" true '-g comm: nothing is lost'
record -q -g cgroup 0.5 2
is "$(of_rows .wakeups .wakeups)" true '-g cgroup: nothing is lost'

# --- the end of the run
record --summary --histogram --prom="$TMP/prom" -q --duration=1.4 1
is "$(jqs "$SAMPLES | map(.partial)")" '[false,true]' 'the rest is a partial sample'
num "$(jqs "$SAMPLES | .[1].dt_s * 1000 | floor")" -lt 900 'of its real length'
key='"\(.cause) \(.tid) \(.func) \(.irq)"'
by_key() { jqs "map(select(.type == \"$1\")) | group_by($key) | map([(.[0] | $key), (map(.wakeups) | add)]) | sort"; }
is "$(by_key wakeup_total)" "$(by_key wakeups)" '--summary: each row of the run'
like "$out" "^Total of 2 samples, 1[.][3-9] seconds:
Wakeup/s" '--summary: its table'
like "$out" '(Histogram [(]of [0-9]+|cannot produce histogram of) sleeps of CPUs' '--histogram: its table'
sleeps=$(jqs 'map(select(.type == "sleeps"))[0] | .count')
is "$(jqs 'map(select(.type == "sleeps"))[0] | .count == ([.bins[].count] | add // 0)')" true '--histogram: the bins add up'
sum=$(jqs "$SAMPLES | map(.wakeups) | add // 0")
num "$sleeps" -ge $((sum - sum / 50 - 2 * $(nproc))) "--histogram: the sleeps of the rows, $sum"
num "$sleeps" -le $((sum + sum / 50 + 2 * $(nproc))) 'not more'
is "$(awk '/^ +[0-9.]+ - / { n += $4 } END { print n + 0 }' <<<"$out")" "$sleeps" '--histogram: the table has the same'
prom() { sed -n "s/^sysmon_eventstat_$1 //p" "$TMP/prom"; }
for cause in hrtimer unknown call; do
	is "$(prom "wakeups_total{cause=\"$cause\"}")" "$(jqs "$SAMPLES | map(.causes.$cause) | add")" "--prom: $cause"
done
exits=$(prom "idle_exits_total{cpu=\"$cpu\"}")
is "${exits:-0}" "$(jqs "$SAMPLES | map(.cpus[] | select(.cpu == $cpu).idle_exits) | add // 0")" '--prom: exits of a CPU'
is "$(prom 'sleep_seconds_count')" "$sleeps" '--prom: the histogram'
if have_cmd promtool; then
	ok '--prom: its format' sh -c 'promtool check metrics <"$1" >/dev/null' sh "$TMP/prom"
else
	skip 'needs promtool'
fi

# --- table, CSV and JSON of one run
record --csv="$TMP/csv" --output="$TMP/table" 0.5 2
kill "$load"
csv() { # some fields of the CSV, as JSON; quoted ones are emptied
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ gsub(/"[^"]*"/, "") } { printf "[%s,\"%s\",\"%s\"]\n", $at["wakeups"], $at["cause"], $at["func"] }' "$TMP/csv"
}
is "$(csv | jq -sc .)" "$(jqs "$ROWS | map([.wakeups, .cause, .func // \"\"])")" 'CSV and JSON have the same rows'
awk '/^ *[0-9.]+ +[0-9.]+% / { print $1, $2 + 0 }' "$TMP/table" >"$TMP/human"
jqs "$ROWS" | jq -r '.[] | [.wakeups_per_s, .share_pct] | @tsv' >"$TMP/machine"
is "$(wc -l <"$TMP/human")" "$(wc -l <"$TMP/machine")" 'the table has as many'
is "$(paste "$TMP/human" "$TMP/machine" | awk '{ a = $1 - $3; b = $2 - $4 } a * a > 4e-5 || b * b > 4e-3' | head -n 3)" '' 'of the same rates and shares'
is "$(grep -c '^[0-9]* Total wake-ups, ' "$TMP/table")" 2 'a total for each sample'
is "$(awk '/ Total wake-ups, / { print $1 }' "$TMP/table" | paste -sd ' ')" "$(jqs "$SAMPLES | map(.wakeups | tostring) | join(\" \")" | jq -r .)" 'the totals'
is "$(awk '$1 == "CPU" { on = 1; next } NF == 0 { on = 0 } on { print $1, $2 }' "$TMP/table")" \
	"$(jqs "$SAMPLES | .[] | .dt_s as \$t | .cpus[] | select(.wakeups > 0) | [.cpu, .wakeups / \$t] | @tsv" | jq -r . | awk '{ printf "%d %.2f\n", $1, $2 }')" 'the CPUs'
run "$EVENTSTAT" --wakeups -q -c --csv 0.2 2
like "$out" '^time,mono_ns,dt_s,wakeups_per_s,wakeups,share_pct,slept_s,slept_mean_s,tid,pid,uid,kthread,comm,cgroup,command,cause,irq,device,func' 'the keys of CSV'
done_testing
