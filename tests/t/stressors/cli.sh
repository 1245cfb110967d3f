#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: what is picked, what is refused, and how it says so.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq

refused() { # NAME ERE OPTION...
	run "$STRESSORS" "${@:3}"
	is "$status $out" '1 ' "$1: exit status"
	like "$err" "^stressors: .*$2" "$1: the message"
}
refused 'no stressor' 'no stressor|nothing to run'
refused 'an unknown option' "'--qsrot'.*--qsort" --qsrot 1
refused 'an unknown stressor of a list' "'cpuu'.*cpu" --all 1 --with=cpuu
refused 'an unknown class' "'cpux'" --class=cpux --all 1
refused 'an unknown method' "'fft2'|fft" --cpu 1 --cpu-method=fft2
refused 'rubbish behind a number' '4x' --cpu 4x
refused 'rubbish behind a time' '1y2z|1z' --cpu 1 -t 1z
refused 'a size out of range' 'qsort-size' --qsort 1 --qsort-size=1
refused 'a CPU that is not there' 'CPU 1000' --cpu 1 --taskset=1000
refused 'an operand' 'operand|argument' --cpu 1 more
refused 'a job file that is not there' 'No such file' --job=/nowhere

planned() { # OPTION...: what a dry run says, a line each
	run "$STRESSORS" --dry-run "$@"
	printf '%s\n' "$out"
}
like "$(planned --class=vm --all 1 --seq)" 'one after the other.*--vm 1 ' 'a class, one after the other'
# shellcheck disable=SC2317 # called by ok
has_all() { local s; for s in "${all_stressors[@]}"; do grep -q "\<$s\>" <<<"$1" || return 1; done; }
ok '--seq: all' has_all "$(planned --pathological --seq 1 -t 1)"
unlike "$(planned --all 1 --exclude=cpu,vm)" '--(cpu|vm) ' '--exclude'
like "$(planned -c 0)" "cpu.*$(nproc)" '0 instances: one for each CPU'
like "$(taskset -c "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)" "$STRESSORS" --dry-run --cpu 0)" 'cpu.*1' \
	'0 instances with one CPU'

# A job file is the same as options.
cat >"$TMP/job" <<'J'
# a comment
run sequential
timeout 500.5
nop 1   # one
nop-ops 1
cpu 1
cpu-ops 2
cpu-method=crc
J
stress --job="$TMP/job"
is "$status $(jq -r 'select(.type == "result").stressor' "$TMP/rows" | tr '\n' ' ')" '0 nop cpu ' 'a job file: both'
is "$(jq -r 'select(.type == "run") | "\(.sequential) \(.timeout_s * 10)"' "$TMP/rows")" 'true 5005' 'a job file: one after the other, and the time'
printf 'nop 1\nnosuch 4\n' >"$TMP/job"
refused 'an error in a job file' ':2: unknown option' --job="$TMP/job"
printf 'nop 1\ntimeout \033[31m\n' >"$TMP/job"
run "$STRESSORS" --job="$TMP/job"
is "$status" 1 'a hostile job file: exit status'
unlike "$err" $'\033' 'a hostile job file: no control bytes'

is "$("$STRESSORS" --help | wc -l | awk '{ print $1 <= 60 }')" 1 '--help has 60 lines at most'
is "$("$STRESSORS" --help | awk 'length > 80' | wc -l)" 0 '--help fits 80 columns'
for s in "${all_stressors[@]}"; do
	like "$("$STRESSORS" --help="$s")" "^Usage: stressors --$s N" "--help=$s"
done
done_testing
