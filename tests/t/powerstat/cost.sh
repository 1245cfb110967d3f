#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# timeout: 120
# What a sample of powerstat costs: system calls, by the difference of two runs; memory of a run
# of ten million samples; and when samples are taken.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_cmd jq
[ -x "$LAB_BIN/labtree" ] || skip_all 'labtree is not built'

tree() { # NAME SPEC: as plain files below $TMP/NAME, readable
	mkdir "$TMP/$1"
	"$LAB_BIN/labtree" -x "$TMP/$1" "$2" || fail "labtree $1"
	chmod -R u+rwX "$TMP/$1"
	mkdir -p "$TMP/$1/proc"
	cp /proc/stat "$TMP/$1/proc/stat"
}

# Sixty-four CPUs with all that -a reads.
spec=$(lab_spec rapl-one <<END
$(for ((i = 0; i < 64; i++)); do
	cat <<-CPU
	/sys/devices/system/cpu/cpu$i/cpufreq/scaling_cur_freq text $((1000000 + i))
	cd /sys/devices/system/cpu/cpu$i/cpuidle
	state0/name text POLL
	state0/latency text 0
	state0/time text 1000
	state0/usage text 10
	state1/name text C1
	state1/latency text 2
	state1/time text 1000
	state1/usage text 10
	CPU
done)
/sys/devices/system/cpu/online text 0-63
/sys/devices/system/cpu/possible text 0-63
/sys/devices/system/cpu/present text 0-63
END
)
tree wide "$spec"
tree one "$(lab_tree rapl-one)"

# The counters of a plain tree stand still; that they do is no matter here.
calls() { # SAMPLES OPTION...
	strace -f -c -U calls,name -o "$TMP/strace" "$POWERSTAT" "${@:2}" 0.1 "$1" >/dev/null 2>"$TMP/err"
	awk '$NF == "total" { print $1 }' "$TMP/strace"
}
a_sample() { # LIMIT NAME OPTION...
	local few many
	few=$(calls 5 "${@:3}")
	many=$(calls 25 "${@:3}")
	num $((many - few)) -le $(($1 * 20)) "$2: $(awk -v n=$((many - few)) 'BEGIN { print n / 20 }') system calls a sample, at most $1"
}
if have_cmd strace && strace -c true 2>/dev/null >&2; then
	a_sample 9 '-R' --root "$TMP/one" -R
	a_sample 9 '-R -j' --root "$TMP/one" -R -j
	a_sample 85 '-R -D -a, 64 CPUs' --root "$TMP/wide" -R -D -a
else
	skip 'needs strace' 3
fi

# --- memory ---
bg "$POWERSTAT" --root "$TMP/one" -R -D -H 0.1 10000000 >"$TMP/rows" 2>"$TMP/msg"
has_line_count() { [ "$(grep -c '^[0-9][0-9]:' "$TMP/rows")" -ge "$1" ]; }
wait_for has_line_count 10
early=$(awk '/^VmHWM/ { print $2 }' "/proc/$bg_pid/status")
wait_for has_line_count 25
late=$(awk '/^VmHWM/ { print $2 }' "/proc/$bg_pid/status")
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status" 0 'ten million samples, interrupted'
num "$early" -le 3072 "a run of ten million samples: $early KiB at most resident"
num $((late - early)) -le 64 'and it does not grow'

# --- when ---
run "$POWERSTAT" --root "$TMP/one" -R -j 0.2 25
expect_exit 0
mv "$TMP/out" "$TMP/rows"
is "$(sample_count)" 25 '25 samples of 0.2 s'
# Absolute deadlines: however late one sample is, the next is at its own time.  A whole slot can be
# missed on a busy machine; it is told then.
if [ "$(of_summary .missed)" = 0 ]; then
	is "$(jqs 'map(select(.type == "sample") | [.mono_ns, .dt_s]) | (.[0][0] - .[0][1] * 1e9) as $start | [to_entries[] | (.value[0] - $start) / 1e9 - (.key + 1) * 0.2 | . > -0.001 and . < 0.2] | unique')" '[true]' \
		'each in its slot of the schedule from the start'
	is "$(jqs 'map(select(.type == "sample") | .dt_s) | (add / length) | . > 0.198 and . < 0.202')" true 'the mean interval is the delay'
else
	skip 'the machine was too busy for the schedule' 2
fi
done_testing
