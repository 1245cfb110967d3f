#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 8
# eventstat --wakeups: what is refused, its records, options and formats against each other, on whatever wakes the CPUs.
# Whether every exit from idle has the right cause: wakeups-live.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq

# --- what is refused
try="Try 'eventstat --help' for more information."
refused() { # MESSAGE OPTION...
	expect "refused: ${*:2}" 2 "eventstat: $1
$try" "$EVENTSTAT" "${@:2}" 0.1 1
}
refused '--histogram needs --wakeups' --histogram
refused '--woke needs --wakeups' --woke
refused '-x and -i cannot be used with --wakeups' --wakeups -x
refused '-x and -i cannot be used with --wakeups' --wakeups -i
refused '--wakeups needs --method=bpf' --wakeups --method=perf
refused '-e and --wakeups cannot be used together' --wakeups -e timer
for o in --tick --self; do
	refused '--tick and --self cannot be used with --wakeups, which always includes both' --wakeups $o
done
refused '--sort=cpu and --wakeups cannot be used together' --wakeups --sort=cpu
for o in "-r $TMP/x" -C -S; do
	# shellcheck disable=SC2086 # -r has an argument
	refused '-r, -C and -S cannot be used with --wakeups' --wakeups $o
done
nobody=(env)
! have_cap setuid || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
cp "$EVENTSTAT" "$TMP/eventstat" && chmod 755 "$TMP" "$TMP/eventstat"
expect 'without rights' 4 'eventstat: cannot count wakeups: bpf: Operation not permitted (needs root on the host, or CAP_BPF and CAP_PERFMON)' \
	"${nobody[@]}" "$TMP/eventstat" --wakeups 0.1 1
if have_cmd strace; then
	run strace -f -o "$TMP/trace" -e inject=bpf:error=ENOSYS "$EVENTSTAT" --wakeups 0.1 1
	is "$status $err" '3 eventstat: cannot count wakeups: bpf: Function not implemented (needs 64-bit Linux 5.8 or later)' 'without BPF'
else
	skip 'needs strace'
fi
run "$EVENTSTAT" --wakeups -q 0.1 1
if [ "$status" != 0 ]; then
	skip "${err##*: }" 1
	done_testing
fi

# --- all runs at once, while a CPU is woken
ROWS='map(select(.type == "wakeups"))'
SAMPLES='map(select(.type == "wakeup_sample"))'
cpu=$(($(nproc) - 1))
bg "$HELPERS/wakeload" sleep "$cpu" 10000 5
load=$bg_pid
record() { # NAME OPTION...: with JSON in $TMP/NAME.json
	launch "$1" "$EVENTSTAT" --wakeups --json="$TMP/$1.json" "${@:2}"
}
judge_of() { # NAME: waits for it; JSON in $TMP/rows, the rest in $out
	take "$1"
	is "$status $err" '0 ' "$1 ends well"
	out=$(cat "$TMP/rows")
	cp "$TMP/$1.json" "$TMP/rows"
}
record agree -q 0.4 3
record end --summary --histogram --prom="$TMP/prom" -q --duration=1.4 0.8
record table --csv="$TMP/csv" --output="$TMP/table" 0.4 2
record pid -q -p "$load" 0.3 2
record comm -q --comm='wake)r*' 0.3 2
record func -q --func='hrtimer_wake*' 0.3 2
record kernel -q -k 0.3 2
record users -q -u 0.3 2
record uid -q --uid=0 0.3 2
record two -q -n 2 0.3 2
record rate -q -t 4 0.3 2
record over -q -t 1000000 --prom="$TMP/prom-over" 0.3 2
record sort -q --sort=pid 0.3 2
record functions -q -g function 0.3 2
record processes -q -g process 0.3 2
record comms -q -g comm 0.3 2
record cgroups -q -g cgroup 0.3 2

# --- the records agree among themselves
judge_of agree
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

