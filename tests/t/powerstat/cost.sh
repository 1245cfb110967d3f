#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 6
# What a sample of powerstat costs: system calls, by the difference of two runs; memory of a run
# of ten million samples.
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
# LIMIT NAME OPTION...: a counter whose reading takes long is read again, so a busy machine can need more; not each time
a_sample() {
	local few many try
	for try in 1 2 3 4 5; do
		few=$(calls 3 "${@:3}")
		many=$(calls 8 "${@:3}")
		[ $((many - few)) -gt $(($1 * 5)) ] || break
	done
	num $((many - few)) -le $(($1 * 5)) "$2: $(awk -v n=$((many - few)) 'BEGIN { print n / 5 }') system calls a sample, at most $1 (run $try)"
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
is "$status" 3 'ten million samples of a counter that stands still, interrupted'
num "$early" -le 3072 "a run of ten million samples: $early KiB at most resident"
num $((late - early)) -le 64 'and it does not grow'

done_testing