# --- options
judge_of pid
is "$(jqs "$ROWS | map(select(.tid != $load)) | length")" 0 '-p'
is "$(jqs "$SAMPLES | map(.wakeups >= .causes.hrtimer) | all")" true '-p: the totals are of all'
judge_of comm
is "$(jqs "$ROWS | map(.comm) | unique - [\"wake)r (1\"]")" '[]' '--comm'
judge_of func
is "$(jqs "$ROWS | map(.func) | unique - [\"hrtimer_wakeup\"]")" '[]' '--func'
judge_of kernel
is "$(jqs "$ROWS | map(.kthread) | unique - [true]")" '[]' '-k'
judge_of users
is "$(jqs "$ROWS | map(.kthread) | unique - [false]")" '[]' '-u: no kernel threads, nothing without a task'
judge_of uid
is "$(jqs "$ROWS | map(.uid) | unique - [0]")" '[]' '--uid'
judge_of two
is "$(jqs "$SAMPLES | map(.shown <= 2 and .matched >= .shown) | all")" true '-n'
is "$(jqs "$ROWS | group_by(.mono_ns) | map(map(.wakeups) | . == (sort | reverse)) | all")" true 'the most frequent first'
judge_of rate
is "$(jqs "$ROWS | map(.wakeups_per_s >= 4) | all")" true '-t'
judge_of over
is "$(jqs "$ROWS | length")" 0 '-t: no row has a million'
sum_of() { sed -n "s/^sysmon_eventstat_$1 //p" "$TMP/prom-over" | awk '{ n += $1 } END { print n + 0 }'; }
num "$(sum_of 'comm_wakeups_total{.*}')" -ge "$(sum_of 'wakeups_total{cause="\(hrtimer\|wheel\)"}')" '-t: --prom has what timers of all programs have ended'
judge_of sort
is "$(jqs "$ROWS | group_by(.mono_ns) | map(map(.tid // -1) | . == sort) | all")" true '--sort=pid'
judge_of functions
is "$(jqs "$ROWS | map(select(.tid != null)) | length")" 0 '-g function: no task'
is "$(jqs "$ROWS | group_by([.mono_ns, .cause, .func, .irq]) | map(length) | unique - [1]")" '[]' '-g function: one row each'
is "$(of_rows .wakeups .wakeups)" true '-g function: nothing is lost'
judge_of processes
is "$(jqs "$ROWS | map(select(.pid != null)) | group_by([.mono_ns, .pid]) | map(length) | unique - [1]")" '[]' '-g process: one row each'
is "$(of_rows .wakeups .wakeups)" true '-g process: nothing is lost'
judge_of comms
is "$(of_rows .wakeups .wakeups)" true '-g comm: nothing is lost'
judge_of cgroups
is "$(of_rows .wakeups .wakeups)" true '-g cgroup: nothing is lost'

# --- the end of the run
judge_of end
samples=$(jqs "$SAMPLES | length") seconds=$(jqs "$SAMPLES | map(.dt_s) | add")
if [ "$samples" = 2 ]; then
	is "$(jqs "$SAMPLES | map(.partial)")" "$(jqs "$SAMPLES | [false, .[1].dt_s < 0.8]")" 'the rest is a partial sample'
	is "$(jqs "$SAMPLES | .[1].mono_ns - .[0].mono_ns - .[1].dt_s * 1e9 | fabs < 2")" true 'of its real length'
else
	skip "the machine was so busy that there was no rest, $samples samples in $seconds seconds" 2
fi
key='"\(.cause) \(.tid) \(.func) \(.irq)"'
by_key() { jqs "map(select(.type == \"$1\")) | group_by($key) | map([(.[0] | $key), (map(.wakeups) | add)]) | sort"; }
is "$(by_key wakeup_total)" "$(by_key wakeups)" '--summary: each row of the run'
is "$(grep -A 1 '^Total of' <<<"$out" | cut -c 1-40)" "Total of $samples samples, $(printf %.1f "$seconds") seconds:
$(grep '^Wakeup/s' <<<"$out" | head -n 1 | cut -c 1-40)" '--summary: its table'
like "$out" '(Histogram [(]of [0-9]+|cannot produce histogram of) idle periods' '--histogram: its table'
sleeps=$(jqs 'map(select(.type == "sleeps"))[0] | .count')
is "$(jqs 'map(select(.type == "sleeps"))[0] | .count == ([.bins[].count] | add // 0)')" true '--histogram: the bins add up'
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
judge_of table
csv() { # some fields of the CSV, as JSON; quoted ones are emptied
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ gsub(/"[^"]*"/, "") } $at["wakeups"] { printf "[%s,\"%s\",\"%s\"]\n", $at["wakeups"], $at["cause"], $at["func"] }' "$TMP/csv"
}
is "$(csv | jq -sc .)" "$(jqs "$ROWS | map([.wakeups, .cause, .func // \"\"])")" 'CSV and JSON have the same rows'
awk '/^ *[0-9.]+ +[0-9.]+% / { print $1, $2 + 0 }' "$TMP/table" >"$TMP/human"
jqs "$ROWS" | jq -r '.[] | [.wakeups_per_s, .share_pct] | @tsv' >"$TMP/machine"
is "$(wc -l <"$TMP/human")" "$(wc -l <"$TMP/machine")" 'the table has as many'
is "$(paste "$TMP/human" "$TMP/machine" | awk '{ a = $1 - $3; b = $2 - $4 } a * a > 4e-5 || b * b > 4e-3' | head -n 3)" '' 'of the same rates and shares'
is "$(grep -c '^[0-9]* Total wakeups, ' "$TMP/table")" 2 'a total for each sample'
is "$(awk '/ Total wakeups, / { print $1 }' "$TMP/table" | paste -sd ' ')" "$(jqs "$SAMPLES | map(.wakeups | tostring) | join(\" \")" | jq -r .)" 'the totals'
is "$(awk '$1 == "CPU" { on = 1; next } NF == 0 { on = 0 } on { print $1, $2 }' "$TMP/table")" \
	"$(jqs "$SAMPLES | .[] | .dt_s as \$t | .cpus[] | select(.wakeups > 0) | [.cpu, .wakeups / \$t] | @tsv" | jq -r . | awk '{ printf "%d %.2f\n", $1, $2 }')" 'the CPUs'
kill "$load"
run "$EVENTSTAT" --wakeups -q -c --csv 0.1 1
like "$out" '^time,mono_ns,dt_s,wakeups_per_s,wakeups,share_pct,slept_s,slept_mean_s,tid,pid,uid,kthread,comm,cgroup,command,cause,irq,device,func' 'the keys of CSV'
run "$EVENTSTAT" --wakeups --comm='no such name' --csv 0.1 2
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print ($at["dt_s"] > 0), $at["wakeups"], $at["cause"] $at["comm"] }' <<<"$out")" \
	$'1 0 \n1 0 ' 'CSV: one row with zeros for a sample without rows'
done_testing
